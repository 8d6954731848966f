-- The revision that a service runs from now on. Who comes second finds it done.
UPDATE graphden.service
SET previous = revision, revision = %(revision)s, broken = NULL, broken_error = NULL
WHERE id = %(id)s AND revision IS DISTINCT FROM %(revision)s
    AND (SELECT revision FROM graphden.branch WHERE name = service.branch) = %(revision)s
RETURNING id
