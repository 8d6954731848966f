-- Deletes messages that nobody holds. Returns what became of each id: the state it had.
--
-- The claim that was seen is compared again at the deletion: a message claimed in between has
-- another one.
WITH asked AS (
    SELECT DISTINCT id FROM unnest(%(ids)s::uuid[]) AS given (id)
),
seen AS (
    SELECT message.id, message.lease, coalesce(lease.deadline > now(), FALSE) AS held
    FROM asked
    JOIN graphden.queue_message AS message ON message.id = asked.id
    LEFT JOIN graphden.queue_lease AS lease ON lease.token = message.lease
),
deleted AS (
    DELETE FROM graphden.queue_message AS message
    USING seen
    WHERE message.id = seen.id
        AND NOT seen.held
        AND message.lease IS NOT DISTINCT FROM seen.lease
    RETURNING message.id, message.lease, message.queue_id, message.trace_id
),
voided AS (
    -- A settlement under a claim that ran out must not take this for its own work.
    UPDATE graphden.queue_lease AS lease
    SET messages = array_remove(lease.messages, deleted.id)
    FROM deleted
    WHERE lease.token = deleted.lease
)
SELECT
    asked.id,
    deleted.id IS NOT NULL,
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
LEFT JOIN deleted ON deleted.id = asked.id
CROSS JOIN (
    SELECT graphden.queue_record_operation('delete', %(operator)s, (
        SELECT json_agg(json_build_object(
            'message_id', changed.id, 'queue', queue.name, 'trace_id', changed.trace_id
        ))
        FROM deleted AS changed
        JOIN graphden.queue ON queue.id = changed.queue_id
    )) AS recorded
) AS records
