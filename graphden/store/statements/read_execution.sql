-- One execution, whole.
SELECT
    id, kind, status, entry, digest, arguments, result, error, cut, hidden, actor, trace_id,
    parent_id, rerun_of, started_at, ended_at, cancel_by, message_id, queue, attempt, outcome,
    settlement
FROM graphden.execution
WHERE id = %(id)s
