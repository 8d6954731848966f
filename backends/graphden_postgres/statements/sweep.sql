-- Drops what has outlived its use: idle marks, keys, and leases that hold nothing any more.
-- A settled lease stays ten minutes, since it is the proof for settlements that are repeated.
WITH marks AS (
    DELETE FROM graphden.queue_idle WHERE idle_until < now() - interval '1 minute'
),
keys AS (
    DELETE FROM graphden.queue_key WHERE expires_at < now()
)
DELETE FROM graphden.queue_lease AS lease
WHERE lease.deadline < now() - interval '10 minutes'
    AND NOT EXISTS (
        SELECT FROM graphden.queue_message AS message
        WHERE message.id = ANY(lease.messages) AND message.lease = lease.token
    )
