SELECT
    current_setting('fsync'),
    current_setting('synchronous_commit'),
    current_setting('autovacuum'),
    current_setting('max_connections')::int,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
    extract(epoch FROM clock_timestamp())::double precision
