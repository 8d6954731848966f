-- Whether a message is stored, for a publish whose connection broke.
SELECT id FROM graphden.queue_message WHERE id = %(id)s
