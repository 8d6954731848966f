"""What operators do: look into queues, requeue the dead, delete. Live claims stay untouched."""

from __future__ import annotations

import itertools
import time
from collections import Counter

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
from graphden_memory.broker import Broker, broker
from graphden_memory.state import Message


def list_queues(context: Context) -> list[object]:
    """Every queue with its counts, by name."""
    queues = broker(context)
    with queues.lock:
        now = time.monotonic()
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
