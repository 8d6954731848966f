-- A process looks after its pending runs: those that others took for dead while its session was
-- broken are pending again; returned are those that somebody wants cancelled, and who.
WITH revived AS (
    UPDATE graphden.execution
    SET status = 'pending', ended_at = NULL, error = NULL
    WHERE id = ANY(%(ids)s::uuid[]) AND owner = %(owner)s AND status <> 'pending'
)
SELECT id, cancel_by FROM graphden.execution
WHERE id = ANY(%(ids)s::uuid[]) AND cancel_by IS NOT NULL
