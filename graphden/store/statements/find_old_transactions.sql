-- What keeps old versions of rows alive: sessions, prepared transactions, replication slots.
SELECT
    'the session ' || pid || coalesce(' of ' || nullif(application_name, ''), '') || ' (' || state || ')',
    extract(epoch FROM clock_timestamp() - xact_start)::double precision
FROM pg_stat_activity
WHERE datname = current_database()
    AND pid <> pg_backend_pid()
    AND backend_type = 'client backend'
    AND xact_start < clock_timestamp() - make_interval(secs => %(older_s)s::double precision)
UNION ALL
SELECT
    'the prepared transaction ' || gid,
    extract(epoch FROM clock_timestamp() - prepared)::double precision
FROM pg_prepared_xacts
WHERE database = current_database()
    AND prepared < clock_timestamp() - make_interval(secs => %(older_s)s::double precision)
UNION ALL
SELECT 'the replication slot ' || slot_name, NULL
FROM pg_replication_slots
WHERE NOT active AND (xmin IS NOT NULL OR catalog_xmin IS NOT NULL OR restart_lsn IS NOT NULL)
ORDER BY 2 DESC NULLS LAST
