-- Messages inside the caller's own transaction, heard of when it commits.
SELECT
    graphden.queue_put_many(
        %(ids)s::uuid[], %(queue_id)s, %(payloads)b::text[]::json[],
        %(delay_ms)s::double precision, %(trace_id)s::uuid, %(parent_execution_id)s::uuid,
        %(keys)s::text[], %(digests)s::bytea[],
        make_interval(secs => %(key_lifetime_ms)s::double precision / 1000)
    ),
    pg_notify('graphden_queue', %(queue_id)s::text)
