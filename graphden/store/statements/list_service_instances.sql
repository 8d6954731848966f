SELECT
    instance.id, instance.service, instance.slot, instance.process, instance.revision,
    instance.generation, instance.state, instance.restarts, instance.last_error,
    instance.started_at, instance.ended_at,
    extract(epoch FROM clock_timestamp() - instance.ended_at)::double precision,
    process.host, process.pid, process.heartbeat_at, process.gone
FROM graphden.service_instance AS instance
JOIN graphden.service_process AS process ON process.id = instance.process
ORDER BY instance.service, instance.slot, instance.started_at
