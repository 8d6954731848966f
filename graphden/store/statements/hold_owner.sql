-- The session holds its process's lock from now on: while it lasts, the process lives. Shared,
-- so that a new session need not wait until the server has noticed the end of the last one.
SELECT pg_advisory_lock_shared(%(owner)s)
