-- A revision and all it comes from, the newest first.
WITH RECURSIVE reached (id) AS (
    SELECT %(id)s::bytea
    UNION
    SELECT unnest(revision.parents)
    FROM reached
    JOIN graphden.revision ON revision.id = reached.id
)
SELECT id, files, trees, parents, message, pushed_by, pushed_at
FROM reached
JOIN graphden.revision USING (id)
ORDER BY pushed_at DESC, id
LIMIT %(limit)s
