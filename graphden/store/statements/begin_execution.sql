-- A run begins. Repeating it changes nothing.
INSERT INTO graphden.execution (
    id, kind, status, entry, digest, arguments, cut, hidden, actor, trace_id, parent_id,
    rerun_of, started_at, owner
)
VALUES (
    %(id)s, 'run', 'pending', %(entry)s, %(digest)s, %(arguments)s, %(cut)s, %(hidden)s,
    %(actor)s, %(trace_id)s, %(parent_id)s, %(rerun_of)s, clock_timestamp(), %(owner)s
)
ON CONFLICT (id) DO NOTHING
RETURNING id
