SELECT branch.name, branch.revision, branch.moved_at, revision.message
FROM graphden.branch
LEFT JOIN graphden.revision ON revision.id = branch.revision
ORDER BY branch.name
