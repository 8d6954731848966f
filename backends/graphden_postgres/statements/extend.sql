-- Renews a lease that has not run out, never to an earlier end; returns what it still holds.
WITH extended AS (
    UPDATE graphden.queue_lease AS lease
    SET deadline = greatest(
        lease.deadline,
        clock_timestamp() + make_interval(secs => %(visibility_ms)s::double precision / 1000)
    )
    WHERE lease.token = %(token)s AND lease.deadline > clock_timestamp()
    RETURNING lease.token, lease.messages
)
SELECT message.id
FROM extended
JOIN graphden.queue_message AS message
    ON message.id = ANY(extended.messages) AND message.lease = extended.token
