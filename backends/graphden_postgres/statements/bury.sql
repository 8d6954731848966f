-- The handler gave the message up: dead, with its reason.
UPDATE graphden.queue_message AS message
SET lease = NULL, position = NULL, died_at = clock_timestamp(), error = %(error)s::json
FROM graphden.queue_lease AS lease
WHERE message.id = %(id)s
    AND message.lease = %(token)s
    AND lease.token = %(token)s
    AND lease.deadline > clock_timestamp()
RETURNING 'dead', message.queue_id
