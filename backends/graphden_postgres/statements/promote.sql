-- Makes due messages ready, behind those that are, and says when to look again:
-- how many became ready, whether a claim has run out, milliseconds to the next such moment.
-- A paused queue has none of these.
WITH this AS (
    SELECT id FROM graphden.queue WHERE name = %(queue)s AND paused_at IS NULL
),
due AS (
    SELECT id
    FROM graphden.queue_message
    WHERE queue_id = (SELECT id FROM this) AND due_at <= now()
    ORDER BY due_at
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
),
placed AS MATERIALIZED (
    SELECT id, nextval('graphden.queue_position') AS position FROM due
),
promoted AS (
    UPDATE graphden.queue_message AS message
    SET position = placed.position, due_at = NULL
    FROM placed
    WHERE message.id = placed.id
    RETURNING message.id
)
SELECT
    (SELECT count(*) FROM promoted),
    EXISTS (
        SELECT FROM graphden.queue_lease AS lease
        JOIN graphden.queue_message AS message
            ON message.id = ANY(lease.messages) AND message.lease = lease.token
        WHERE lease.queue_id = (SELECT id FROM this) AND lease.deadline <= now()
    ),
    1000 * extract(epoch FROM least(
        (
            SELECT due_at FROM graphden.queue_message
            WHERE queue_id = (SELECT id FROM this) AND due_at > now()
            ORDER BY due_at LIMIT 1
        ),
        (
            SELECT deadline FROM graphden.queue_lease
            WHERE queue_id = (SELECT id FROM this) AND deadline > now()
            ORDER BY deadline LIMIT 1
        )
    ) - clock_timestamp())::double precision
