"""A message as rows see it: a plain map with keyword keys (QUEUES 1.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
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


def claimed_message(
    queue: str, token: UUID, claim_ms: float, stored: Sequence[Any]
) -> dict[Keyword, object]:
    """The `:queue-message` that a handler receives; `claim_ms` is how long its claim lasts
    unless it is renewed. `stored` begins with the id, the payload's text, the attempts, trace
    id, parent execution id, and whether it had lapsed.

    Raises RunError `invalid-payload` for a payload that cannot be read.
    """
    return {
        _ID: stored[0],
        _QUEUE: queue,
        _PAYLOAD: payload_read(stored[1]),
        _ATTEMPTS: stored[2],
        _TRACE_ID: stored[3],
        _PARENT_EXECUTION_ID: stored[4],
        _TOKEN: token,
        _CLAIM_MS: int(claim_ms),
        _LAPSED: stored[5],
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
        found, token = message.get("id"), message.get("token")
        if isinstance(found, UUID) and isinstance(token, UUID):
            return Held(found, token, VISIBILITY_MS.read("claim-ms", message.get("claim-ms")))
    raise RunError(
        "invalid-argument",
        f"message must be one that take returned, not {shown(message)}",
        hint="Hand on the whole message: its token proves the claim.",
    )
