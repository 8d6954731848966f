-- Nobody handled the message: back at once, in its old place, and the claim counts no attempt.
--
-- One that came lapsed must stay so, to be handed out alone again: its claim ends now instead.
WITH held AS (
    SELECT message.id, message.queue_id, lease.token, lease.lapsed
    FROM graphden.queue_message AS message
    JOIN graphden.queue_lease AS lease ON lease.token = message.lease
    WHERE message.id = %(id)s
        AND message.lease = %(token)s
        AND lease.deadline > clock_timestamp()
    FOR UPDATE OF message, lease
),
released AS (
    UPDATE graphden.queue_message AS message
    SET lease = CASE WHEN held.lapsed THEN message.lease END,
        attempts = greatest(message.attempts - 1, 0)
    FROM held
    WHERE message.id = held.id
),
ended AS (
    UPDATE graphden.queue_lease AS lease
    SET deadline = clock_timestamp()
    FROM held
    WHERE lease.token = held.token AND held.lapsed
)
SELECT 'retry', queue_id FROM held
