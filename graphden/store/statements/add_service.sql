INSERT INTO graphden.service (row, branch, kind, slots, restart, enabled, created_by)
VALUES (
    %(row)s, %(branch)s, %(kind)s, %(slots)s, %(restart)s, %(enabled)s, %(created_by)s
)
RETURNING id
