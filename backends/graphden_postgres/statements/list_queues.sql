-- Every queue with what lies in it; a delayed message that is due counts as pending.
SELECT
    queue.name,
    count(message.id) FILTER (WHERE died_at IS NULL AND message.lease IS NULL
        AND coalesce(due_at <= now(), TRUE)),
    count(message.id) FILTER (WHERE due_at > now()),
    count(message.id) FILTER (WHERE lease.deadline > now()),
    count(message.id) FILTER (WHERE lease.deadline <= now()),
    count(message.id) FILTER (WHERE died_at IS NOT NULL),
    (1000 * extract(epoch FROM now() - min(message.published_at) FILTER (
        WHERE died_at IS NULL AND message.lease IS NULL AND coalesce(due_at <= now(), TRUE)
    )))::double precision
FROM graphden.queue
LEFT JOIN graphden.queue_message AS message ON message.queue_id = queue.id
LEFT JOIN graphden.queue_lease AS lease ON lease.token = message.lease
GROUP BY queue.name
ORDER BY queue.name
