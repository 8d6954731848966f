-- The revisions whose id begins with some bytes: those from `first` to `last`.
SELECT id
FROM graphden.revision
WHERE id BETWEEN %(first)s AND %(last)s
ORDER BY id
LIMIT 2
