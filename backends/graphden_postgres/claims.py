"""What this process holds: the unsettled messages of its leases, and their latest renewal.

Only a book, never the truth: the server decides whether a claim holds. It tells which leases
are settled completely, so that the next claim can drop their rows, and lets one renewal of a
lease answer for all its messages, since extending is asked for message by message.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from graphden.run import Context

_BEAT_SECONDS: Final = 1.0
"""A renewal answers for the other messages of its lease at most this long …"""
_BEAT_SHARE: Final = 0.1
"""… and at most this share of the claim."""


@dataclass(slots=True)
class _Lease:
    ends: float
    """When the claim is over by this process's monotonic clock, at the latest."""
    unsettled: set[UUID]
    renewed_at: float = 0.0
    unanswered: set[UUID] = field(default_factory=set)
    """Messages that the latest renewal still holds and has not yet answered for."""


class Claims:
    """The leases of one App or Graph. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._leases: dict[UUID, _Lease] = {}
        self._finished: list[UUID] = []

    def took(self, token: UUID, messages: Iterable[UUID], claim_ms: float) -> None:
        """A take got these messages under this lease."""
        with self._lock:
            now = time.monotonic()
            self._forget_ended(now)
            self._leases[token] = _Lease(now + claim_ms / 1000, set(messages))

    def settled(self, token: UUID, message: UUID) -> None:
        """The message is no longer under the lease."""
        with self._lock:
            lease = self._leases.get(token)
            if lease is None:
                return
            lease.unsettled.discard(message)
            lease.unanswered.discard(message)
            if not lease.unsettled:
                del self._leases[token]
                self._finished.append(token)

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
                lease.ends = max(lease.ends, time.monotonic() + claim_ms / 1000)
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
