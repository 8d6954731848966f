"""What operators do: look into queues, requeue the dead, delete, purge, pause, resume.

Live claims stay untouched, but for a purge that is forced.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.run import Context, actor
from graphden_contract import (
    DELETED,
    KEEP_DEAD_MS,
    MESSAGE_LIMIT,
    REQUEUED,
    Listed,
    QueueCounts,
    change,
    message_ids,
    message_state,
    purge_state,
    purged,
    queue_name,
)
from graphden_postgres.connections import Connections, connections
from graphden_postgres.settling import wake

_PURGED_AT_ONCE: Final = 5_000
"""Of each lane: a purge of a long backlog must not be one long transaction."""


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


def purge(
    queue: object, state: object, force: object, context: Context
) -> dict[Keyword, object]:
    """Delete what was in a queue, of one state or all, when this was called.

    Messages that consumers hold go only with `force`: their claims are void.
    """
    name = queue_name(queue)
    wanted, forced = purge_state(state, force)
    pool = connections(context)
    count, until = 0, None
    while True:
        values = {
            "queue": name,
            "state": wanted,
            "force": forced,
            "until": until,
            "limit": _PURGED_AT_ONCE,
            "operator": actor(),
        }
        deleted, until = pool.ask("purge", values)[0]
        count += deleted
        if not deleted:
            return purged(name, count, _held(name, wanted, until, pool))


def pause(queue: object, context: Context) -> None:
    """Hand out nothing of this queue, also after restarts, until it is resumed."""
    connections(context).ask("pause", {"queue": queue_name(queue)})


def resume(queue: object, context: Context) -> None:
    """Hand out messages again, at once to who waits."""
    pool = connections(context)
    [[queue_id]] = pool.ask("resume", {"queue": queue_name(queue)})
    wake(pool, queue_id)


def retain(queue: object, dead_ms: object, context: Context) -> None:
    """Keep dead messages so long, None for ever. Older ones are dropped now, and once a minute
    by each process that consumes.
    """
    limit = None if dead_ms is None else KEEP_DEAD_MS.read("dead-ms", dead_ms)
    pool = connections(context)
    pool.ask("retain", {"queue": queue_name(queue), "dead_ms": limit})
    pool.ask("sweep", {})


def _held(name: str, wanted: str | None, until: datetime | None, pool: Connections) -> int:
    """How many messages a purge of everything left to their consumers."""
    if wanted is not None or until is None:
        return 0
    found: int = pool.ask("count_held", {"queue": name, "until": until})[0][0]
    return found


def _change(verb: str, wanted: str, ids: object, context: Context) -> list[object]:
    asked = message_ids(ids)
    pool = connections(context)
    changes: dict[UUID, object] = {}
    ready_again: set[int] = set()
    for message_id, done, queue_id, state in pool.ask(
        verb, {"ids": asked, "operator": actor()}
    ):
        changes[message_id] = change(message_id, wanted, done=done, state=state)
        if done and wanted == REQUEUED:
            ready_again.add(queue_id)
    for queue_id in ready_again:
        wake(pool, queue_id)
    return [changes[message_id] for message_id in asked]
