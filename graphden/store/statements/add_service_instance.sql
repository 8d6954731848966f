-- What ended in this slot before is told no more; its last error and restarts live on here.
WITH ended AS (
    DELETE FROM graphden.service_instance
    WHERE service = %(service)s
        AND slot = %(slot)s
        AND state IN ('ended', 'failed')
        AND (NOT %(own_process)s OR process = %(process)s)
    RETURNING last_error, ended_at
)
INSERT INTO graphden.service_instance (
    id, service, slot, process, revision, generation, restarts, last_error
)
SELECT
    %(id)s, %(service)s, %(slot)s, process.id, %(revision)s, %(generation)s, %(restarts)s,
    (SELECT last_error FROM ended ORDER BY ended_at DESC LIMIT 1)
FROM graphden.service_process AS process
WHERE process.id = %(process)s AND NOT process.gone
RETURNING id
