-- Drops what has outlived its use: idle marks, keys, counts, dead messages past the time that
-- their queue keeps them, and leases that hold nothing any more.
-- A settled lease stays ten minutes, since it is the proof for settlements that are repeated.
WITH marks AS (
    DELETE FROM graphden.queue_idle WHERE idle_until < now() - interval '1 minute'
),
keys AS (
    DELETE FROM graphden.queue_key WHERE expires_at < now()
),
counts AS (
    DELETE FROM graphden.queue_activity WHERE began_at < now() - interval '10 minutes'
),
expired AS (
    SELECT dead.id
    FROM graphden.queue
    CROSS JOIN LATERAL (
        SELECT message.id
        FROM graphden.queue_message AS message
        WHERE message.queue_id = queue.id
            AND message.died_at <= now() - make_interval(secs => queue.keep_dead_ms / 1000)
        ORDER BY message.died_at
        LIMIT 10000
    ) AS dead
    WHERE queue.keep_dead_ms IS NOT NULL
),
dead AS (
    DELETE FROM graphden.queue_message AS message
    USING expired
    WHERE message.id = expired.id AND message.died_at IS NOT NULL
)
DELETE FROM graphden.queue_lease AS lease
WHERE lease.deadline < now() - interval '10 minutes'
    AND NOT EXISTS (
        SELECT FROM graphden.queue_message AS message
        WHERE message.id = ANY(lease.messages) AND message.lease = lease.token
    )
