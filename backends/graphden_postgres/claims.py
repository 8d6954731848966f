"""What this process holds: the unsettled messages of its leases, and their latest renewal.

Only a book, never the truth: the server decides whether a claim holds. It tells which acks may
be accepted and written later, which leases are settled completely, so that the next claim can
drop their rows, and lets one renewal of a lease answer for all its messages, since extending is
asked for message by message.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from graphden.run import Context
from graphden_postgres.handlings import Handling, Record

_BEAT_SECONDS: Final = 1.0
"""A renewal answers for the other messages of its lease at most this long …"""
_BEAT_SHARE: Final = 0.1
"""… and at most this share of the claim."""
_MARGIN_SECONDS: Final = 1.0
"""A claim that ends sooner leaves no time to write an ack with others (QUEUES 3.7)."""


@dataclass(slots=True, eq=False)
class Lease:
    """One take's claim, as far as this process knows."""

    token: UUID
    ends: float
    """When the claim is over by this process's monotonic clock, at the latest."""
    unsettled: set[UUID]
    record: Record = Record.ALL
    """Which handlings of its messages are recorded."""
    unwritten: int = 0
    """How many acks were accepted and are not known to be written."""
    kept: bool = False
    """Whether a message may still be under its row, though this process is done with it."""
    renewed_at: float = 0.0
    unanswered: set[UUID] = field(default_factory=set)
    """Messages that the latest renewal still holds and has not yet answered for."""


@dataclass(slots=True, eq=False)
class Accepted:
    """An ack that was accepted. `repeated`: an earlier try to write it got no answer. What is
    recorded of its handling is written with it.
    """

    id: UUID
    lease: Lease
    repeated: bool = False
    handling: Handling | None = None


class Claims:
    """The leases of one App or Graph. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._leases: dict[UUID, Lease] = {}
        self._finished: list[UUID] = []

    def took(
        self,
        token: UUID,
        messages: Iterable[UUID],
        asked_at: float,
        claim_ms: float,
        record: Record = Record.ALL,
    ) -> None:
        """A take that began at the monotonic time `asked_at` got these messages."""
        with self._lock:
            self._forget_ended(asked_at)
            self._leases[token] = Lease(
                token, asked_at + claim_ms / 1000, set(messages), record
            )

    def accept(self, token: UUID, message: UUID) -> Accepted | None:
        """Take an ack that has time to be written with others; None when it has not, or when
        the message is not one that this process holds unsettled.
        """
        with self._lock:
            lease = self._leases.get(token)
            if lease is None or lease.ends - time.monotonic() < _MARGIN_SECONDS:
                return None
            try:
                lease.unsettled.remove(message)
            except KeyError:
                return None
            if lease.unanswered:
                lease.unanswered.discard(message)
            lease.unwritten += 1
            return Accepted(message, lease)

    def is_accepted(self, token: UUID, message: UUID) -> bool:
        """Whether an ack of the message may wait to be written."""
        with self._lock:
            lease = self._leases.get(token)
            return lease is not None and lease.unwritten > 0 and message not in lease.unsettled

    def written(self, acks: Iterable[Accepted], lost: Collection[UUID] = ()) -> None:
        """Acks were written; those of the messages in `lost` came too late."""
        with self._lock:
            for ack in acks:
                lease = ack.lease
                lease.unwritten -= 1
                if ack.id in lost:
                    lease.kept = True
                if not (lease.unwritten or lease.unsettled):
                    self._finish(lease)

    def settled(self, token: UUID, message: UUID, *, kept: bool) -> None:
        """A settlement was answered; `kept`: the message may still be under the lease."""
        with self._lock:
            lease = self._leases.get(token)
            if lease is None:
                return
            lease.unsettled.discard(message)
            lease.unanswered.discard(message)
            lease.kept |= kept
            if not (lease.unwritten or lease.unsettled):
                self._finish(lease)

    def record(self, token: UUID) -> Record:
        """Which handlings under a lease are recorded; all, of one that is not known."""
        with self._lock:
            lease = self._leases.get(token)
            return Record.ALL if lease is None else lease.record

    def take_finished(self) -> list[UUID]:
        """Leases whose rows hold nothing any more; each is named once."""
        with self._lock:
            finished, self._finished = self._finished, []
            return finished

    def ends(self, token: UUID) -> float | None:
        """The monotonic time by which a lease of ours is over unless renewed."""
        with self._lock:
            lease = self._leases.get(token)
            return None if lease is None else lease.ends

    def renewed(
        self, token: UUID, message: UUID, held: Iterable[UUID], asked_at: float, claim_ms: float
    ) -> None:
        """The lease was renewed for `message`, and then held these messages."""
        with self._lock:
            lease = self._leases.get(token)
            if lease is not None:
                lease.ends = max(lease.ends, asked_at + claim_ms / 1000)
                lease.renewed_at = asked_at
                lease.unanswered = set(held) - {message}

    def is_renewed(self, token: UUID, message: UUID, claim_ms: float) -> bool:
        """Whether a renewal of a moment ago covers `message`; it does so only once."""
        with self._lock:
            lease = self._leases.get(token)
            if lease is None or message not in lease.unanswered:
                return False
            lease.unanswered.discard(message)
            age = time.monotonic() - lease.renewed_at
            return age < min(_BEAT_SECONDS, _BEAT_SHARE * claim_ms / 1000)

    def _finish(self, lease: Lease) -> None:
        # A row that something may still point to stays: without it the message could never
        # lapse. The sweep drops it once nothing does.
        if self._leases.pop(lease.token, None) is not None and not lease.kept:
            self._finished.append(lease.token)

    def _forget_ended(self, now: float) -> None:
        """Drop what was never settled and can no longer be; the next taker of it knows."""
        if len(self._leases) > 100:
            for token in [t for t, lease in self._leases.items() if lease.ends < now]:
                del self._leases[token]


def claims(context: Context) -> Claims:
    """The claims of this run's App or Graph."""
    found = context.resources.get("graphden_postgres.claims", Claims)
    if not isinstance(found, Claims):
        raise TypeError(found)
    return found
