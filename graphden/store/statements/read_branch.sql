SELECT revision
FROM graphden.branch
WHERE name = %(name)s
