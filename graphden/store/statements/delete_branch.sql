DELETE FROM graphden.branch
WHERE name = %(name)s
RETURNING name
