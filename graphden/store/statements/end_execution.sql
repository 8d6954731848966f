-- A run has ended, so long ago. Its own end comes once: it gives the owner up. It replaces what
-- others took for its death.
UPDATE graphden.execution
SET status = %(status)s,
    result = %(result)s,
    error = %(error)s::json,
    trace = %(trace)s::json,
    cut = nullif(coalesce(cut, '{}') || %(cut)s::text[], '{}'),
    ended_at = greatest(
        started_at,
        clock_timestamp() - make_interval(secs => %(ended_ms)s::double precision / 1000)
    ),
    owner = NULL
WHERE id = %(id)s AND owner = %(owner)s
