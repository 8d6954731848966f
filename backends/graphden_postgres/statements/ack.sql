-- A handled message is gone, if its claim still holds.
-- One row: the settlement and the queue, nulls when the claim was over; the handling is recorded.
WITH settled AS (
    DELETE FROM graphden.queue_message AS message
    USING graphden.queue_lease AS lease
    WHERE message.id = %(id)s
        AND message.lease = %(token)s
        AND lease.token = %(token)s
        AND lease.deadline > clock_timestamp()
    RETURNING message.id, message.queue_id, 'done' AS settlement
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
