-- The id of a queue that has been mentioned.
SELECT id FROM graphden.queue WHERE name = %(queue)s
