-- Deletes some of the messages of a queue that were published until a moment, now when none is
-- given. Returns how many, and that moment, for the next call; it is over when none are left.
--
-- The claim that was seen is compared again at the deletion: a message claimed in between has
-- another one. A message that somebody holds goes only with force, and its lease lists it no
-- more, so that a settlement which is repeated does not take this for its own work.
WITH this AS (
    SELECT id, coalesce(%(until)s::timestamptz, now()) AS until
    FROM graphden.queue WHERE name = %(queue)s
),
ready AS (
    SELECT message.id, message.lease
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND position IS NOT NULL AND lease IS NULL
        AND published_at <= (SELECT until FROM this)
        AND coalesce(%(state)s::text = 'pending', TRUE)
    ORDER BY position
    LIMIT %(limit)s
),
due AS (
    SELECT message.id, message.lease
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND due_at <= now()
        AND published_at <= (SELECT until FROM this)
        AND coalesce(%(state)s::text = 'pending', TRUE)
    ORDER BY due_at
    LIMIT %(limit)s
),
delayed AS (
    SELECT message.id, message.lease
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND due_at > now()
        AND published_at <= (SELECT until FROM this)
        AND coalesce(%(state)s::text = 'delayed', TRUE)
    ORDER BY due_at
    LIMIT %(limit)s
),
dead AS (
    SELECT message.id, message.lease
    FROM graphden.queue_message AS message
    WHERE queue_id = (SELECT id FROM this) AND died_at IS NOT NULL
        AND published_at <= (SELECT until FROM this)
        AND coalesce(%(state)s::text = 'dead', TRUE)
    ORDER BY died_at
    LIMIT %(limit)s
),
held AS (
    SELECT message.id, message.lease
    FROM graphden.queue_lease AS lease
    CROSS JOIN LATERAL unnest(lease.messages) AS listed (id)
    JOIN graphden.queue_message AS message
        ON message.id = listed.id AND message.lease = lease.token
    WHERE lease.queue_id = (SELECT id FROM this)
        AND published_at <= (SELECT until FROM this)
        AND (lease.deadline <= now() OR %(force)s)
        AND coalesce(
            %(state)s::text = CASE WHEN lease.deadline > now() THEN 'claimed' ELSE 'lapsed' END,
            TRUE
        )
    ORDER BY lease.deadline
    LIMIT %(limit)s
),
picked AS (
    SELECT * FROM ready
    UNION ALL SELECT * FROM due
    UNION ALL SELECT * FROM delayed
    UNION ALL SELECT * FROM dead
    UNION ALL SELECT * FROM held
),
deleted AS (
    DELETE FROM graphden.queue_message AS message
    USING picked
    WHERE message.id = picked.id AND message.lease IS NOT DISTINCT FROM picked.lease
    RETURNING message.id, message.lease, message.queue_id, message.trace_id
),
voided AS (
    UPDATE graphden.queue_lease AS lease
    SET messages = ARRAY(
        SELECT id FROM unnest(lease.messages) AS kept (id)
        WHERE NOT EXISTS (SELECT FROM deleted WHERE deleted.id = kept.id)
    )
    WHERE lease.token IN (SELECT deleted.lease FROM deleted)
)
SELECT (SELECT count(*) FROM deleted), (SELECT until FROM this)
FROM (
    SELECT graphden.queue_record_operation('purge', %(operator)s, (
        SELECT json_agg(json_build_object(
            'message_id', changed.id, 'queue', %(queue)s::text, 'trace_id', changed.trace_id
        ))
        FROM deleted AS changed
    )) AS recorded
) AS records
