"""A value of a type, to show in a hint."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from graphden.check.constraints import satisfies
from graphden.check.fit import Types
from graphden.edn import Keyword, Symbol, write
from graphden.model.types import (
    Constraint,
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
)

_MORE = Symbol("…")

_OF_PRIMITIVE: dict[str, Any] = {
    "null": None,
    "bool": True,
    "int": 1,
    "float": 1.5,
    "decimal": Decimal("1.5"),
    "numeric": 1,
    "text": "…",
    "keyword": Keyword("name"),
    "jsonb": "…",
    "any": 1,
    "sequence": [1, 2],
}


def example(type_: Type, types: Types) -> str | None:
    """A literal of the type as one writes it; None where none is short and telling."""
    found = next(_examples(type_, types, depth=3), None)
    return None if found is None else write(found[0], lossy=True)


def _examples(type_: Type, types: Types, depth: int) -> Iterator[tuple[Any]]:
    match type_:
        case Primitive(name) if name in _OF_PRIMITIVE:
            yield (_OF_PRIMITIVE[name],)
        case Named(row) if row in types and depth:
            yield from _examples(types[row], types, depth - 1)
        case Secret(inner):
            yield from _examples(inner, types, depth)
        case Refined(base, constraint):
            yield from _obeying(base, constraint, types, depth)
        case Union(members):
            for member in members:
                yield from _examples(member, types, depth)
        case ListOf(item):
            first = next(_examples(item, types, depth - 1), (_MORE,)) if depth else (_MORE,)
            yield (list(first),)
        case TupleOf(items):
            each = [next(_examples(item, types, depth - 1), (_MORE,)) for item in items]
            yield ([value for (value,) in each],)
        case Record(fields) if depth:
            needed = [field for field in fields if field.required] or list(fields[:1])
            yield (
                {
                    Keyword(field.name): next(
                        _examples(field.type, types, depth - 1), (_MORE,)
                    )[0]
                    for field in needed
                },
            )
        case MapOf():
            yield ({Keyword("key"): _MORE},)


def _obeying(
    base: Type, constraint: Constraint, types: Types, depth: int
) -> Iterator[tuple[Any]]:
    operands = list(_operands(constraint))
    near = [n + step for n in operands if isinstance(n, int | float) for step in (1, -1)]
    for (value,) in _examples(base, types, depth):
        for candidate in (value, *operands, *near, "a", "A", "1"):
            if type(candidate) is type(value) and satisfies(candidate, constraint):
                yield (candidate,)
                return


def _operands(constraint: Constraint) -> Iterator[Any]:
    for operand in constraint.operands:
        match operand:
            case Constraint():
                yield from _operands(operand)
            case list() | tuple():
                yield from operand
            case _:
                yield operand
