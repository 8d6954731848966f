-- Those of which no instance tells any more.
DELETE FROM graphden.service_process AS process
WHERE process.gone
    AND process.heartbeat_at < clock_timestamp() - interval '1 day'
    AND NOT EXISTS (
        SELECT FROM graphden.service_instance WHERE service_instance.process = process.id
    )
