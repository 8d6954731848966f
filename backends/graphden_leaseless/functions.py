"""The base functions of `graphden.leaseless`; what slots mean stands in rows/queues.edn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, assert_never
from uuid import UUID

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden.run import Context, Functions
from graphden_contract import (
    BATCH,
    DEAD,
    DELAY_MS,
    DELETED,
    DONE,
    HELD,
    LOST,
    MESSAGE_LIMIT,
    REQUEUED,
    RETRY,
    WAIT_MS,
    Listed,
    Outcome,
    Retries,
    change,
    failure_of,
    message_ids,
    message_state,
    payload_of,
    payload_read,
    queue_name,
)
from graphden_leaseless.queues import Message, Queues, queues_of

functions: Final = Functions()


@functions.add("leaseless-publish")
def leaseless_publish(
    queue: object, payload: object, delay_ms: object, *, context: Context
) -> UUID:
    return queues_of(context).publish(
        queue_name(queue), payload_of(payload), DELAY_MS.read("delay-ms", delay_ms), context
    )


@functions.add("leaseless-take")
def leaseless_take(
    queue: object, batch: object, wait_ms: object, *, context: Context
) -> list[object]:
    taken = queues_of(context).take(
        queue_name(queue),
        BATCH.read("batch", batch),
        WAIT_MS.read("wait-ms", wait_ms),
        context,
    )
    return [
        {
            Keyword("id"): message.id,
            Keyword("queue"): message.queue,
            Keyword("payload"): payload_read(message.payload),
            Keyword("attempts"): message.attempts,
            Keyword("trace-id"): message.trace_id,
            Keyword("parent-execution-id"): message.parent_execution_id,
            Keyword("token"): token,
        }
        for message, token in taken
    ]


@functions.add("leaseless-ack")
def leaseless_ack(message: object, *, context: Context) -> Keyword:
    proof = _proof(message)
    queues = queues_of(context)
    with queues.lock:
        found = queues.held(*proof)
        if found is None:
            return LOST
        del queues.messages[found.id]
        return DONE


@functions.add("leaseless-nack")
def leaseless_nack(
    message: object,
    error: object,
    retry_ms: object,
    max_attempts: object,
    backoff: Callable[[int], object] | None,
    *,
    context: Context,
) -> Keyword:
    proof = _proof(message)
    failure = failure_of(error)
    retries = Retries(retry_ms, max_attempts, backoff)
    queues = queues_of(context)
    delay = retries.retry_ms
    if failure.outcome is Outcome.FAILED:
        delay = retries.delay_after(message)
    with queues.lock:
        found = queues.held(*proof)
        if found is None:
            return LOST
        match failure.outcome:
            case Outcome.FAILED if found.attempts < retries.max_attempts:
                found.error = failure.text()
                queues.place(found, delay)
            case Outcome.FAILED | Outcome.GIVE_UP:
                found.error = failure.text()
                queues.bury(found)
                return DEAD
            case Outcome.LATER:
                found.attempts -= 1
                queues.place(found, delay if failure.delay_ms is None else failure.delay_ms)
            case Outcome.RELEASED:
                found.attempts -= 1
                queues.give_back(found)
            case Outcome.LAPSED:  # nothing lapses here, so nothing was used up
                return HELD
            case _:
                assert_never(failure.outcome)
    return RETRY


@functions.add("leaseless-messages")
def leaseless_messages(
    queue: object, state: object, limit: object, *, context: Context
) -> list[object]:
    name, wanted = queue_name(queue), message_state(state)
    most = MESSAGE_LIMIT.read("limit", limit)
    queues = queues_of(context)
    with queues.lock:
        found = (
            message
            for message in queues.messages.values()
            if message.queue == name and wanted in {None, _state(message)}
        )
        return [_listed(queues, message).as_map() for message in islice(found, most)]


@functions.add("leaseless-requeue")
def leaseless_requeue(ids: object, *, context: Context) -> list[object]:
    queues = queues_of(context)

    def requeue(message: Message) -> bool:
        if message.dead:
            message.attempts, message.error = 0, None
            queues.place(message)
            return True
        return False

    return _changed(queues, ids, REQUEUED, requeue)


@functions.add("leaseless-delete")
def leaseless_delete(ids: object, *, context: Context) -> list[object]:
    queues = queues_of(context)

    def delete(message: Message) -> bool:
        if message.token is None:
            del queues.messages[message.id]
            return True
        return False

    return _changed(queues, ids, DELETED, delete)


def _changed(
    queues: Queues, ids: object, wanted: str, act: Callable[[Message], bool]
) -> list[object]:
    """What became of each message that `act` was to change."""
    asked = message_ids(ids)
    changes: list[object] = []
    with queues.lock:
        for message_id in asked:
            message = queues.messages.get(message_id)
            state = "missing" if message is None else _state(message)
            done = message is not None and act(message)
            changes.append(change(message_id, wanted, done=done, state=state))
    return changes


def _state(message: Message) -> str:
    if message.dead:
        return "dead"
    if message.token is not None:
        return "claimed"
    return "delayed" if message.due else "pending"


def _listed(queues: Queues, message: Message) -> Listed:
    return Listed(
        id=message.id,
        queue=message.queue,
        state=_state(message),
        attempts=message.attempts,
        error=message.error,
        due_at=queues.at(message.due),
        claimed_until=None,
        published_at=message.published_at,
        payload=message.payload,
        trace_id=message.trace_id,
    )


def _proof(message: object) -> tuple[UUID, UUID]:
    """The id and token of a message that take returned."""
    if isinstance(message, dict):
        found, token = message.get("id"), message.get("token")
        if isinstance(found, UUID) and isinstance(token, UUID):
            return found, token
    raise RunError(
        "invalid-argument",
        "message must be one that take returned",
        hint="Hand on the whole message: its token proves the claim.",
    )
