-- Says that a taker waits for work, and returns the queue's id, which wake-ups carry.
INSERT INTO graphden.queue_idle (token, queue_id, idle_until)
VALUES (
    %(token)s,
    graphden.queue_id(%(queue)s),
    clock_timestamp() + make_interval(secs => %(wait_ms)s::double precision / 1000)
)
ON CONFLICT (token) DO UPDATE SET idle_until = excluded.idle_until
RETURNING queue_id
