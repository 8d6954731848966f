-- Every queue with what lies in it; a delayed message that is due counts as pending.
SELECT
    queue.name,
    ready.number + delayed.due,
    delayed.number - delayed.due,
    claimed.number,
    claimed.lapsed,
    dead.number,
    (1000 * extract(epoch FROM now() - least(ready.oldest, delayed.oldest)))::double precision,
    activity.taken,
    queue.paused_at IS NOT NULL,
    queue.keep_dead_ms
FROM graphden.queue
CROSS JOIN LATERAL (
    SELECT count(*) AS number, min(message.published_at) AS oldest
    FROM graphden.queue_message AS message
    WHERE message.queue_id = queue.id AND position IS NOT NULL AND lease IS NULL
) AS ready
CROSS JOIN LATERAL (
    SELECT
        count(*) AS number,
        count(*) FILTER (WHERE due_at <= now()) AS due,
        min(message.published_at) FILTER (WHERE due_at <= now()) AS oldest
    FROM graphden.queue_message AS message
    WHERE message.queue_id = queue.id AND due_at IS NOT NULL
) AS delayed
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE held.deadline > now()) AS number,
        count(*) FILTER (WHERE held.deadline <= now()) AS lapsed
    FROM graphden.queue_lease AS held
    CROSS JOIN LATERAL unnest(held.messages) AS listed (id)
    JOIN graphden.queue_message AS message
        ON message.id = listed.id AND message.lease = held.token
    WHERE held.queue_id = queue.id
) AS claimed
CROSS JOIN LATERAL (
    SELECT count(*) AS number
    FROM graphden.queue_message AS message
    WHERE message.queue_id = queue.id AND died_at IS NOT NULL
) AS dead
CROSS JOIN LATERAL (
    SELECT coalesce(sum(known.taken), 0)::bigint AS taken
    FROM graphden.queue_activity AS known
    WHERE known.queue_id = queue.id AND known.began_at > now() - interval '1 minute'
) AS activity
ORDER BY queue.name
