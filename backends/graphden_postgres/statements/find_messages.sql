-- Which messages are stored, for a publish whose connection broke.
SELECT id FROM graphden.queue_message WHERE id = ANY(%(ids)s::uuid[])
