"""An execution as it is read: frozen values, without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID


class Kind(StrEnum):
    """What was executed."""

    RUN = "run"
    """A row, for whoever asked for its value."""
    HANDLING = "handling"
    """The handler of a consumer, for one message under one claim."""
    OPERATOR = "operator"
    """What an operator did to a message: requeue, delete, purge."""


class Status(StrEnum):
    """How an execution stands."""

    PENDING = "pending"
    """It has not ended."""
    SUCCEEDED = "succeeded"
    """It gave a value."""
    FAILED = "failed"
    """It raised an error, or its process died."""
    CANCELLED = "cancelled"
    """It was told to end; a handling asked to be called again later."""


DIED = "died"
"""The code of the error of an execution whose process died, or lost its claim."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an execution did not succeed. `place` is `file:line:column`; `trail` are the rows
    that led to it, each with its place, the failing one last.
    """

    code: str
    message: str
    row: str | None = None
    place: str | None = None
    hint: str = ""
    trail: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution.

    `arguments` and `result` are EDN text, None where there is none or where it is not listed;
    `cut` names which of them, or of the error's texts, was too long and lacks its end. `hidden`
    when a secret was among the arguments. `digest` tells the version of all rows that it
    reached. `actor` is who ran it: user@host:process. Times are the database's.

    Of handlings and operators' acts only: the message, its queue, the attempt (it counts from 1
    and again after a requeue), the outcome (done, failed, later, give-up, died, lost), and what
    became of the message (done, retry, dead, lost).
    """

    id: UUID
    kind: Kind
    status: Status
    entry: str | None
    digest: str | None
    arguments: str | None
    result: str | None
    error: Failure | None
    cut: frozenset[str]
    hidden: bool
    actor: str | None
    trace_id: UUID
    parent_id: UUID | None
    rerun_of: UUID | None
    started: datetime
    ended: datetime | None
    cancel_by: str | None
    message_id: UUID | None = None
    queue: str | None = None
    attempt: int | None = None
    outcome: str | None = None
    settlement: str | None = None

    @property
    def took(self) -> timedelta | None:
        """How long it ran; None while it is pending."""
        return None if self.ended is None else self.ended - self.started


class Fate(StrEnum):
    """What has become of a message, as far as records tell."""

    WAITING = "waiting"
    """Nobody has settled it since it was published, retried or requeued."""
    DONE = "done"
    """It was handled."""
    DEAD = "dead"
    """It waits for an operator."""
    DELETED = "deleted"
    """An operator deleted it."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened to a message, and the messages that it published in turn."""

    execution: Execution
    published: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """A message that an execution published, and what happened to it since, in order."""

    id: UUID
    queue: str
    published: datetime
    fate: Fate
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """An execution and all that it caused. `complete` is False when there is more than is
    shown.
    """

    execution: Execution
    published: tuple[Message, ...]
    complete: bool = True
