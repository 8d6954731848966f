-- Gives dead messages a new life: ready, attempts 0, error cleared, id and trace kept.
-- Returns what became of each id: its queue and the state it had.
WITH asked AS (
    SELECT DISTINCT id FROM unnest(%(ids)s::uuid[]) AS given (id)
),
requeued AS (
    UPDATE graphden.queue_message AS message
    SET died_at = NULL, position = nextval('graphden.queue_position'), attempts = 0, error = NULL
    FROM asked
    WHERE message.id = asked.id AND message.died_at IS NOT NULL
    RETURNING message.id, message.queue_id, message.trace_id
)
SELECT
    asked.id,
    requeued.id IS NOT NULL,
    message.queue_id,
    CASE
        WHEN message.id IS NULL THEN 'missing'
        WHEN message.died_at IS NOT NULL THEN 'dead'
        WHEN lease.deadline > now() THEN 'claimed'
        WHEN message.lease IS NOT NULL THEN 'lapsed'
        WHEN message.due_at > now() THEN 'delayed'
        ELSE 'pending'
    END
FROM asked
LEFT JOIN graphden.queue_message AS message ON message.id = asked.id
LEFT JOIN graphden.queue_lease AS lease ON lease.token = message.lease
LEFT JOIN requeued ON requeued.id = asked.id
CROSS JOIN (
    SELECT graphden.queue_record_operation('requeue', %(operator)s, (
        SELECT json_agg(json_build_object(
            'message_id', changed.id, 'queue', queue.name, 'trace_id', changed.trace_id
        ))
        FROM requeued AS changed
        JOIN graphden.queue ON queue.id = changed.queue_id
    )) AS recorded
) AS records
