"""What bodies share when they look at arguments: kinds of values, and words for wrong ones.

The compiler has already checked what types can say (LANGUAGE 8.5); these helpers keep bodies
right when they are called straight from Python, and say what types cannot.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Set
from datetime import datetime
from decimal import Decimal
from typing import TypeGuard
from uuid import UUID

from graphden.edn import Keyword
from graphden.errors import RunError

PLAIN_NUMBERS = frozenset((int, float))
"""Exactly these types take the fast way; subclasses, bool above all, are looked at."""

_NUMBERS = (int, float, Decimal)

Thunk = Callable[[], object]
"""How a lazy slot arrives: called, it evaluates the binding."""

_SHOWN = 40

MOST_ITEMS = 10_000_000
"""How long a list may be that `range` or `repeat` makes of a number."""

MOST_CHARACTERS = 100_000_000
"""How long a text may be that is put together."""


def truthy(value: object) -> bool:
    """Whether `value` counts as true: all but nil and false do (LANGUAGE 7.1)."""
    return value is not None and value is not False


def is_number(value: object) -> TypeGuard[int | float | Decimal]:
    """Whether `value` is of type numeric; a bool is not (LANGUAGE 8.2)."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def invalid(message: str, *, hint: str = "") -> RunError:
    """The error for an argument whose value makes no sense here."""
    return RunError("invalid-argument", message, hint=hint)


def describe(value: object) -> str:
    """A few words for a value in an error message, in the terms of a row author."""
    match value:
        case None:
            return "nil"
        case bool():
            return "true" if value else "false"
        case Keyword():
            return f"the keyword {_cut(str(value))}"
        case str():
            return f"text {json.dumps(_cut(value), ensure_ascii=False)}"
        case int():
            return f"the number {number_text(value)}"
        case float():
            return f"the number {value!r}"
        case Decimal():
            return f"the decimal {_cut(str(value))}"
        case Mapping():
            return f"a map of {_count(len(value), 'entry', 'entries')}"
        case Set():
            return f"a set of {_count(len(value), 'member', 'members')}"
        case list() | tuple():
            return f"a list of {_count(len(value), 'item', 'items')}"
        case UUID():
            return f"the uuid {value}"
        case datetime():
            return f"the timestamp {value.isoformat()}"
        case bytes():
            return f"{len(value)} bytes"
        case RunError():
            return f"an error ({value.code})"
        case _ if callable(value):
            return "a callable"
        case _:
            return f"a value of the Python type {type(value).__name__}"


def wrong(function: str, slot: str, value: object, needed: str) -> RunError:
    """The error for the slot `slot` of `function`: what came, and what is `needed`."""
    return invalid(f"{function}: :{slot} is {describe(value)}; {needed} is needed")


def wrong_item(function: str, slot: str, position: int, value: object, needed: str) -> RunError:
    """The error for one item of a list slot; `position` counts from 1."""
    return invalid(
        f"{function}: item {position} of :{slot} is {describe(value)}; {needed} is needed"
    )


def text(function: str, slot: str, value: object) -> str:
    """`value`, which must be text; a keyword is not."""
    if isinstance(value, str) and not isinstance(value, Keyword):
        return value
    raise wrong(function, slot, value, "text")


def integer(function: str, slot: str, value: object) -> int:
    """`value`, which must be an int; a bool is not."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise wrong(function, slot, value, "an int")


def milliseconds(function: str, slot: str, value: object, *, positive: bool = False) -> float:
    """`value` as a finite number of milliseconds: not negative, or above 0 when `positive`."""
    found = finite(value)
    if found is None or found < 0 or (positive and not found):
        needed = "a number of milliseconds " + ("above 0" if positive else "of 0 or more")
        raise wrong(function, slot, value, needed)
    return found


def finite(value: object) -> float | None:
    """`value` as a finite float; None when it is no number, or beyond the floats."""
    try:
        found = float(value) if is_number(value) else math.inf
    except (OverflowError, ValueError):  # a large int, a signalling NaN
        return None
    return found if math.isfinite(found) else None


def check_items(function: str, count: int) -> None:
    """Raise RunError `invalid-argument` unless a list of `count` items may be made."""
    if count > MOST_ITEMS:
        raise invalid(f"{function}: the list would have more than {MOST_ITEMS:,} items")


def check_characters(function: str, count: int) -> None:
    """Raise RunError `invalid-argument` unless a text of `count` characters may be made."""
    if count > MOST_CHARACTERS:
        most = f"{MOST_CHARACTERS:,}"
        raise invalid(f"{function}: the text would have more than {most} characters")


def number_text(number: int) -> str:
    """An int in a message: its digits, or how large it is when these are many."""
    bits = number.bit_length()
    return int.__repr__(number) if bits <= 3 * _SHOWN else f"(of {bits:,} bits)"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _cut(shown: str) -> str:
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
