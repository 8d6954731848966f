"""What operators do: look into queues, requeue the dead, delete, purge, pause, resume.

Live claims stay untouched, but for a purge that is forced.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter

from graphden.edn import Keyword
from graphden.run import Context
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
from graphden_memory.broker import Broker, broker
from graphden_memory.state import Message


def list_queues(context: Context) -> list[object]:
    """Every queue with its counts, by name."""
    queues = broker(context)
    with queues.lock:
        now = time.monotonic()
        queues.drop_expired(now)
        return [_counts(queues, name, now).as_map() for name in sorted(queues.queues)]


def list_messages(
    queue: object, state: object, limit: object, context: Context
) -> list[object]:
    """The oldest messages of a queue, of one state or all."""
    name, wanted = queue_name(queue), message_state(state)
    most = MESSAGE_LIMIT.read("limit", limit)
    queues = broker(context)
    with queues.lock:
        now = time.monotonic()
        queues.drop_expired(now)
        found = (
            message
            for message in queues.messages.values()
            if message.queue == name and wanted in {None, _state(queues, message, now)}
        )
        return [_listed(queues, each, now).as_map() for each in itertools.islice(found, most)]


def requeue(ids: object, context: Context) -> list[object]:
    """Give dead messages a new life, others are refused; what became of each, in order."""
    asked = message_ids(ids)
    queues = broker(context)
    changes: list[object] = []
    with queues.lock:
        queues.drop_expired(time.monotonic())
        for message_id in asked:
            message = queues.messages.get(message_id)
            state = _state(queues, message, time.monotonic())
            done = message is not None and state == "dead"
            if message is not None and done:
                message.attempts = 0
                message.error = None
                queues.place(message, None)
            changes.append(change(message_id, REQUEUED, done=done, state=state))
    return changes


def delete(ids: object, context: Context) -> list[object]:
    """Delete messages that no consumer holds; what became of each, in order."""
    asked = message_ids(ids)
    queues = broker(context)
    changes: list[object] = []
    with queues.lock:
        for message_id in asked:
            message = queues.messages.get(message_id)
            state = _state(queues, message, time.monotonic())
            done = message is not None and state != "claimed"
            if message is not None and done:
                queues.forget(message)
            changes.append(change(message_id, DELETED, done=done, state=state))
    return changes


def purge(
    queue: object, state: object, force: object, context: Context
) -> dict[Keyword, object]:
    """Delete what is in a queue, of one state or all.

    Messages that consumers hold go only with `force`: their claims are void.
    """
    name = queue_name(queue)
    wanted, forced = purge_state(state, force)
    queues = broker(context)
    count = held = 0
    with queues.lock:
        now = time.monotonic()
        for message in [each for each in queues.messages.values() if each.queue == name]:
            found = _state(queues, message, now)
            if wanted not in {None, found}:
                continue
            if found == "claimed" and not forced:
                held += 1
            else:
                queues.forget(message)
                count += 1
    return purged(name, count, held)


def pause(queue: object, context: Context) -> None:
    """Hand out nothing of this queue until it is resumed."""
    _set(queue, context, "paused", value=True)


def resume(queue: object, context: Context) -> None:
    """Hand out messages again, at once to who waits."""
    _set(queue, context, "paused", value=False)


def retain(queue: object, dead_ms: object, context: Context) -> None:
    """Keep dead messages so long, None for ever."""
    limit = None if dead_ms is None else KEEP_DEAD_MS.read("dead-ms", dead_ms)
    _set(queue, context, "keep_dead_ms", value=limit)


def _set(queue: object, context: Context, setting: str, *, value: object) -> None:
    name = queue_name(queue)
    queues = broker(context)
    with queues.lock:
        found = queues.queue(name)
        setattr(found, setting, value)
        found.wake()


def _state(queues: Broker, message: Message | None, now: float) -> str:
    if message is None:
        return "missing"
    if message.dead:
        return "dead"
    if lease := queues.claim_on(message):
        return "claimed" if lease.deadline > now else "lapsed"
    return "delayed" if message.due is not None and message.due > now else "pending"


def _counts(queues: Broker, name: str, now: float) -> QueueCounts:
    of_queue = [message for message in queues.messages.values() if message.queue == name]
    states = Counter(_state(queues, message, now) for message in of_queue)
    ages = [
        1000 * (now - message.published)
        for message in of_queue
        if _state(queues, message, now) == "pending"
    ]
    return QueueCounts(
        queue=name,
        pending=states["pending"],
        delayed=states["delayed"],
        claimed=states["claimed"],
        lapsed=states["lapsed"],
        dead=states["dead"],
        oldest_ms=max(ages, default=None),
        rate=queues.rate(queues.queue(name), now),
        paused=queues.queue(name).paused,
        keep_dead_ms=queues.queue(name).keep_dead_ms,
    )


def _listed(queues: Broker, message: Message, now: float) -> Listed:
    lease = queues.claim_on(message)
    return Listed(
        id=message.id,
        queue=message.queue,
        state=_state(queues, message, now),
        attempts=message.attempts,
        error=message.error,
        due_at=queues.at(message.due),
        claimed_until=queues.at(None if lease is None else lease.deadline),
        published_at=message.published_at,
        payload=message.payload,
        trace_id=message.trace_id,
    )
