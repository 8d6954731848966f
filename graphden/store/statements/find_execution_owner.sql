-- Who began an execution, to tell one's own repeated beginning from an id that was used before.
SELECT owner FROM graphden.execution WHERE id = %(id)s
