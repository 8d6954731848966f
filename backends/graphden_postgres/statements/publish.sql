-- One message without a key; who waits for it hears of it when it is committed.
SELECT graphden.queue_send(
    %(id)s, %(queue)s::text, %(payload)s::json, %(delay_ms)s, %(trace_id)s,
    %(parent_execution_id)s
)
