-- The messages of a queue, oldest first, with the state that an operator acts upon.
SELECT id, state, attempts, error::text, due_at, claimed_until, published_at, payload::text, trace_id
FROM (
    SELECT
        message.*,
        lease.deadline AS claimed_until,
        CASE
            WHEN message.died_at IS NOT NULL THEN 'dead'
            WHEN lease.deadline > now() THEN 'claimed'
            WHEN message.lease IS NOT NULL THEN 'lapsed'
            WHEN message.due_at > now() THEN 'delayed'
            ELSE 'pending'
        END AS state
    FROM graphden.queue_message AS message
    LEFT JOIN graphden.queue_lease AS lease ON lease.token = message.lease
    WHERE message.queue_id = (SELECT queue.id FROM graphden.queue WHERE name = %(queue)s)
) AS listed
WHERE coalesce(state = %(state)s::text, TRUE)
ORDER BY published_at, id
LIMIT %(limit)s
