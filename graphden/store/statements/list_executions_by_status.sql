-- Executions that did not succeed, of one status, newest first, without their values.
SELECT
    id, kind, status, entry, digest, NULL, NULL, error, cut, hidden, actor, trace_id,
    parent_id, rerun_of, started_at, ended_at, cancel_by, message_id, queue, attempt, outcome,
    settlement
FROM graphden.execution
WHERE status = %(status)s
    AND status <> 'succeeded'
    AND coalesce(kind = %(kind)s::text, TRUE)
    AND coalesce(entry = %(entry)s::text, TRUE)
    AND started_at < coalesce(%(before)s::timestamptz, 'infinity')
ORDER BY started_at DESC
LIMIT %(limit)s
