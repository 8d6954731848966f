UPDATE graphden.service
SET previous = NULL
WHERE id = %(id)s AND revision = %(revision)s
