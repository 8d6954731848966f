-- Who pushes holds the branch until the push is whole: pushes come one after another.
SELECT revision
FROM graphden.branch
WHERE name = %(name)s
FOR UPDATE
