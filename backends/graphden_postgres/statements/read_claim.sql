-- What a claim got whose answer was cut off: the messages under its lease, while it lasts.
SELECT
    message.id, message.payload::text, message.attempts,
    message.trace_id, message.parent_execution_id, lease.lapsed
FROM graphden.queue_lease AS lease
JOIN graphden.queue_message AS message
    ON message.id = ANY(lease.messages) AND message.lease = lease.token
WHERE lease.token = %(token)s AND lease.deadline > clock_timestamp()
ORDER BY message.position
