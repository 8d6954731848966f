"""The numbers and names a queue accepts (QUEUES 2.7, 2.8). Everything else is refused when
it is given, with `invalid-argument`, so that no server ever sees it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.errors import RunError

MAX_NAME_LENGTH: Final = 200
"""Code points in the name of a queue, and in a key."""
MAX_PAYLOAD_BYTES: Final = 1_048_576
"""Bytes of a payload's JSON text in UTF-8: 1 MiB."""
KEY_LIFETIME_MS: Final = 86_400_000
"""How long a publish key is remembered, also after its message is gone: 24 hours."""
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
STATES: Final = ("pending", "delayed", "claimed", "lapsed", "dead")


def refused(slot: str, message: str, hint: str = "") -> RunError:
    """What a wrong argument is answered with."""
    return RunError("invalid-argument", f"{slot} {message}", hint=hint, data={"slot": slot})


def shown(value: object) -> str:
    """`value` for an error text: short whatever it is."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # whatever a foreign object's repr raises
        text = type(value).__qualname__
    return text if len(text) <= 60 else f"{text[:57]}…"


@dataclass(frozen=True, slots=True)
class Milliseconds:
    """A span of time within bounds, both allowed."""

    least: float
    most: float

    def read(self, slot: str, value: object) -> float:
        """`value` as milliseconds; RunError `invalid-argument` when it is none or too far."""
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise refused(slot, f"must be a number of milliseconds, not {shown(value)}")
        if not self.holds(value):
            raise refused(
                slot, f"must be {self.least:,.0f} to {self.most:,.0f} ms, not {shown(value)}"
            )
        return float(value)

    def holds(self, value: float | Decimal) -> bool:
        """Whether `value` is finite and within the bounds."""
        return math.isfinite(value) and self.least <= value <= self.most


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number within bounds, both allowed."""

    least: int
    most: int

    def read(self, slot: str, value: object) -> int:
        """`value` as a count; RunError `invalid-argument` when it is none or out of bounds."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise refused(slot, f"must be a whole number, not {shown(value)}")
        if not self.least <= value <= self.most:
            raise refused(slot, f"must be {self.least:,} to {self.most:,}, not {shown(value)}")
        return value


DELAY_MS: Final = Milliseconds(0, 315_576_000_000)
"""Until a message is due: at most ten years."""
VISIBILITY_MS: Final = Milliseconds(1, 604_800_000)
"""How long a claim lasts unless it is renewed: at most seven days."""
WAIT_MS: Final = Milliseconds(0, 3_600_000)
"""How long a take waits for work: at most an hour."""
KEEP_DEAD_MS: Final = Milliseconds(0, 315_576_000_000)
"""How long dead messages stay where that is limited: at most ten years."""
BATCH: Final = Count(1, 1_000)
"""Messages of one take."""
MAX_ATTEMPTS: Final = Count(1, 1_000_000)
"""Claims that count before a message is dead."""
MESSAGE_LIMIT: Final = Count(1, 10_000)
"""Messages of one listing."""
MAX_BULK: Final = 10_000
"""Messages of one publish in bulk."""
MAX_BULK_BYTES: Final = 67_108_864
"""Bytes of all payloads of one publish in bulk: 64 MiB."""


def queue_name(value: object) -> str:
    """The name of a queue: any text but the empty one, up to 200 code points, never folded."""
    return _name("queue", value)


def key_name(value: object) -> str | None:
    """A publish key, text like a queue's name, or None for none."""
    return None if value is None else _name("key", value)


def key_names(values: object, count: int) -> list[str] | None:
    """A publish key for each of `count` messages, or None for none."""
    if values is None:
        return None
    if not isinstance(values, list | tuple):
        raise refused("keys", f"must be a list of texts, not {shown(values)}")
    if len(values) != count:
        raise refused("keys", f"must be one for each of {count} payloads, not {len(values)}")
    keys: list[str] = []
    for item, value in enumerate(values):
        try:
            keys.append(_name("key", value))
        except RunError as problem:
            raise of_item(problem, item) from None
    return keys


def of_item(problem: RunError, item: int) -> RunError:
    """`problem`, which one message of several has, with its number counted from 0."""
    data = problem.data if isinstance(problem.data, dict) else {}
    return RunError(
        problem.code,
        f"item {item}: {problem.message}",
        hint=problem.hint,
        data={"item": item, **data},
    )


def message_state(value: object) -> str | None:
    """A state to filter by, as text or keyword, or None for all."""
    if value is None:
        return None
    if not isinstance(value, str) or value not in STATES:
        raise refused("state", f"must be one of {', '.join(STATES)}, not {shown(value)}")
    return value.text if isinstance(value, Keyword) else value


def purge_state(state: object, force: object) -> tuple[str | None, bool]:
    """What to purge: a state or None for all, and whether claimed messages are among it.

    Raises RunError `invalid-argument` for claimed ones without force.
    """
    if not isinstance(force, bool):
        raise refused("force", f"must be true or false, not {shown(force)}")
    wanted = message_state(state)
    if wanted == "claimed" and not force:
        raise refused(
            "state",
            "claimed is purged only with force",
            hint="With :force true their consumers lose them: settling answers :lost.",
        )
    return wanted, force


def message_ids(value: object) -> list[UUID]:
    """Ids of messages, as uuids or their text, each once, in the order given."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | dict):
        raise refused("ids", f"must be a list of uuids, not {shown(value)}")
    return list(dict.fromkeys(_message_id(item) for item in value))


def _message_id(value: object) -> UUID:
    if isinstance(value, UUID):
        return value
    try:
        return UUID(str.__str__(value)) if isinstance(value, str) else UUID("")
    except ValueError:
        raise refused("ids", f"must be a list of uuids; {shown(value)} is none") from None


def _name(slot: str, value: object) -> str:
    if not isinstance(value, str) or isinstance(value, Keyword):
        raise refused(slot, f"must be text, not {shown(value)}")
    if not 1 <= len(value) <= MAX_NAME_LENGTH:
        raise refused(slot, f"must have 1 to {MAX_NAME_LENGTH} characters, not {len(value)}")
    if _UNSTORABLE.search(value):
        raise refused(slot, "must not hold NUL or half of a surrogate pair")
    return value
