-- How many messages of a queue, published until a moment, somebody holds.
SELECT count(*)
FROM graphden.queue_lease AS lease
CROSS JOIN LATERAL unnest(lease.messages) AS listed (id)
JOIN graphden.queue_message AS message
    ON message.id = listed.id AND message.lease = lease.token
WHERE lease.queue_id = (SELECT id FROM graphden.queue WHERE name = %(queue)s)
    AND lease.deadline > now()
    AND message.published_at <= %(until)s
