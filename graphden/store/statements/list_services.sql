SELECT
    service.id, service.row, service.branch, service.kind, service.slots, service.restart,
    service.enabled, service.generation, service.revision, service.previous, service.broken,
    service.broken_error, service.created_by, service.created_at, branch.revision
FROM graphden.service
LEFT JOIN graphden.branch ON branch.name = service.branch
ORDER BY service.created_at, service.id
