"""The way into a type: which type rows are met on it, and how it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphden.check.fit import Types
from graphden.model.types import (
    NULL,
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
    Variant,
)


@dataclass(frozen=True, slots=True)
class Way:
    """`rows` are the type rows met, the innermost last; `text` is the way as one writes it,
    such as `:lines[]:qty`; `type` is what it ends at, None where the type does not tell.
    """

    rows: tuple[str, ...]
    text: str
    type: Type | None


def way(type_: Type, path: Sequence[object], types: Types) -> Way:
    """The way that `path`, of a `Fit` or a `Violation`, goes inside a type."""
    rows: list[str] = []
    text = ""
    inside: Type | None = type_
    for step in map(str, path):
        outer = None if inside is None else _bare(inside, rows, types)
        text += _written(outer, step)
        inside = None if outer is None else _inside(outer, step)
    if inside is not None:
        _bare(inside, rows, types)
    return Way(tuple(rows), text, inside)


def _bare(type_: Type, rows: list[str], types: Types) -> Type:
    """What a type is made of, without names, refinements and nil."""
    seen: set[str] = set()
    while True:
        match type_:
            case Named(row) if row in types and row not in seen:
                seen.add(row)
                rows.append(row)
                type_ = types[row]
            case Secret(inner) | Refined(inner, _):
                type_ = inner
            case Union(members) if len(only := [m for m in members if m != NULL]) == 1:
                type_ = only[0]
            case _:
                return type_


def _inside(type_: Type, step: str) -> Type | None:
    match type_:
        case ListOf(item):
            return item
        case MapOf(key, value):
            return key if step == "key" else value
        case TupleOf(items):
            return items[int(step)] if step.isdigit() and int(step) < len(items) else None
        case Record(fields):
            return _named(step, ((f.name, f.type) for f in fields))
        case Variant(cases):
            return _named(step, cases)
        case Callable(parameters, result):
            return result if step == "result" else _named(step, parameters)
    return None


def _named(name: str, types: Iterable[tuple[str, Type]]) -> Type | None:
    return next((type_ for each, type_ in types if each == name), None)


def _written(type_: Type | None, step: str) -> str:
    match type_:
        case ListOf():
            return f"[{step}]" if step.isdigit() else "[]"
        case TupleOf():
            return f"[{step}]"
        case MapOf():
            return f"[{step}]" if step in ("key", "value") else f":{step}"
        case Callable() if step == "result":
            return "(result)"
        case Callable():
            return f"(:{step})"
    return f"[{step}]" if step.isdigit() else f":{step}"
