-- Counts what a process has taken from queues since it last said so.
INSERT INTO graphden.queue_activity AS known (queue_id, began_at, consumer, taken)
SELECT
    queue.id,
    date_bin('10 seconds', clock_timestamp(), '2000-01-01'),
    %(consumer)s,
    counted.taken
FROM unnest(%(queues)s::text[], %(taken)s::bigint[]) AS counted (name, taken)
JOIN graphden.queue ON queue.name = counted.name
ON CONFLICT (queue_id, began_at, consumer) DO UPDATE SET taken = known.taken + excluded.taken
