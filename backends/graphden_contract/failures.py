"""How a handling ended, made storable: no error text can stop a queue (QUEUES 4.1)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from graphden.errors import RunError
from graphden_contract.limits import DELAY_MS, shown

MAX_ERROR_LENGTH: Final = 4_096
"""Code points kept of an error's message; its type and place keep an eighth of it each."""
CUT_MARK: Final = "… [cut]"

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


class Outcome(StrEnum):
    """How a handling ended, other than well."""

    FAILED = "failed"
    """The handler raised: another try, or dead when the attempts are used up."""
    LATER = "later"
    """The handler asked for a later time, which counts no attempt."""
    GIVE_UP = "give-up"
    """The handler gave up: dead at once, with a reason."""
    RELEASED = "released"
    """Nobody handled it: back at once, in its old place, which counts no attempt."""
    LAPSED = "lapsed"
    """It came back from a claim that ran out: is it dead, or to be handled?"""


@dataclass(frozen=True, slots=True)
class Failure:
    """A handling error that was read: texts clean and cut, `delay_ms` within its limits."""

    outcome: Outcome
    type: str
    message: str
    place: str | None
    delay_ms: float | None

    def text(self) -> str:
        """The JSON text that is stored with the message: ASCII, which every database holds."""
        return json.dumps(
            {
                "outcome": self.outcome.value,
                "type": self.type,
                "message": self.message,
                "place": self.place,
            }
        )


def failure_of(error: object) -> Failure:
    """Read a `:handling-error`.

    Raises RunError `invalid-argument` for what has no known outcome. A delay that no queue can
    keep, which only a handler can have asked for, makes the outcome a failure that says so: it
    must not bring the message back without end, nor stop the worker.
    """
    if not isinstance(error, dict):
        raise RunError("invalid-argument", f"error must be a map, not {shown(error)}")
    try:
        outcome = Outcome(str.__str__(error.get("outcome")))
    except (ValueError, TypeError):
        raise RunError(
            "invalid-argument",
            f"error has no outcome that nack knows: {shown(error.get('outcome'))}",
            hint=f"Use one of {', '.join(':' + known for known in Outcome)}.",
        ) from None
    kind = _storable(error.get("type"), MAX_ERROR_LENGTH // 8) or outcome.value
    message = _storable(error.get("message"), MAX_ERROR_LENGTH) or ""
    place = _storable(error.get("place"), MAX_ERROR_LENGTH // 8)
    delay_ms = error.get("delay-ms")
    if outcome is not Outcome.LATER or delay_ms is None:
        return Failure(outcome, kind, message, place, None)
    try:
        delay_ms = DELAY_MS.read("delay-ms", delay_ms)
    except RunError as problem:
        return Failure(Outcome.FAILED, problem.code, problem.message, place, None)
    return Failure(outcome, kind, message, place, delay_ms)


def used_up(failure: Failure) -> Failure:
    """The error of a message whose attempts were used up by claims that ran out."""
    message = (
        "its attempts were used up by workers that ended, or stalled, before they settled it"
    )
    return Failure(Outcome.LAPSED, "lapsed", message, failure.place, None)


def _storable(value: object, limit: int) -> str | None:
    """`value` as text that every database holds, cut at `limit` code points and marked so."""
    if value is None:
        return None
    if isinstance(value, str):
        text = str.__str__(value)
    elif isinstance(value, int | float | Decimal):
        text = str(value)
    else:
        text = shown(value)
    if len(text) > limit:
        text = text[: limit - len(CUT_MARK)] + CUT_MARK
    return _UNSTORABLE.sub("\ufffd", text)
