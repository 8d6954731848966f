"""Types of a size that can be worked with.

What rows build out of each other's results may be nested as deeply as there are rows, and what
is built of two such results doubles with each row. Far inside, such a type says `:any`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphden.check.fit import Types
from graphden.check.values import anything
from graphden.model.types import (
    Callable,
    ListOf,
    MapOf,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Variant,
)
from graphden.resolve.types import with_parts

LARGEST = 300
"""How many parts the type of a row's result may have."""

LEVELS = (20, 6, 3, 1)
"""How many of its levels are tried to be kept."""


def bounded(type_: Type, types: Types) -> Type:
    """`type_`, or as much of it as is not too large."""
    for levels in LEVELS:
        reach = _size(type_, levels)
        if reach is not None:
            deeper, size = reach
            if size <= LARGEST:
                return _cut(type_, levels, types) if deeper else type_
    return anything((type_,), types)


def _size(type_: Type, levels: int) -> tuple[bool, int] | None:
    """Whether a type goes deeper than `levels`, and its parts down to there; None if many."""
    deeper, size = False, 0
    waiting = [(type_, levels)]
    while waiting:
        part, left = waiting.pop()
        size += 1
        if size > LARGEST:
            return None
        inside = [(each, left - 1) for each in _parts(part)]
        if left:
            waiting += inside
        elif inside:
            deeper = True
    return deeper, size


def _parts(type_: Type) -> Iterator[Type]:
    match type_:
        case ListOf(inner) | Secret(inner) | Refined(inner, _):
            yield inner
        case MapOf(key, value):
            yield key
            yield value
        case TupleOf(inners) | Union(inners):
            yield from inners
        case Record(fields):
            yield from (field.type for field in fields)
        case Variant(cases):
            yield from (inner for _, inner in cases)
        case Callable(parameters, result):
            yield from (inner for _, inner in parameters)
            yield result


def _cut(type_: Type, levels: int, types: Types) -> Type:
    def inside(inner: Type) -> Type:
        return _cut(inner, levels - 1, types)

    if levels == 0:
        return type_ if not any(_parts(type_)) else anything((type_,), types)
    if isinstance(type_, Callable):
        # What it takes cannot be called any: it would seem to take anything.
        reach = _size(type_, levels)
        return type_ if reach and not reach[0] else anything((type_,), types)
    return with_parts(type_, inside)
