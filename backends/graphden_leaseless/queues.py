"""The queues of one App or Graph: every change is one step under their lock.

A message is ready or delayed (`due`), taken (`taker` and `token`) or dead. Its taker is a run.
"""

from __future__ import annotations

import heapq
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from graphden.errors import RunError
from graphden.run import Context, Waiter, publisher
from graphden_contract import Payload


@dataclass(slots=True, eq=False)
class Message:
    """A message. `due` is a monotonic time, 0 when it is ready."""

    id: UUID
    queue: str
    payload: str
    trace_id: UUID | None
    parent_execution_id: UUID | None
    published_at: datetime
    position: int = 0
    due: float = 0.0
    attempts: int = 0
    dead: bool = False
    error: str | None = None
    taker: Context | None = None
    token: UUID | None = None


@dataclass(slots=True)
class _Queue:
    """The order in which messages come, ready ones by position. An entry whose message has
    moved on is skipped when it comes up.
    """

    ready: list[tuple[int, UUID]] = field(default_factory=list)
    delayed: list[tuple[float, UUID]] = field(default_factory=list)
    waiters: set[Waiter] = field(default_factory=set)


class Queues:
    """All queues of one App or Graph."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.process = os.getpid()
        self.messages: dict[UUID, Message] = {}
        self._made_at = datetime.now(UTC), time.monotonic()
        self._positions = itertools.count(1)
        self._queues: dict[str, _Queue] = {}
        self._takers: set[Context] = set()

    def publish(self, queue: str, payload: Payload, delay_ms: float, context: Context) -> UUID:
        """Keep one message; its id."""
        trace_id, execution_id = publisher(context)
        with self.lock:
            message = Message(
                id=uuid4(),
                queue=queue,
                payload=payload.text,
                trace_id=trace_id,
                parent_execution_id=execution_id,
                published_at=datetime.now(UTC),
            )
            self.messages[message.id] = message
            self.place(message, delay_ms)
            return message.id

    def take(
        self, queue: str, batch: int, wait_ms: float, context: Context
    ) -> list[tuple[Message, UUID]]:
        """Up to `batch` ready messages and the token of this take; waits up to `wait_ms`."""
        ends = time.monotonic() + wait_ms / 1000
        with context.waiter() as waiter, self._waiting(queue, waiter):
            while not context.stop_requested:
                with self.lock:
                    taken = self._taken(queue, batch, context)
                    due = self._queue(queue).delayed[:1]
                if taken or time.monotonic() >= ends:
                    return taken
                next_look = min([ends, *(when for when, _ in due)])
                waiter.wait(next_look - time.monotonic())
        return []

    def held(self, message_id: UUID, token: UUID) -> Message | None:
        """The message, if this very take still has it; the caller has the lock."""
        message = self.messages.get(message_id)
        return None if message is None or message.token != token else message

    def place(self, message: Message, delay_ms: float = 0.0) -> None:
        """Make a message ready, behind others, or ready after a delay."""
        message.taker = message.token = None
        message.dead = False
        queue = self._queue(message.queue)
        if delay_ms > 0:
            message.due = time.monotonic() + delay_ms / 1000
            heapq.heappush(queue.delayed, (message.due, message.id))
        else:
            message.due = 0.0
            message.position = next(self._positions)
            heapq.heappush(queue.ready, (message.position, message.id))
        self._wake(queue)

    def give_back(self, message: Message) -> None:
        """Make a taken message ready again, in its old place."""
        message.taker = message.token = None
        queue = self._queue(message.queue)
        heapq.heappush(queue.ready, (message.position, message.id))
        self._wake(queue)

    def bury(self, message: Message) -> None:
        """Make a message dead."""
        message.taker = message.token = None
        message.dead = True

    def at(self, monotonic: float) -> datetime | None:
        """A monotonic time as one that people read; None for 0."""
        made_at, made = self._made_at
        return made_at + timedelta(seconds=monotonic - made) if monotonic else None

    def _taken(self, name: str, batch: int, context: Context) -> list[tuple[Message, UUID]]:
        found = list(itertools.islice(self._ready(self._queue(name)), batch))
        if not found:
            return []
        self._watch(context)
        token = uuid4()
        for message in found:
            message.taker, message.token = context, token
            message.attempts += 1
        return [(message, token) for message in found]

    def _ready(self, queue: _Queue) -> Iterator[Message]:
        """Ready messages in order, each taken from its lane; those now due come last."""
        now = time.monotonic()
        while queue.delayed and queue.delayed[0][0] <= now:
            due, message_id = heapq.heappop(queue.delayed)
            message = self.messages.get(message_id)
            if message is not None and message.due == due and not message.dead:
                self.place(message)
        while queue.ready:
            position, message_id = heapq.heappop(queue.ready)
            message = self.messages.get(message_id)
            if message is None or message.position != position:
                continue
            if not (message.dead or message.token or message.due):
                yield message

    def _watch(self, context: Context) -> None:
        """When the run ends, however it does, what it has not settled returns."""
        if context not in self._takers:
            self._takers.add(context)
            context.at_end(self._returning(context))

    def _returning(self, context: Context) -> Callable[[], None]:
        def give_back() -> None:
            with self.lock:
                self._takers.discard(context)
                for message in self.messages.values():
                    if message.taker is context:
                        self.give_back(message)

        return give_back

    @contextmanager
    def _waiting(self, queue: str, waiter: Waiter) -> Iterator[None]:
        with self.lock:
            waiters = self._queue(queue).waiters
            waiters.add(waiter)
        try:
            yield
        finally:
            with self.lock:
                waiters.discard(waiter)

    def _queue(self, name: str) -> _Queue:
        return self._queues.setdefault(name, _Queue())

    def _wake(self, queue: _Queue) -> None:
        for waiter in queue.waiters:
            waiter.wake()


def queues_of(context: Context) -> Queues:
    """The queues of this run's App or Graph.

    Raises RunError `queue-unavailable` in a forked child: what it has is a copy, whose messages
    the parent would never see, or handle a second time.
    """
    found = context.resources.get("graphden_leaseless.queues", Queues)
    if not isinstance(found, Queues):
        raise TypeError(found)
    if found.process != os.getpid():
        raise RunError(
            "queue-unavailable",
            "queues in memory belong to the process that made them, and this is its child",
            hint="Open an App of its own in the child, or use queues in PostgreSQL.",
        )
    return found
