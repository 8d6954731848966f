INSERT INTO graphden.service_process (id, host, pid, backend)
VALUES (%(id)s, %(host)s, %(pid)s, pg_backend_pid())
ON CONFLICT (id) DO UPDATE SET backend = pg_backend_pid()
