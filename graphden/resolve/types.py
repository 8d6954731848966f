"""What a binding's meaning depends on in a type: is it a callable, does it take a list?"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterator, Mapping
from typing import Protocol

from graphden.model.types import (
    ANY,
    NULL,
    Callable,
    Field,
    ListOf,
    MapOf,
    Named,
    Primitive,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Variant,
)


class Narrower(Protocol):
    """Says which of two types is the narrower one; None when neither is."""

    def __call__(self, left: Type, right: Type, types: Mapping[str, Type]) -> Type | None: ...


def expand(type_: Type, types: Mapping[str, Type]) -> Type:
    """`type_` with the names of type rows at its top replaced by their bodies."""
    seen = set()
    while isinstance(type_, Named) and type_.row not in seen:
        seen.add(type_.row)
        type_ = types.get(type_.row, ANY)
    return type_


def with_parts(type_: Type, change: Function[[Type], Type]) -> Type:
    """`type_` made again of what `change` gives for each type that it is written with."""
    match type_:
        case ListOf(item):
            return ListOf(change(item))
        case MapOf(key, value):
            return MapOf(change(key), change(value))
        case TupleOf(items):
            return TupleOf(tuple(map(change, items)))
        case Union(members):
            return Union(tuple(map(change, members)))
        case Callable(parameters, result):
            named = tuple((name, change(inner)) for name, inner in parameters)
            return Callable(named, change(result))
        case Secret(inner):
            return Secret(change(inner))
        case Record(fields, closed):
            changed = (Field(f.name, change(f.type), f.required) for f in fields)
            return Record(tuple(changed), closed)
        case Variant(cases):
            return Variant(tuple((tag, change(inner)) for tag, inner in cases))
        case Refined(base, constraint):
            return Refined(change(base), constraint)
    return type_


def parts(type_: Type, types: Mapping[str, Type]) -> Iterator[Type]:
    """A type and those of all that its values hold, each once: names are followed, keys of maps
    and what callables take and give are left out.
    """
    named: set[str] = set()
    seen: set[int] = set()
    waiting = [type_]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        match part:
            case Named(row):
                if row not in named:
                    named.add(row)
                    waiting.append(types.get(row, ANY))
            case ListOf(inner) | MapOf(_, inner) | Secret(inner) | Refined(inner):
                waiting.append(inner)
            case TupleOf(inners) | Union(inners):
                waiting.extend(inners)
            case Record(fields):
                waiting.extend(field.type for field in fields)
            case Variant(cases):
                waiting.extend(inner for _, inner in cases)


def _only(type_: Type, types: Mapping[str, Type]) -> Type:
    """The part of a type that is not null, refinements stripped."""
    type_ = expand(type_, types)
    while isinstance(type_, Refined):
        type_ = expand(type_.base, types)
    if isinstance(type_, Union):
        members = [m for m in type_.members if expand(m, types) != NULL]
        if len(members) == 1:
            return _only(members[0], types)
    return type_


def as_callable(type_: Type, types: Mapping[str, Type]) -> Callable | None:
    """The callable that a slot of this type takes, if it takes one."""
    found = _only(type_, types)
    return found if isinstance(found, Callable) else None


def item_type(type_: Type, types: Mapping[str, Type]) -> Type | None:
    """The type of the items when a slot of this type takes a list, else None."""
    match _only(type_, types):
        case ListOf(item):
            return item
        case Primitive("sequence"):
            return ANY
    return None


def accepts_null(type_: Type, types: Mapping[str, Type]) -> bool:
    """Whether `nil` is among the values of a type."""
    type_ = expand(type_, types)
    match type_:
        case Primitive("null" | "any"):
            return True
        case Union(members):
            return any(accepts_null(member, types) for member in members)
    return False
