-- A message whose worker vanished: dead when such claims used its attempts up, else still held.
--
-- The attempt that this claim counted is taken back from a dead one: it was never handled in it.
WITH held AS (
    SELECT message.id, message.queue_id, message.attempts > %(max_attempts)s AS used_up
    FROM graphden.queue_message AS message
    JOIN graphden.queue_lease AS lease ON lease.token = message.lease
    WHERE message.id = %(id)s
        AND message.lease = %(token)s
        AND lease.deadline > clock_timestamp()
    FOR UPDATE OF message
),
buried AS (
    UPDATE graphden.queue_message AS message
    SET lease = NULL,
        position = NULL,
        died_at = clock_timestamp(),
        attempts = message.attempts - 1,
        error = %(error)s::json
    FROM held
    WHERE message.id = held.id AND held.used_up
)
SELECT
    CASE WHEN used_up THEN 'dead' ELSE 'held' END,
    queue_id
FROM held
CROSS JOIN LATERAL (
    SELECT CASE WHEN held.used_up AND %(handlings)s::json IS NOT NULL
        THEN graphden.queue_record(%(handlings)s::json, ARRAY[held.id], 'dead')
    END AS recorded
) AS records
