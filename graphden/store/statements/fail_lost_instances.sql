UPDATE graphden.service_instance AS instance
SET
    state = 'failed',
    fenced = true,
    ended_at = clock_timestamp(),
    last_error = 'its process ended, or was not heard of for too long'
FROM graphden.service_process AS process
WHERE process.id = instance.process
    AND process.gone
    AND instance.state IN ('running', 'draining')
RETURNING instance.service
