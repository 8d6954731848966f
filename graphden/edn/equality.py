"""When two values are the same (LANGUAGE 10.1).

Values are compared by structure, numbers by value, whatever their type: `1` equals `1.0` and
`1M`; `true` never equals `1`, at any depth. A keyword never equals the text of its name, except
as a key of a map. Lists and tuples are sequences alike. NaN equals NaN, so that being equal is
an equivalence, and `distinct` keeps one. What EDN does not know is compared with `==`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable
from datetime import datetime
from decimal import Decimal
from typing import cast
from uuid import UUID

from graphden.edn.values import Keyword, Symbol

_Parts = Collection[object]
_Map = dict[object, object]

_PLAIN = frozenset({str, int, type(None), UUID, datetime, Symbol, bytes})
"""Types whose values are their own keys."""
_NAN = ("nan",)
_ABSENT = object()
_HASHED_LEVELS = 3
"""How deep the hash of a collection looks. Equality looks at everything."""


def equal(left: object, right: object) -> bool:
    """Are the two values the same? Nesting may be deep.

    Two collections are compared once: parts that stand in many places of both cost no more.
    """
    waiting = [(left, right)]
    compared: set[tuple[int, int]] = set()
    while waiting:
        one, other = waiting.pop()
        if one is other:
            continue
        if type(one) in _PLAIN and type(other) in _PLAIN:
            if one != other:
                return False
            continue
        shape = _shape(one)
        if shape is not _shape(other):
            return False
        if shape is None:
            if identity_key(one) != identity_key(other):
                return False
            continue
        pair = id(one), id(other)
        if pair in compared:
            continue
        compared.add(pair)
        parts = _paired(shape, cast("_Parts", one), cast("_Parts", other))
        if parts is None:
            return False
        waiting.extend(parts)
    return True


def identity_key(value: object) -> Hashable:
    """A key such that two values are `equal` if, and only if, their keys are equal.

    The key of a collection holds the collection itself: use it while the value does not change.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, float):
        return _NAN if math.isnan(value) else value
    if isinstance(value, Decimal):
        return _NAN if value.is_nan() else value
    if isinstance(value, bool):
        return "boolean", bool(value)
    if isinstance(value, Keyword):
        return "keyword", value.text
    if _shape(value) is not None:
        return _Identity(value)
    try:
        hash(value)
    except TypeError:
        return _Unhashable(value)
    return value


class _Identity:
    """The key of a collection: a hash of what is near its surface, and `equal`."""

    __slots__ = ("_hash", "_value")

    def __init__(self, value: object) -> None:
        self._value = value
        self._hash = _shallow_hash(value, _HASHED_LEVELS)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Identity):
            return False
        return self._hash == other._hash and equal(self._value, other._value)


class _Unhashable:
    """The key of a foreign value without a hash: `==`, at the price of a shared bucket."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unhashable) and bool(self._value == other._value)


def _shape(value: object) -> type | None:
    """`list`, `set` or `dict` for a collection, None for anything else."""
    if isinstance(value, list | tuple):
        return list
    if isinstance(value, dict):
        return dict
    return set if isinstance(value, set | frozenset) else None


def _paired(shape: type, one: _Parts, other: _Parts) -> Iterable[tuple[object, object]] | None:
    """The parts that must be equal for the collections to be; None when no pairing fits."""
    if len(one) != len(other):
        return None
    if shape is list:
        return zip(one, other, strict=True)
    if shape is set:
        same = {identity_key(part) for part in one} == {identity_key(part) for part in other}
        return () if same else None
    return _paired_entries(cast("_Map", one), cast("_Map", other))


def _paired_entries(one: _Map, other: _Map) -> list[tuple[object, object]] | None:
    pairs: list[tuple[object, object]] = []
    by_key: dict[Hashable, object] | None = None
    for key, part in one.items():
        if isinstance(key, str):  # text or keyword: as keys they are the same, to Python too
            counterpart = other.get(key, _ABSENT)
        else:
            if by_key is None:
                by_key = {_key_of_key(each): value for each, value in other.items()}
            counterpart = by_key.get(identity_key(key), _ABSENT)
        if counterpart is _ABSENT:
            return None
        pairs.append((part, counterpart))
    return pairs


def _key_of_key(key: object) -> Hashable:
    return key.text if isinstance(key, Keyword) else identity_key(key)


def _shallow_hash(value: object, levels: int) -> int:
    shape = _shape(value)
    if shape is None:
        return hash(identity_key(value))
    parts = cast("_Parts", value)
    if levels == 0:
        return hash((shape, len(parts)))
    if shape is list:
        return hash((list, *(_shallow_hash(part, levels - 1) for part in parts)))
    if shape is set:
        return hash((set, frozenset(_shallow_hash(part, levels - 1) for part in parts)))
    entries = cast("_Map", value).items()
    return hash(
        frozenset(
            (hash(_key_of_key(key)), _shallow_hash(part, levels - 1)) for key, part in entries
        )
    )
