-- Claims one message whose claim ran out unsettled, alone, under a new lease.
--
-- The handling that ended so is recorded under the id that its worker would have given it.
-- The old lease is locked, so that it cannot be extended meanwhile, and no longer lists it.
WITH picked AS (
    SELECT message.id, lease.token, lease.consumer, lease.deadline
    FROM graphden.queue_lease AS lease
    CROSS JOIN LATERAL unnest(lease.messages) AS held (id)
    JOIN graphden.queue_message AS message
        ON message.id = held.id AND message.lease = lease.token
    WHERE lease.queue_id = (
        SELECT id FROM graphden.queue WHERE name = %(queue)s AND paused_at IS NULL
    )
        AND lease.deadline <= now()
    ORDER BY lease.deadline, message.position
    LIMIT 1
    FOR UPDATE OF lease, message SKIP LOCKED
),
claimed AS (
    UPDATE graphden.queue_message AS message
    SET lease = %(token)s, attempts = message.attempts + 1
    FROM picked
    WHERE message.id = picked.id
    RETURNING message.*
),
shortened AS (
    UPDATE graphden.queue_lease AS lease
    SET messages = array_remove(lease.messages, picked.id)
    FROM picked
    WHERE lease.token = picked.token AND cardinality(lease.messages) > 1
),
emptied AS (
    DELETE FROM graphden.queue_lease AS lease
    USING picked
    WHERE lease.token = picked.token AND cardinality(lease.messages) <= 1
),
leased AS (
    INSERT INTO graphden.queue_lease (token, queue_id, messages, deadline, lapsed, consumer)
    SELECT
        %(token)s,
        queue_id,
        ARRAY[id],
        clock_timestamp() + make_interval(secs => %(visibility_ms)s::double precision / 1000),
        TRUE,
        %(consumer)s
    FROM claimed
),
awake AS (
    DELETE FROM graphden.queue_idle
    WHERE token = %(token)s AND EXISTS (SELECT FROM claimed)
)
SELECT
    claimed.id, claimed.payload::text, claimed.attempts,
    claimed.trace_id, claimed.parent_execution_id, TRUE
FROM claimed
JOIN picked ON picked.id = claimed.id
CROSS JOIN LATERAL (
    SELECT CASE WHEN %(record_died)s THEN graphden.queue_record(
        json_build_array(json_build_object(
            'id', md5(picked.token::text || picked.id::text)::uuid,
            'message_id', picked.id,
            'queue', %(queue)s::text,
            'attempt', claimed.attempts - 1,
            'outcome', 'died',
            'actor', picked.consumer,
            'trace_id', claimed.trace_id,
            'parent_id', claimed.parent_execution_id,
            'ended_ms', 1000 * extract(epoch FROM clock_timestamp() - picked.deadline),
            'error', json_build_object(
                'code', 'died',
                'message', 'its worker ' || picked.consumer || ' died, or stalled past its claim'
            )
        )),
        ARRAY[picked.id],
        'retry'
    ) END AS recorded
) AS records
