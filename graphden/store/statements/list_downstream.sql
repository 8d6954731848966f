-- The messages that an execution published, and those that their handlings published in turn.
WITH RECURSIVE reached AS (
    SELECT execution_id, message_id, queue, published_at
    FROM graphden.execution_message
    WHERE execution_id = %(id)s
    UNION
    SELECT next.execution_id, next.message_id, next.queue, next.published_at
    FROM reached
    JOIN graphden.execution AS handling ON handling.message_id = reached.message_id
    JOIN graphden.execution_message AS next ON next.execution_id = handling.id
)
SELECT execution_id, message_id, queue, published_at
FROM reached
LIMIT %(limit)s
