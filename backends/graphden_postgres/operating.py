"""What operators do: look into queues, requeue the dead, delete. Live claims stay untouched."""

from __future__ import annotations

from uuid import UUID

from graphden.run import Context
from graphden_contract import (
    DELETED,
    MESSAGE_LIMIT,
    REQUEUED,
    Listed,
    QueueCounts,
    change,
    message_ids,
    message_state,
    queue_name,
)
from graphden_postgres.connections import connections
from graphden_postgres.settling import wake


def list_queues(context: Context) -> list[object]:
    """Every queue with its counts, by name."""
    rows = connections(context).ask("list_queues", {})
    return [QueueCounts(*row).as_map() for row in rows]


def list_messages(
    queue: object, state: object, limit: object, context: Context
) -> list[object]:
    """The oldest messages of a queue, of one state or all."""
    name = queue_name(queue)
    values = {
        "queue": name,
        "state": message_state(state),
        "limit": MESSAGE_LIMIT.read("limit", limit),
    }
    rows = connections(context).ask("list_messages", values)
    return [Listed(row[0], name, *row[1:]).as_map() for row in rows]


def requeue(ids: object, context: Context) -> list[object]:
    """Give dead messages a new life, others are refused; what became of each, in order."""
    return _change("requeue", REQUEUED, ids, context)


def delete(ids: object, context: Context) -> list[object]:
    """Delete messages that no consumer holds; what became of each, in order."""
    return _change("delete", DELETED, ids, context)


def _change(verb: str, wanted: str, ids: object, context: Context) -> list[object]:
    asked = message_ids(ids)
    pool = connections(context)
    changes: dict[UUID, object] = {}
    ready_again: set[int] = set()
    for message_id, done, queue_id, state in pool.ask(verb, {"ids": asked}):
        changes[message_id] = change(message_id, wanted, done=done, state=state)
        if done and wanted == REQUEUED:
            ready_again.add(queue_id)
    for queue_id in ready_again:
        wake(pool, queue_id)
    return [changes[message_id] for message_id in asked]
