-- Says that a taker waits for work, and returns the queue's id, which wake-ups carry.
--
-- The lock makes it wait for publishers that may not have seen the mark (graphden.queue_tell):
-- what they store is there for the claim that follows.
INSERT INTO graphden.queue_idle (token, queue_id, idle_until)
SELECT
    %(token)s,
    queue.id,
    clock_timestamp() + make_interval(secs => %(wait_ms)s::double precision / 1000)
FROM graphden.queue_id(%(queue)s) AS queue (id)
CROSS JOIN LATERAL pg_advisory_xact_lock(1735549296, queue.id)
ON CONFLICT (token) DO UPDATE SET idle_until = excluded.idle_until
RETURNING queue_id
