-- The trace of an execution, null when it has none.
SELECT trace FROM graphden.execution WHERE id = %(id)s
