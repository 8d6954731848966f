-- The handler asked for a later time: the claim counts no attempt.
UPDATE graphden.queue_message AS message
SET lease = NULL,
    position = NULL,
    due_at = clock_timestamp() + make_interval(secs => %(delay_ms)s::double precision / 1000),
    attempts = greatest(message.attempts - 1, 0)
FROM graphden.queue_lease AS lease
WHERE message.id = %(id)s
    AND message.lease = %(token)s
    AND lease.token = %(token)s
    AND lease.deadline > clock_timestamp()
RETURNING 'retry', message.queue_id
