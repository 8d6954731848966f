"""What operators are shown and told: maps with keyword keys (QUEUES 8.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden_contract.payloads import payload_read

REQUEUED: Final = "requeued"
DELETED: Final = "deleted"
MISSING: Final = "missing"

_REASONS: Final = {
    (REQUEUED, "pending"): "it is not dead: it waits to be taken",
    (REQUEUED, "delayed"): "it is not dead: it waits until it is due",
    (REQUEUED, "claimed"): "it is not dead: a consumer holds it",
    (REQUEUED, "lapsed"): "it is not dead: its claim ran out and it will be taken again",
    (DELETED, "claimed"): "a consumer holds it",
}
_CHANGED: Final = "it changed at this moment; try again"
_MISSING: Final = "there is no such message"


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """What lies in one queue, and what operators set for it.

    `oldest_ms` is the age of the oldest pending message, `rate` how many messages were taken in
    the last minute.
    """

    queue: str
    pending: int
    delayed: int
    claimed: int
    lapsed: int
    dead: int
    oldest_ms: float | None
    rate: int
    paused: bool
    keep_dead_ms: float | None

    def as_map(self) -> dict[Keyword, object]:
        return {
            Keyword("queue"): self.queue,
            Keyword("pending"): self.pending,
            Keyword("delayed"): self.delayed,
            Keyword("claimed"): self.claimed,
            Keyword("lapsed"): self.lapsed,
            Keyword("dead"): self.dead,
            Keyword("oldest-ms"): self.oldest_ms,
            Keyword("rate"): self.rate,
            Keyword("paused"): self.paused,
            Keyword("keep-dead-ms"): self.keep_dead_ms,
        }


@dataclass(frozen=True, slots=True)
class Listed:
    """One message in a listing. `error` and `payload` are the stored JSON texts; `due_at` is
    set while it is delayed, `claimed_until` while a claim on it is unsettled.
    """

    id: UUID
    queue: str
    state: str
    attempts: int
    error: str | None
    due_at: datetime | None
    claimed_until: datetime | None
    published_at: datetime
    payload: str
    trace_id: UUID | None

    def as_map(self) -> dict[Keyword, object]:
        return {
            Keyword("id"): self.id,
            Keyword("queue"): self.queue,
            Keyword("state"): Keyword(self.state),
            Keyword("attempts"): self.attempts,
            Keyword("error"): None if self.error is None else _error_map(self.error),
            Keyword("due"): self.due_at,
            Keyword("claimed-until"): self.claimed_until,
            Keyword("published"): self.published_at,
            Keyword("payload"): self._payload(),
            Keyword("trace-id"): self.trace_id,
        }

    def _payload(self) -> object:
        """The payload, or its text when it cannot be read: an operator must see it to judge."""
        try:
            return payload_read(self.payload)
        except RunError:
            return self.payload


def change(message_id: UUID, wanted: str, *, done: bool, state: str) -> dict[Keyword, object]:
    """What became of one message that an operator wanted `requeued` or `deleted`.

    `state` is the one it was found in, or `missing`. The result is `:requeued`, `:deleted`,
    `:refused` or `:missing`; the last two say why.
    """
    if done:
        result, reason = wanted, None
    elif state == MISSING:
        result, reason = MISSING, _MISSING
    else:
        result, reason = "refused", _REASONS.get((wanted, state), _CHANGED)
    return {
        Keyword("id"): message_id,
        Keyword("result"): Keyword(result),
        Keyword("reason"): reason,
    }


def purged(queue: str, count: int, held: int) -> dict[Keyword, object]:
    """How many messages of a queue were purged, and how many stay since consumers hold them."""
    return {Keyword("queue"): queue, Keyword("purged"): count, Keyword("held"): held}


def _error_map(text: str) -> dict[Keyword, object]:
    stored = json.loads(text)
    return {
        Keyword("outcome"): Keyword(stored["outcome"]),
        Keyword("type"): stored["type"],
        Keyword("message"): stored["message"],
        Keyword("place"): stored["place"],
    }
