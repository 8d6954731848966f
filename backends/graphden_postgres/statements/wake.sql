-- Wakes the waiting consumers of a queue, after the commit of what they are to find.
SELECT graphden.queue_wake(%(queue_id)s)
