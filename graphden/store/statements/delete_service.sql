-- Refused, by deleting nothing, while an instance runs on a process that is alive.
DELETE FROM graphden.service
WHERE id = %(id)s
    AND NOT EXISTS (
        SELECT
        FROM graphden.service_instance AS instance
        JOIN graphden.service_process AS process ON process.id = instance.process
        WHERE instance.service = service.id
            AND instance.state IN ('running', 'draining')
            AND NOT process.gone
    )
RETURNING id
