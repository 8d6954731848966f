"""Which parts of a value its type calls secret (LANGUAGE 8.7)."""

from __future__ import annotations

from collections.abc import Sequence

from graphden.check.fit import Types, holds_secret
from graphden.model.types import (
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


def secret_at(
    type_: Type, path: Sequence[object], types: Types, within: frozenset[str] = frozenset()
) -> bool:
    """Whether a value of this type holds a secret at `path`; where the type does not tell which
    of its alternatives the value is of, when one of them would.
    """

    def at(inner: Type, rest: Sequence[object]) -> bool:
        return secret_at(inner, rest, types, within if rest is path else frozenset())

    match type_:
        case Secret():
            return True
        case Named(row):
            if row in within or row not in types:
                return False
            return secret_at(types[row], path, types, within | {row})
        case Refined(base, _):
            return at(base, path)
        case Union(members):
            return any(at(member, path) for member in members)
    if not path:
        return holds_secret(type_, types)
    step, rest = path[0], path[1:]
    match type_:
        case Record(fields):
            return any(at(field.type, rest) for field in fields if field.name == step)
        case ListOf(item):
            return at(item, rest)
        case MapOf(key, value):
            return holds_secret(key, types) or at(value, rest)
        case TupleOf(items) if isinstance(step, int) and step < len(items):
            return at(items[step], rest)
        case Variant(cases):
            return any(at(inner, rest) for _, inner in cases)
    return False
