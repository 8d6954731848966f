-- Processes whose time is over are declared gone, sooner when the session of their last beat has
-- ended. Sessions that still hold their locks are ended, so that others can take the slots.
WITH late AS (
    UPDATE graphden.service_process
    SET gone = true
    WHERE NOT gone
        AND id <> %(id)s
        AND (
            heartbeat_at < clock_timestamp() - make_interval(secs => %(patience_s)s::double precision)
            OR heartbeat_at < clock_timestamp() - make_interval(secs => %(patience_s)s::double precision / 3)
            AND NOT EXISTS (
                SELECT FROM pg_stat_activity AS activity
                WHERE activity.pid = service_process.backend
            )
        )
    RETURNING id, host, pid, backend
)
SELECT
    id, host, pid,
    (
        SELECT count(pg_terminate_backend(activity.pid))
        FROM pg_stat_activity AS activity
        WHERE activity.pid = late.backend
            AND activity.datname = current_database()
            AND activity.application_name = 'graphden serve ' || late.id::text
    )
FROM late
