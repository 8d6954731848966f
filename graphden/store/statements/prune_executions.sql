-- Drops a batch of the oldest executions that ended so long ago, of the given statuses, with
-- what they published. Pending ones stay.
WITH old AS (
    SELECT id
    FROM graphden.execution
    WHERE started_at < clock_timestamp() - make_interval(secs => %(age_ms)s::double precision / 1000)
        AND ended_at < clock_timestamp() - make_interval(secs => %(age_ms)s::double precision / 1000)
        AND status = ANY(%(statuses)s)
        AND status <> 'pending'
    ORDER BY started_at
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
),
links AS (
    DELETE FROM graphden.execution_message USING old WHERE execution_id = old.id
)
DELETE FROM graphden.execution AS execution USING old WHERE execution.id = old.id
RETURNING execution.id
