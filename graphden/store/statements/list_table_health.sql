SELECT
    relname,
    n_live_tup,
    n_dead_tup,
    pg_table_size(relid),
    extract(epoch FROM clock_timestamp() - greatest(last_vacuum, last_autovacuum))::double precision,
    EXISTS (
        SELECT
        FROM pg_class, unnest(reloptions) AS option
        WHERE pg_class.oid = relid AND option ~* '^autovacuum_enabled=(false|off|0|no)$'
    )
FROM pg_stat_user_tables
WHERE schemaname = 'graphden'
ORDER BY relname
