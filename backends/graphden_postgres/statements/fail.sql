-- A failed handling: back for a later try, or dead when its attempts are used up.
-- One row: the settlement and the queue, nulls when the claim was over; the handling is recorded.
WITH settled AS (
    UPDATE graphden.queue_message AS message
    SET lease = NULL,
        position = NULL,
        due_at = CASE WHEN message.attempts < %(max_attempts)s
            THEN clock_timestamp() + make_interval(secs => %(delay_ms)s::double precision / 1000) END,
        died_at = CASE WHEN message.attempts >= %(max_attempts)s THEN clock_timestamp() END,
        error = %(error)s::json
    FROM graphden.queue_lease AS lease
    WHERE message.id = %(id)s
        AND message.lease = %(token)s
        AND lease.token = %(token)s
        AND lease.deadline > clock_timestamp()
    RETURNING message.id, message.queue_id, CASE WHEN message.died_at IS NULL THEN 'retry' ELSE 'dead' END AS settlement
)
SELECT settled.settlement, settled.queue_id
FROM (
    SELECT CASE WHEN %(handlings)s::json IS NOT NULL THEN graphden.queue_record(
        %(handlings)s::json,
        ARRAY(SELECT id FROM settled),
        (SELECT settlement FROM settled)
    ) END AS recorded
) AS records
LEFT JOIN settled ON TRUE
