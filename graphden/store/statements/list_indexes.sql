SELECT
    index_class.relname,
    table_class.relname,
    indisvalid,
    indisunique,
    pg_relation_size(indexrelid),
    EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
FROM pg_index
JOIN pg_class AS index_class ON index_class.oid = indexrelid
JOIN pg_class AS table_class ON table_class.oid = indrelid
JOIN pg_namespace ON pg_namespace.oid = table_class.relnamespace
WHERE nspname = 'graphden'
ORDER BY 1
