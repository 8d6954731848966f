"""The broker: every change of a queue is one step under its lock, by the monotonic clock."""

from __future__ import annotations

import heapq
import itertools
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden.run import Context, Waiter, publisher
from graphden_contract import (
    KEY_LIFETIME_MS,
    Payload,
    claimed_message,
    key_conflict,
    of_item,
)
from graphden_memory.state import Key, Lease, Message, Queue


class Broker:
    """All queues of one App or Graph."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.process = os.getpid()
        self._made_at = datetime.now(UTC), time.monotonic()
        self._positions = itertools.count(1)
        self.queues: dict[str, Queue] = {}
        self.messages: dict[UUID, Message] = {}
        self._keys: dict[tuple[str, str], Key] = {}

    # Publishing

    def publish(
        self,
        queue: str,
        payloads: Sequence[Payload],
        delay_ms: float,
        keys: Sequence[str] | None,
        context: Context,
        *,
        is_bulk: bool = False,
    ) -> list[UUID]:
        """Keep messages, all or none; the id of each, or the first message's with a key that
        was used before. `is_bulk` is whether errors name items.
        """
        trace_id, execution_id = publisher(context)
        with self.lock:
            now = time.monotonic()
            due = now + delay_ms / 1000 if delay_ms > 0 else None
            owners = self._owners(queue, payloads, keys, now, is_bulk=is_bulk)
            for payload, (message_id, is_new) in zip(payloads, owners, strict=True):
                if is_new:
                    message = Message(
                        id=message_id,
                        queue=queue,
                        payload=payload.text,
                        trace_id=trace_id,
                        parent_execution_id=execution_id,
                        published_at=datetime.now(UTC),
                        published=now,
                    )
                    self.messages[message.id] = message
                    self.place(message, due)
            return [message_id for message_id, _ in owners]

    def _owners(
        self,
        queue: str,
        payloads: Sequence[Payload],
        keys: Sequence[str] | None,
        now: float,
        *,
        is_bulk: bool,
    ) -> list[tuple[UUID, bool]]:
        """For each payload the id of its message, and whether that is new. The new ones' keys
        are remembered, unless there is a conflict: then nothing is.
        """
        if keys is None:
            return [(uuid4(), True) for _ in payloads]
        while self._keys and (oldest := next(iter(self._keys.items())))[1].expires <= now:
            del self._keys[oldest[0]]
        owners: list[tuple[UUID, bool]] = []
        new: dict[tuple[str, str], Key] = {}
        for item, (payload, key) in enumerate(zip(payloads, keys, strict=True)):
            known = self._keys.get((queue, key)) or new.get((queue, key))
            digest = payload.digest()
            if known is None:
                known = Key(uuid4(), digest, now + KEY_LIFETIME_MS / 1000)
                new[queue, key] = known
                owners.append((known.message_id, True))
            elif known.digest == digest:
                owners.append((known.message_id, False))
            else:
                conflict = key_conflict(key, known.message_id)
                raise of_item(conflict, item) if is_bulk else conflict
        self._keys.update(new)
        return owners

    # Taking

    def take(
        self, queue: str, batch: int, claim_ms: float, wait_ms: float, context: Context
    ) -> list[dict[Keyword, object]]:
        """Claim ready messages or one lapsed one; wait for work up to `wait_ms`."""
        ends = time.monotonic() + wait_ms / 1000
        with context.waiter() as waiter, self._waiting(queue, waiter):
            while not context.stop_requested:
                with self.lock:
                    claimed = self._claim(queue, batch, claim_ms)
                    next_look = self._next_look(queue)
                if claimed or time.monotonic() >= ends:
                    return claimed
                waiter.wait(min(ends, next_look) - time.monotonic())
        return []

    @contextmanager
    def _waiting(self, queue: str, waiter: Waiter) -> Iterator[None]:
        with self.lock:
            waiters = self.queue(queue).waiters
            waiters.add(waiter)
        try:
            yield
        finally:
            with self.lock:
                waiters.discard(waiter)

    def _claim(self, name: str, batch: int, claim_ms: float) -> list[dict[Keyword, object]]:
        queue, now = self.queue(name), time.monotonic()
        if queue.paused:
            return []
        lapsed = self._lapsed(queue, now)
        found = [lapsed] if lapsed else list(itertools.islice(self._ready(queue, now), batch))
        if not found:
            return []
        ids = {message.id for message in found}
        lease = Lease(uuid4(), now + claim_ms / 1000, ids, lapsed=lapsed is not None)
        queue.leases[lease.token] = lease
        for message in found:
            message.lease = lease.token
            message.attempts += 1
        self.rate(queue, now)
        queue.taken.append((now, len(found)))
        # Others who wait must know when this claim runs out.
        queue.wake()
        return [
            claimed_message(
                name,
                lease.token,
                claim_ms,
                (
                    message.id,
                    message.payload,
                    message.attempts,
                    message.trace_id,
                    message.parent_execution_id,
                    lease.lapsed,
                ),
            )
            for message in found
        ]

    def _lapsed(self, queue: Queue, now: float) -> Message | None:
        """A message whose claim ran out, taken from its lease."""
        leases = queue.leases.values()
        first = min(leases, key=lambda lease: lease.deadline, default=None)
        if first is None or first.deadline > now:
            return None
        held = (self.messages[message_id] for message_id in first.messages)
        message = min(held, key=lambda message: message.position or 0)
        self.end_claim(message)
        return message

    def _ready(self, queue: Queue, now: float) -> Iterator[Message]:
        """Ready messages, in order, each taken from its lane; those now due come last."""
        while queue.delayed and queue.delayed[0][0] <= now:
            due, message_id = heapq.heappop(queue.delayed)
            message = self.messages.get(message_id)
            if message is not None and message.due == due:
                self.place(message, None)
        while queue.ready:
            position, message_id = heapq.heappop(queue.ready)
            message = self.messages.get(message_id)
            if message is not None and message.position == position and not message.lease:
                yield message

    def _next_look(self, name: str) -> float:
        """The monotonic time at which something becomes due or a claim runs out."""
        queue = self.queue(name)
        if queue.paused:
            return float("inf")
        times = [lease.deadline for lease in queue.leases.values()]
        times.extend(due for due, _ in queue.delayed[:1])
        return min(times, default=float("inf"))

    # What every change is made of; the caller has the lock

    def at(self, monotonic: float | None) -> datetime | None:
        """A monotonic time as one that people read."""
        if monotonic is None:
            return None
        made_at, made = self._made_at
        return made_at + timedelta(seconds=monotonic - made)

    def rate(self, queue: Queue, now: float) -> int:
        """How many messages were taken in the last minute."""
        while queue.taken and queue.taken[0][0] <= now - 60:
            queue.taken.popleft()
        return sum(count for _, count in queue.taken)

    def drop_expired(self, now: float) -> None:
        """Forget dead messages past the time that their queue keeps them."""
        kept = {name: queue.keep_dead_ms for name, queue in self.queues.items()}
        if any(limit is not None for limit in kept.values()):
            for message in [each for each in self.messages.values() if each.dead]:
                limit = kept[message.queue]
                if limit is not None and message.died <= now - limit / 1000:
                    self.forget(message)

    def queue(self, name: str) -> Queue:
        """The queue `name`, made at its first mention."""
        return self.queues.setdefault(name, Queue())

    def claim_on(self, message: Message) -> Lease | None:
        """The lease that a message is under, run out or not."""
        if message.lease is None:
            return None
        return self.queue(message.queue).leases[message.lease]

    def place(self, message: Message, due: float | None) -> None:
        """Make a message ready, behind others, or delayed until the monotonic time `due`."""
        message.dead = False
        message.due = due
        message.position = next(self._positions) if due is None else None
        queue = self.queue(message.queue)
        queue.place(message)
        queue.wake()

    def bury(self, message: Message) -> None:
        """Make a message dead."""
        message.position = message.due = None
        message.dead = True
        message.died = time.monotonic()

    def end_claim(self, message: Message) -> None:
        """Take a message from its lease; a lease without messages is gone."""
        lease = self.claim_on(message)
        message.lease = None
        if lease is None:
            return
        lease.messages.discard(message.id)
        if not lease.messages:
            del self.queue(message.queue).leases[lease.token]

    def forget(self, message: Message) -> None:
        """A message is gone for good."""
        self.end_claim(message)
        del self.messages[message.id]


def broker(context: Context) -> Broker:
    """The broker of this run's App or Graph.

    Raises RunError `queue-unavailable` in a forked child: what it has is a copy, whose messages
    the parent would never see, or handle a second time.
    """
    found = context.resources.get("graphden_memory.broker", Broker)
    if not isinstance(found, Broker):
        raise TypeError(found)
    if found.process != os.getpid():
        raise RunError(
            "queue-unavailable",
            "queues in memory belong to the process that made them, and this is its child",
            hint="Open an App of its own in the child, or use queues in PostgreSQL.",
        )
    return found
