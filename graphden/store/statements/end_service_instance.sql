UPDATE graphden.service_instance
SET
    state = %(state)s,
    fenced = true,
    ended_at = clock_timestamp(),
    last_error = coalesce(%(error)s, last_error)
WHERE id = %(id)s AND state IN ('running', 'draining')
RETURNING id
