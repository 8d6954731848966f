-- Nothing comes back for a process that was declared gone.
UPDATE graphden.service_process
SET heartbeat_at = clock_timestamp(), backend = pg_backend_pid()
WHERE id = %(id)s AND NOT gone
RETURNING id
