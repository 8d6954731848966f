"""A message as rows see it: a plain map with keyword keys (QUEUES 1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden_contract.limits import VISIBILITY_MS, shown
from graphden_contract.payloads import payload_read

_ID: Final = Keyword("id")
_QUEUE: Final = Keyword("queue")
_PAYLOAD: Final = Keyword("payload")
_ATTEMPTS: Final = Keyword("attempts")
_TRACE_ID: Final = Keyword("trace-id")
_PARENT_EXECUTION_ID: Final = Keyword("parent-execution-id")
_TOKEN: Final = Keyword("token")
_CLAIM_MS: Final = Keyword("claim-ms")
_LAPSED: Final = Keyword("lapsed")


@dataclass(frozen=True, slots=True)
class Claimed:
    """A message that was claimed. `claim_ms` is how long the claim lasts unless renewed."""

    queue: str
    token: UUID
    claim_ms: float
    id: UUID
    payload: str
    attempts: int
    trace_id: UUID | None
    parent_execution_id: UUID | None
    lapsed: bool

    def as_map(self) -> dict[Keyword, object]:
        """The `:queue-message` that a handler receives."""
        return {
            _ID: self.id,
            _QUEUE: self.queue,
            _PAYLOAD: payload_read(self.payload),
            _ATTEMPTS: self.attempts,
            _TRACE_ID: self.trace_id,
            _PARENT_EXECUTION_ID: self.parent_execution_id,
            _TOKEN: self.token,
            _CLAIM_MS: int(self.claim_ms),
            _LAPSED: self.lapsed,
        }


@dataclass(frozen=True, slots=True)
class Held:
    """What a settlement needs of a message: which one, under which claim, of what length."""

    id: UUID
    token: UUID
    claim_ms: float


def held_by(message: object) -> Held:
    """Read a message that take returned; RunError `invalid-argument` for anything else."""
    if isinstance(message, dict):
        found, token, claim_ms = (message.get(key) for key in ("id", "token", "claim-ms"))
        if isinstance(found, UUID) and isinstance(token, UUID):
            return Held(found, token, VISIBILITY_MS.read("claim-ms", claim_ms))
    raise RunError(
        "invalid-argument",
        f"message must be one that take returned, not {shown(message)}",
        hint="Hand on the whole message: its token proves the claim.",
    )
