UPDATE graphden.branch
SET revision = %(revision)s, moved_at = clock_timestamp()
WHERE name = %(name)s
