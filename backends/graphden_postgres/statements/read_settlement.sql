-- How a message ended under a lease, for a settlement whose answer was cut off: no row when it
-- did not end there. A lease lists only messages that nobody claimed after it ran out.
SELECT CASE WHEN message.died_at IS NOT NULL THEN 'dead' ELSE 'settled' END
FROM graphden.queue_lease AS lease
LEFT JOIN graphden.queue_message AS message ON message.id = %(id)s
WHERE lease.token = %(token)s
    AND %(id)s = ANY(lease.messages)
    AND message.lease IS DISTINCT FROM lease.token
