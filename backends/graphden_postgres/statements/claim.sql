-- Settles what was handled and claims the first ready messages, in the order they became ready,
-- under a new lease: one statement, one commit (QUEUES 3.7).
--
-- The last column, the same in each row, lists settled messages whose claim no longer held. When
-- nothing was claimed there is one row, of nulls but for it. On the way it drops the rows of
-- leases that this process has settled completely, and, when it found something, this taker's
-- idle mark. {limit} is a literal, since the server plans a bound LIMIT anew at each call.
WITH given AS (
    SELECT id, token
    FROM unnest(%(settled_ids)s::uuid[], %(settled_tokens)s::uuid[]) AS listed (id, token)
),
settled AS (
    DELETE FROM graphden.queue_message AS message
    USING given, graphden.queue_lease AS lease
    WHERE message.id = given.id
        AND message.lease = given.token
        AND lease.token = given.token
        AND lease.deadline > clock_timestamp()
    RETURNING message.id
),
finished AS (
    DELETE FROM graphden.queue_lease WHERE token = ANY(%(finished)s::uuid[])
),
picked AS (
    SELECT id
    FROM graphden.queue_message
    WHERE queue_id = (
        SELECT id FROM graphden.queue WHERE name = %(queue)s AND paused_at IS NULL
    )
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
    RETURNING
        message.id, message.queue_id, message.position, message.payload, message.attempts,
        message.trace_id, message.parent_execution_id
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
SELECT
    claimed.id, claimed.payload::text, claimed.attempts,
    claimed.trace_id, claimed.parent_execution_id, FALSE,
    (
        SELECT array_agg(given.id)
        FROM given
        WHERE NOT EXISTS (SELECT FROM settled WHERE settled.id = given.id)
    )
FROM (
    SELECT CASE WHEN %(handlings)s::json IS NOT NULL
        THEN graphden.queue_record(%(handlings)s::json, ARRAY(SELECT id FROM settled), 'done')
    END AS recorded
) AS always
LEFT JOIN claimed ON TRUE
ORDER BY claimed.position
