"""Settling: a claim counts by its token and until its deadline; what is over is `:lost`."""

from __future__ import annotations

import time
from typing import assert_never

from graphden.edn import Keyword
from graphden.run import Context
from graphden_contract import (
    DEAD,
    DONE,
    HELD,
    LOST,
    RETRY,
    VISIBILITY_MS,
    Failure,
    Held,
    Outcome,
    Retries,
    failure_of,
    held_by,
    used_up,
)
from graphden_memory.broker import Broker, broker
from graphden_memory.state import Lease, Message


def ack(message: object, context: Context) -> Keyword:
    """The message was handled: `:done`, or `:lost`."""
    held = held_by(message)
    queues = broker(context)
    with queues.lock:
        found = _claimed(queues, held)
        if found is None:
            return LOST
        queues.forget(found[0])
        return DONE


def nack(message: object, error: object, retries: Retries, context: Context) -> Keyword:
    """The message was not handled well: `:retry`, `:dead`, `:held` (lapsed only) or `:lost`."""
    held = held_by(message)
    failure = failure_of(error)
    retry, most = retries.retry_ms, retries.max_attempts
    if failure.outcome is Outcome.FAILED:
        retry = retries.delay_after(message)
    queues = broker(context)
    with queues.lock:
        found = _claimed(queues, held)
        if found is None:
            return LOST
        return _settle(queues, found, failure, retry, most)


def extend(message: object, visibility_ms: object, context: Context) -> Keyword:
    """Renew the claim: `:done`, or `:lost`. A renewal is one for all messages of a take."""
    held = held_by(message)
    claim_ms = VISIBILITY_MS.read("visibility-ms", visibility_ms)
    queues = broker(context)
    with queues.lock:
        found = _claimed(queues, held)
        if found is None:
            return LOST
        _, lease = found
        lease.deadline = max(lease.deadline, time.monotonic() + claim_ms / 1000)
        return DONE


def _claimed(queues: Broker, held: Held) -> tuple[Message, Lease] | None:
    """The message and its lease, if this very claim still holds."""
    message = queues.messages.get(held.id)
    if message is None or message.lease != held.token:
        return None
    lease = queues.claim_on(message)
    if lease is None or lease.deadline <= time.monotonic():
        return None
    return message, lease


def _settle(
    queues: Broker,
    claimed: tuple[Message, Lease],
    failure: Failure,
    retry_ms: float,
    max_attempts: int,
) -> Keyword:
    message, lease = claimed
    now = time.monotonic()
    match failure.outcome:
        case Outcome.FAILED:
            message.error = failure.text()
            queues.end_claim(message)
            if message.attempts >= max_attempts:
                queues.bury(message)
                return DEAD
            queues.place(message, now + retry_ms / 1000)
        case Outcome.LATER:
            delay_ms = retry_ms if failure.delay_ms is None else failure.delay_ms
            message.attempts -= 1
            queues.end_claim(message)
            queues.place(message, now + delay_ms / 1000)
        case Outcome.GIVE_UP:
            message.error = failure.text()
            queues.end_claim(message)
            queues.bury(message)
            return DEAD
        case Outcome.RELEASED:
            message.attempts -= 1
            _release(queues, message, lease, now)
        case Outcome.LAPSED:
            if message.attempts <= max_attempts:
                return HELD
            # The attempt that this claim counted is taken back: it was never handled in it.
            message.attempts -= 1
            message.error = used_up(failure).text()
            queues.end_claim(message)
            queues.bury(message)
            return DEAD
        case _:
            assert_never(failure.outcome)
    return RETRY


def _release(queues: Broker, message: Message, lease: Lease, now: float) -> None:
    """Back in its old place. One that came lapsed stays so, to be handed out alone again."""
    queue = queues.queue(message.queue)
    if lease.lapsed:
        lease.deadline = now
    else:
        queues.end_claim(message)
        queue.place(message)
    queue.wake()
