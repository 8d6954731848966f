-- How long the dead messages of a queue stay; NULL is for ever.
INSERT INTO graphden.queue AS known (name, keep_dead_ms) VALUES (%(queue)s, %(dead_ms)s)
ON CONFLICT (name) DO UPDATE SET keep_dead_ms = excluded.keep_dead_ms
