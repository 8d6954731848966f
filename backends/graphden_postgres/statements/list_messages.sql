-- The messages of a queue, oldest first, with the state that an operator acts upon: from each
-- lane the first ones in its own order, so that a backlog is not read to show its beginning.
WITH this AS (
    SELECT id FROM graphden.queue WHERE name = %(queue)s
),
ready AS (
    SELECT message.id, 'pending' AS state, NULL::timestamptz AS claimed_until
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND position IS NOT NULL AND lease IS NULL
        AND coalesce(%(state)s::text = 'pending', TRUE)
    ORDER BY position
    LIMIT %(limit)s
),
due AS (
    SELECT message.id, 'pending', NULL::timestamptz
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND due_at <= now()
        AND coalesce(%(state)s::text = 'pending', TRUE)
    ORDER BY due_at
    LIMIT %(limit)s
),
delayed AS (
    SELECT message.id, 'delayed', NULL::timestamptz
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND due_at > now()
        AND coalesce(%(state)s::text = 'delayed', TRUE)
    ORDER BY due_at
    LIMIT %(limit)s
),
dead AS (
    SELECT message.id, 'dead', NULL::timestamptz
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND died_at IS NOT NULL
        AND coalesce(%(state)s::text = 'dead', TRUE)
    ORDER BY died_at
    LIMIT %(limit)s
),
held AS (
    SELECT
        message.id,
        CASE WHEN lease.deadline > now() THEN 'claimed' ELSE 'lapsed' END,
        lease.deadline
    FROM graphden.queue_lease AS lease
    CROSS JOIN LATERAL unnest(lease.messages) AS listed (id)
    JOIN graphden.queue_message AS message
        ON message.id = listed.id AND message.lease = lease.token
    WHERE lease.queue_id = (SELECT id FROM this)
        AND coalesce(
            %(state)s::text = CASE WHEN lease.deadline > now() THEN 'claimed' ELSE 'lapsed' END,
            TRUE
        )
    ORDER BY lease.deadline
    LIMIT %(limit)s
),
listed AS (
    SELECT * FROM ready
    UNION ALL SELECT * FROM due
    UNION ALL SELECT * FROM delayed
    UNION ALL SELECT * FROM dead
    UNION ALL SELECT * FROM held
)
SELECT
    message.id, listed.state, message.attempts, message.error::text, message.due_at,
    listed.claimed_until, message.published_at, message.payload::text, message.trace_id
FROM listed
JOIN graphden.queue_message AS message ON message.id = listed.id
ORDER BY message.published_at, message.id
LIMIT %(limit)s
