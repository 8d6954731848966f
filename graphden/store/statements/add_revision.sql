INSERT INTO graphden.revision (id, files, trees, parents, message, pushed_by)
VALUES (%(id)s, %(files)s, %(trees)s, %(parents)s, %(message)s, %(pushed_by)s)
ON CONFLICT (id) DO NOTHING
