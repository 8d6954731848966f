"""What the broker keeps: messages, the leases they are under, and each queue's two lanes."""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from graphden.run import Waiter


@dataclass(slots=True)
class Message:
    """A message. It is ready (`position`), delayed (`due`), claimed (`position` and `lease`) or
    dead. `due` is a monotonic time.
    """

    id: UUID
    queue: str
    payload: str
    trace_id: UUID | None
    parent_execution_id: UUID | None
    published_at: datetime
    published: float
    attempts: int = 0
    position: int | None = None
    due: float | None = None
    dead: bool = False
    lease: UUID | None = None
    error: str | None = None
    died: float = 0.0


@dataclass(slots=True)
class Lease:
    """One take's claim on the messages that point back to it, until a monotonic deadline."""

    token: UUID
    deadline: float
    messages: set[UUID]
    lapsed: bool


@dataclass(slots=True)
class Key:
    """A publish key that is remembered: for which message, of which payload, until when."""

    message_id: UUID
    digest: bytes
    expires: float


@dataclass(slots=True)
class Queue:
    """The lanes of one queue, and who waits for work.

    A lane may hold outdated entries: a message that has moved on is skipped when it comes up.
    """

    ready: list[tuple[int, UUID]] = field(default_factory=list)
    delayed: list[tuple[float, UUID]] = field(default_factory=list)
    leases: dict[UUID, Lease] = field(default_factory=dict)
    waiters: set[Waiter] = field(default_factory=set)
    paused: bool = False
    keep_dead_ms: float | None = None
    taken: deque[tuple[float, int]] = field(default_factory=deque)
    """When and how many messages were taken, for the last minute."""

    def place(self, message: Message) -> None:
        """Put a message that has a position or a due time into its lane."""
        if message.position is not None:
            heapq.heappush(self.ready, (message.position, message.id))
        elif message.due is not None:
            heapq.heappush(self.delayed, (message.due, message.id))

    def wake(self) -> None:
        """Make every waiting take look again."""
        for waiter in self.waiters:
            waiter.wake()
