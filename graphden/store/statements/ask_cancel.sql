-- Ask the process of a pending run to cancel it.
UPDATE graphden.execution SET cancel_by = coalesce(cancel_by, %(actor)s)
WHERE id = %(id)s AND status = 'pending'
