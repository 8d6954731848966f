"""The names of type rows inside types, looked up; and types that are made of themselves."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterator, Mapping

from graphden.model.types import (
    Callable,
    ListOf,
    MapOf,
    Named,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Unresolved,
    Variant,
)
from graphden.resolve.types import with_parts


def with_names(type_: Type, look_up: Function[[Unresolved], Type]) -> Type:
    """`type_` with every name of a type row replaced by what `look_up` says of it."""

    def again(inner: Type) -> Type:
        return with_names(inner, look_up)

    return look_up(type_) if isinstance(type_, Unresolved) else with_parts(type_, again)


NESTED = 200
"""How deep a type may be nested through the type rows that it names."""


def nested_too_deep(types: Mapping[str, Type]) -> tuple[list[str], set[str]]:
    """The type rows that are nested more than `NESTED` levels deep, a level being one type
    inside another: first those of them that name no other such row, then all. What leads back
    to a row itself counts for nothing.
    """
    depths: dict[str, int] = {}
    for start in types:
        path = {} if start in depths else {start: _named(types[start])}
        while path:
            row = next(reversed(path))
            depths.setdefault(row, 0)  # while it is being followed
            name, _ = next(path[row], (None, 0))
            if name is None:
                del path[row]
                inside = ((level, depths.get(n, 0)) for n, level in _named(types[row]))
                depths[row] = max(map(sum, inside), default=0)
            elif name in types and name not in depths:
                path[name] = _named(types[name])
    deep = {row for row, depth in depths.items() if depth > NESTED}
    first = [row for row in deep if not any(name in deep for name, _ in _named(types[row]))]
    return first, deep


def _named(type_: Type) -> Iterator[tuple[str, int]]:
    """The type rows that a type names, and how many types deep inside it."""
    waiting: list[tuple[Type, int]] = [(type_, 0)]
    while waiting:
        part, level = waiting.pop()
        match part:
            case Named(row):
                yield row, level
            case ListOf(inner) | Secret(inner) | Refined(inner, _):
                waiting.append((inner, level + 1))
            case MapOf(key, value):
                waiting += ((key, level + 1), (value, level + 1))
            case TupleOf(inners) | Union(inners):
                waiting.extend((inner, level + 1) for inner in inners)
            case Callable(parameters, result):
                waiting.extend((inner, level + 1) for _, inner in parameters)
                waiting.append((result, level + 1))
            case Record(fields):
                waiting.extend((field.type, level + 1) for field in fields)
            case Variant(cases):
                waiting.extend((inner, level + 1) for _, inner in cases)
            case _:
                pass


def circles(types: Mapping[str, Type]) -> Iterator[list[str]]:
    """The type rows that stand for themselves, as the way back to each: no value has such a
    type. A tree, whose record has a list of trees, is none of them.
    """
    done: set[str] = set()
    for start in sorted(types):
        path = {start: _alternatives(types[start])}
        while path:
            row = next(reversed(path))
            needed = next(path[row], None)
            if needed is None:
                done.add(row)
                del path[row]
            elif needed in path:
                way = list(path)
                yield [*way[way.index(needed) :], needed]
            elif needed not in done and needed in types:
                path[needed] = _alternatives(types[needed])


def _alternatives(type_: Type) -> Iterator[str]:
    """The type rows whose values are values of `type_` as they stand."""
    match type_:
        case Named(row):
            yield row
        case Refined(base=inner) | Secret(inner=inner):
            yield from _alternatives(inner)
        case Union(members):
            for member in members:
                yield from _alternatives(member)
