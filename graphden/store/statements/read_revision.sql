SELECT id, files, trees, parents, message, pushed_by, pushed_at
FROM graphden.revision
WHERE id = %(id)s
