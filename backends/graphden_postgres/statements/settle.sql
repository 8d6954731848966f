-- Handled messages are gone, each if its claim still holds; the ids of those that did not.
-- The same as in claim.sql, for when no claim comes soon.
WITH given AS (
    SELECT id, token
    FROM unnest(%(settled_ids)s::uuid[], %(settled_tokens)s::uuid[]) AS listed (id, token)
),
settled AS (
    DELETE FROM graphden.queue_message AS message
    USING given, graphden.queue_lease AS lease
    WHERE message.id = given.id
        AND message.lease = given.token
        AND lease.token = given.token
        AND lease.deadline > clock_timestamp()
    RETURNING message.id
)
SELECT array_agg(given.id) FILTER (WHERE given.id IS NOT NULL)
FROM (
    SELECT CASE WHEN %(handlings)s::json IS NOT NULL
        THEN graphden.queue_record(%(handlings)s::json, ARRAY(SELECT id FROM settled), 'done')
    END AS recorded
) AS records
LEFT JOIN given ON NOT EXISTS (SELECT FROM settled WHERE settled.id = given.id)
