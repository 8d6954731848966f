-- One message, committed before its waiting consumers are woken.
CALL graphden.queue_publish(
    %(id)s::uuid, %(queue)s::text, %(payload)s::json, %(delay_ms)s::double precision,
    %(trace_id)s::uuid, %(parent_execution_id)s::uuid,
    %(key)s::text, %(digest)s::bytea, make_interval(secs => %(key_lifetime_ms)s::double precision / 1000)
)
