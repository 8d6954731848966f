-- A handled message is gone, if its claim still holds.
DELETE FROM graphden.queue_message AS message
USING graphden.queue_lease AS lease
WHERE message.id = %(id)s
    AND message.lease = %(token)s
    AND lease.token = %(token)s
    AND lease.deadline > clock_timestamp()
RETURNING 'done', message.queue_id
