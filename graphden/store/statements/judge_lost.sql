-- Pending runs whose process holds its lock no longer have died with it. The lock is taken
-- before a run is written, and a run that has ended since is no longer pending when its row is
-- locked here.
UPDATE graphden.execution AS run
SET status = 'failed', ended_at = clock_timestamp(), error = %(error)s::json
WHERE run.status = 'pending'
    AND NOT EXISTS (
        SELECT FROM pg_locks AS held
        WHERE held.locktype = 'advisory'
            AND held.granted
            AND held.objsubid = 1
            AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND held.classid::bigint = run.owner >> 32
            AND held.objid::bigint = run.owner & 4294967295
    )
