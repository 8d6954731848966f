-- From now on a queue hands out nothing, until it is resumed. What is held is settled as ever.
INSERT INTO graphden.queue AS known (name, paused_at) VALUES (%(queue)s, clock_timestamp())
ON CONFLICT (name) DO UPDATE SET paused_at = coalesce(known.paused_at, excluded.paused_at)
