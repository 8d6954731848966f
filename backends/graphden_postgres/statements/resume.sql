-- A queue hands out messages again.
INSERT INTO graphden.queue AS known (name) VALUES (%(queue)s)
ON CONFLICT (name) DO UPDATE SET paused_at = NULL
RETURNING id
