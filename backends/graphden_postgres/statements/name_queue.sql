-- The id of a queue, made at its first mention.
SELECT graphden.queue_id(%(queue)s)
