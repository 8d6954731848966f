-- Claims the first ready messages under a new lease, in the order they became ready.
--
-- On the way it drops leases that this process has settled completely, and, when it found
-- something, this taker's idle mark. {limit} is a literal, since the server plans a bound LIMIT
-- anew at each call.
WITH finished AS (
    DELETE FROM graphden.queue_lease AS lease
    WHERE lease.token = ANY(%(finished)s::uuid[])
        AND NOT EXISTS (
            SELECT FROM graphden.queue_message AS message
            WHERE message.id = ANY(lease.messages) AND message.lease = lease.token
        )
),
picked AS (
    SELECT id
    FROM graphden.queue_message
    WHERE queue_id = (SELECT id FROM graphden.queue WHERE name = %(queue)s)
        AND position IS NOT NULL
        AND lease IS NULL
    ORDER BY position
    LIMIT {limit}
    FOR UPDATE SKIP LOCKED
),
claimed AS (
    UPDATE graphden.queue_message AS message
    SET lease = %(token)s, attempts = message.attempts + 1
    FROM picked
    WHERE message.id = picked.id
    RETURNING message.*
),
leased AS (
    INSERT INTO graphden.queue_lease (token, queue_id, messages, deadline, lapsed, consumer)
    SELECT
        %(token)s,
        min(queue_id),
        array_agg(id),
        clock_timestamp() + make_interval(secs => %(visibility_ms)s::double precision / 1000),
        FALSE,
        %(consumer)s
    FROM claimed
    HAVING count(*) > 0
),
awake AS (
    DELETE FROM graphden.queue_idle
    WHERE token = %(token)s AND EXISTS (SELECT FROM claimed)
)
SELECT id, payload::text, attempts, trace_id, parent_execution_id, FALSE
FROM claimed
ORDER BY position
