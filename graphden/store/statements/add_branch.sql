INSERT INTO graphden.branch (name, revision)
VALUES (%(name)s, %(revision)s)
ON CONFLICT (name) DO NOTHING
RETURNING moved_at
