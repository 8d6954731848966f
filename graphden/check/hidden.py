"""Which parts of a value its type calls secret (LANGUAGE 8.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graphden.check.fit import NEVER, Types, fit, holds_secret
from graphden.check.solve import variables
from graphden.check.verdicts import Fit
from graphden.model.resolved import ResolvedRow
from graphden.model.rows import RowKind
from graphden.model.types import (
    ANY,
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


def flows_out(
    root: ResolvedRow, actual: Mapping[str, Type], types: Types
) -> Iterator[tuple[str, Type, Fit]]:
    """The slots of a base function or type row that a secret flows out of, though the row made
    a type of its own of them; what they take, and why it does not fit. What has no effect gives
    a result that is secret; what writes, keeps or throws what it gets, and a value of a type
    that knows of none, would tell it.
    """
    builds = root.row.kind is RowKind.TYPE
    if not (builds or root.effects or root.result == NEVER):
        return
    for slot in root.slots:
        declared = slot.declaration.type
        if builds and declared == ANY:
            declared = Named(root.id)
        elif variables(declared) and "state" in root.effects:
            declared = _of_anything(declared)
        found = fit(actual.get(slot.declaration.name, ANY), declared, types)
        if not found and found.code == "secret-flow":
            yield slot.declaration.name, declared, found


def _of_anything(type_: Type) -> Type:
    """A slot's type with anything for its variables: a cell keeps no word of what it holds."""
    match type_:
        case Callable(parameters, result) if variables(result):
            return Callable(parameters, ANY)
    return ANY
