-- Messages, all or none; who waits for them hears of them when they are committed.
SELECT graphden.queue_send_many(
    %(ids)s::uuid[], %(queue)s::text, %(payloads)b::text[]::json[],
    %(delay_ms)s::double precision, %(trace_id)s::uuid, %(parent_execution_id)s::uuid,
    %(keys)s::text[], %(digests)s::bytea[],
    make_interval(secs => %(key_lifetime_ms)s::double precision / 1000)
)
