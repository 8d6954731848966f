"""What is recorded of a handling (QUEUES 6): written by the statement that settles it, through
a function that the store owns; in a database without the store nothing is recorded.

A handling's id is made of its claim and its message, so that it is known before it begins, and
whoever records it, this process or the next taker of a message whose worker died, records the
same one.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import md5
from typing import Any, Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden.run import last_call
from graphden_contract import CUT_MARK, Failure, shown

CONSUMER: Final = socket.gethostname()

_EXECUTION_ID: Final = Keyword("execution-id")


class Record(StrEnum):
    """Which handlings of a consumer are recorded."""

    ALL = "all"
    """All of them."""
    FAILURES = "failures"
    """Those that did not succeed."""
    NONE = "none"
    """None."""


def record_of(value: object) -> Record:
    """Read the slot `:record`. Raises RunError `invalid-argument`."""
    try:
        return Record(str.__str__(value))
    except (ValueError, TypeError):
        raise RunError(
            "invalid-argument",
            f"record must be one of {', '.join(map(repr, map(str, Record)))}, "
            f"not {shown(value)}",
        ) from None


def consumer() -> str:
    """Which process holds a claim: host:process."""
    return f"{CONSUMER}:{os.getpid()}"


def handling_id(token: UUID, message: UUID) -> UUID:
    """The execution id of the handling of a message under a claim, as `graphden.handling_id`
    makes it.
    """
    return UUID(md5(f"{token}{message}".encode(), usedforsecurity=False).hexdigest())


def with_execution(message: dict[Keyword, object], record: Record) -> dict[Keyword, object]:
    """The message, which names whom what its handler publishes has as its parent: its handling
    where that will be recorded, else its own parent.
    """
    message[_EXECUTION_ID] = (
        handling_id(message["token"], message["id"])  # type: ignore[index, arg-type]
        if record is Record.ALL
        else message["parent-execution-id"]  # type: ignore[index]
    )
    return message


@dataclass(frozen=True, slots=True)
class Handling:
    """A handling that ended at the monotonic time `ended`, and is to be recorded."""

    message: Mapping[str, Any]
    outcome: str
    ended: float
    ran_ms: float
    row: str | None
    failure: Failure | None

    def text(self) -> str:
        """As JSON, for the store."""
        message = self.message
        known = {
            "id": str(handling_id(message["token"], message["id"])),
            "message_id": str(message["id"]),
            "queue": message["queue"],
            "attempt": message["attempts"],
            "outcome": self.outcome,
            "entry": self.row,
            "actor": consumer(),
            "trace_id": _text(message.get("trace-id")),
            "parent_id": _text(message.get("parent-execution-id")),
            "ran_ms": self.ran_ms,
            "ended_ms": 1000 * (time.monotonic() - self.ended),
        }
        failure = self.failure
        if failure is None:
            return json.dumps(known)
        if failure.message.endswith(CUT_MARK):
            known["cut"] = ["error"]
        return f'{json.dumps(known)[:-1]}, "error": {failure.text()}}}'


def handling(message: object, outcome: str, failure: Failure | None) -> Handling | None:
    """The handling of `message` in this thread, which has just ended; None for a map that take
    did not return.
    """
    if not isinstance(message, dict) or not isinstance(message.get("queue"), str):
        return None
    call = last_call(message)
    ended = time.monotonic() if call is None else call.ended
    ran_ms = 0.0 if call is None else 1000 * (call.ended - call.began)
    row = None if call is None else call.row
    return Handling(message, outcome, ended, ran_ms, row, failure)


def handlings_text(handlings: Iterable[Handling | None]) -> str | None:
    """As a JSON array; None when there are none."""
    texts = [each.text() for each in handlings if each is not None]
    return f"[{','.join(texts)}]" if texts else None


def _text(id: object) -> str | None:
    return None if id is None else str(id)
