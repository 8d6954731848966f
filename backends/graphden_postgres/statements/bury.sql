-- The handler gave the message up: dead, with its reason.
-- One row: the settlement and the queue, nulls when the claim was over; the handling is recorded.
WITH settled AS (
    UPDATE graphden.queue_message AS message
    SET lease = NULL, position = NULL, died_at = clock_timestamp(), error = %(error)s::json
    FROM graphden.queue_lease AS lease
    WHERE message.id = %(id)s
        AND message.lease = %(token)s
        AND lease.token = %(token)s
        AND lease.deadline > clock_timestamp()
    RETURNING message.id, message.queue_id, 'dead' AS settlement
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
