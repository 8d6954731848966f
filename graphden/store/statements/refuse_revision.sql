-- A revision that could not be started is not tried again; the one before runs on.
UPDATE graphden.service
SET
    broken = %(revision)s,
    broken_error = %(error)s,
    revision = CASE WHEN revision = %(revision)s THEN previous ELSE revision END,
    previous = CASE WHEN revision = %(revision)s THEN NULL ELSE previous END
WHERE id = %(id)s AND broken IS DISTINCT FROM %(revision)s
RETURNING id
