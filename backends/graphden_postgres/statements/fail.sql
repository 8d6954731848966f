-- A failed handling: back for a later try, or dead when its attempts are used up.
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
RETURNING CASE WHEN message.died_at IS NULL THEN 'retry' ELSE 'dead' END, message.queue_id
