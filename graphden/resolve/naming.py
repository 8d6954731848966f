"""The names of type rows inside types, looked up; and types that are made of themselves."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterator, Mapping

from graphden.model.types import (
    Callable,
    Field,
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


def with_names(type_: Type, look_up: Function[[Unresolved], Type]) -> Type:
    """`type_` with every name of a type row replaced by what `look_up` says of it."""

    def again(inner: Type) -> Type:
        return with_names(inner, look_up)

    match type_:
        case Unresolved():
            return look_up(type_)
        case ListOf(item):
            return ListOf(again(item))
        case MapOf(key, value):
            return MapOf(again(key), again(value))
        case TupleOf(items):
            return TupleOf(tuple(map(again, items)))
        case Union(members):
            return Union(tuple(map(again, members)))
        case Callable(parameters, result):
            named = tuple((name, again(inner)) for name, inner in parameters)
            return Callable(named, again(result))
        case Secret(inner):
            return Secret(again(inner))
        case Record(fields):
            return Record(tuple(Field(f.name, again(f.type), f.required) for f in fields))
        case Variant(cases):
            return Variant(tuple((tag, again(inner)) for tag, inner in cases))
        case Refined(base, constraint):
            return Refined(again(base), constraint)
        case _:
            return type_


def circles(types: Mapping[str, Type]) -> Iterator[list[str]]:
    """The type rows that stand for themselves, as the way back to each: no value has such a
    type. A tree, whose record has a list of trees, is none of them.
    """
    done: set[str] = set()
    for start in types:
        path = [start]
        pending = [_alternatives(types[start])]
        while path:
            needed = next(pending[-1], None)
            if needed is None:
                done.add(path.pop())
                pending.pop()
            elif needed in path:
                yield [*path[path.index(needed) :], needed]
            elif needed not in done and needed in types:
                path.append(needed)
                pending.append(_alternatives(types[needed]))


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
