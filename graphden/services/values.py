"""What a service and an instance of it are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Kind(StrEnum):
    """How many instances of a service run."""

    SINGLETON = "singleton"
    """One, whatever number of processes there are."""
    POOL = "pool"
    """As many as it has slots, spread over the processes."""
    PER_PROCESS = "per-process"
    """One in each process."""


class Restart(StrEnum):
    """What follows when an instance ends by itself."""

    ALWAYS = "always"
    """Another one, after a pause that grows with each time."""
    ON_FAILURE = "on-failure"
    """Another one when it failed, none when it returned."""
    NEVER = "never"
    """None, until the service is enabled anew or its branch moves."""


class State(StrEnum):
    """How an instance is."""

    RUNNING = "running"
    """It runs."""
    DRAINING = "draining"
    """It claims nothing more, and finishes what it has."""
    ENDED = "ended"
    """It returned, or was ended."""
    FAILED = "failed"
    """It raised, or its process died."""


LIVE = frozenset((State.RUNNING, State.DRAINING))


@dataclass(frozen=True, slots=True)
class Service:
    """What should run.

    `head` is the revision that its branch has now, None when it has none or is gone; `revision`
    the one that it runs, `previous` the one before until that has run for a while. `broken`
    could not be started, for `broken_error`. Revisions are ids, 64 hexadecimal digits.
    """

    id: UUID
    row: str
    branch: str
    kind: Kind
    slots: int
    restart: Restart
    enabled: bool
    generation: int
    revision: str | None
    previous: str | None
    broken: str | None
    broken_error: str | None
    created_by: str
    created_at: datetime
    head: str | None


@dataclass(frozen=True, slots=True)
class Instance:
    """What runs, or has run last in its slot.

    `restarts` counts those before it that ended too soon. `ended_s` is how many seconds ago it
    ended, by the database's clock, and `lost` whether its process was declared gone.
    """

    id: UUID
    service: UUID
    slot: int
    process: UUID
    revision: str
    generation: int
    state: State
    restarts: int
    last_error: str | None
    started_at: datetime
    ended_at: datetime | None
    ended_s: float | None
    host: str
    pid: int
    heartbeat_at: datetime
    lost: bool
