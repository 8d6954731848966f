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
        case int() | float():
            return f"the number {_number(value)}"
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
    needed = "a number of milliseconds " + ("above 0" if positive else "of 0 or more")
    if (
        not is_number(value)
        or not math.isfinite(value)
        or value < 0
        or (positive and not value)
    ):
        raise wrong(function, slot, value, needed)
    return float(value)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _number(value: float) -> str:
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return f"of {value.bit_length()} bits"
    return _cut(repr(value))


def _cut(shown: str) -> str:
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
