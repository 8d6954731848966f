"""The order of values: what `sort`, `sort-by` and the members of sets follow.

nil comes first, then each kind by its own order: false before true, numbers by size, text and
keywords by code points, uuids, timestamps, and lists item by item, a shorter one first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from graphden.edn import Keyword, write
from graphden.stdlib.arguments import describe, invalid, is_number

# Any: within one rank the second parts can be compared; no type says so.
Place: TypeAlias = tuple[int, Any]

_NIL, _BOOL, _NUMBER, _TEXT, _KEYWORD, _UUID, _TIMESTAMP, _LIST, _UNORDERED = range(9)

_NATURAL = frozenset((int, str, Keyword, UUID))
"""Lists of exactly one of these need no looking at."""


def in_order(
    function: str, values: Sequence[object], key: Callable[[object], object] | None = None
) -> list[object]:
    """`values` sorted, by their `key` if there is one; equal ones keep their order.

    Raises RunError `invalid-argument` when the values (or keys) are of several kinds beside
    nil, or of one without an order.
    """
    keys = values if key is None else [key(value) for value in values]
    types = set(map(type, keys))
    if len(types) == 1 and types <= _NATURAL:
        places: Sequence[Any] = keys
    else:
        places = list(map(_Places().of, keys))
        _check(function, "item" if key is None else "key", keys, places)
    if key is None and places is values:
        return sorted(places)
    order = sorted(range(len(values)), key=places.__getitem__)
    return [values[position] for position in order]


def ordered(members: Iterable[object]) -> list[object]:
    """The members of a set in an order that does not change from run to run."""
    return sorted(members, key=_Places().of)


class _Places:
    """The places of some values. Equal lists have one and the same, which Python compares at a
    glance: lists that hold their parts in many places cost no more than these parts.
    """

    def __init__(self) -> None:
        self._by_list: dict[int, Place] = {}
        self._by_parts: dict[tuple[object, ...], Place] = {}

    def of(self, value: object) -> Place:
        """Where a value stands: the rank of its kind, and what to compare within the kind."""
        if not isinstance(value, list | tuple):
            return _place(value)
        found = self._by_list.get(id(value))
        if found is None:
            parts = list(map(self.of, value))
            same = tuple(id(part[1]) if part[0] == _LIST else part for part in parts)
            found = self._by_parts.setdefault(same, (_LIST, parts))
            self._by_list[id(value)] = found
        return found


def _place(value: object) -> Place:
    match value:
        case None:
            return _NIL, 0
        case bool():
            return _BOOL, value
        case _ if is_number(value):
            # NaN is the one number that has no place.
            return (_NUMBER, value) if value == value else (_UNORDERED, "NaN")  # noqa: PLR0124
        case Keyword():
            return _KEYWORD, value
        case str():
            return _TEXT, value
        case UUID():
            return _UUID, value
        case datetime():
            return _TIMESTAMP, value.timestamp()
        case _:
            return _UNORDERED, write(value, lossy=True)


def _check(function: str, noun: str, keys: Sequence[object], places: Sequence[Place]) -> None:
    first: tuple[Place, object] | None = None
    for position, (found, value) in enumerate(zip(places, keys, strict=True), 1):
        if found[0] == _UNORDERED:
            raise invalid(
                f"{function}: {noun} {position} is {describe(value)}, which has no order"
            )
        if found[0] == _NIL:
            continue
        if first is None:
            first = found, value
        elif found[0] != first[0][0]:
            raise invalid(
                f"{function}: {noun} {position} is {describe(value)} beside "
                f"{describe(first[1])}; values of one kind are needed"
            )
