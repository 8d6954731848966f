"""Types of literals, and types of one or the other."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from graphden.check.fit import KEYWORD, NEVER, Types, fit, holds_secret, opened
from graphden.edn import Keyword
from graphden.model.types import (
    ANY,
    NULL,
    Callable,
    Constraint,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
)

KINDS: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (int, "int"),
    (float, "float"),
    (Decimal, "decimal"),
    (str, "text"),
    (UUID, "uuid"),
    (datetime, "timestamptz"),
    (bytes, "bytes"),
)


LITERALS = 8
"""How many keywords a type tells apart before it is just `:keyword`."""


MEMBERS = 50
"""How many types the type of one or the other tells apart before it is just `:any`."""

LEVELS = 20
"""How deep the type of a literal goes; what is nested deeper is `:any`."""


def type_of(value: object, levels: int = LEVELS) -> Type:
    """The narrowest type of a literal: a map with keyword keys is a record, and a keyword is
    told from others, since keywords are what enumerations are made of.
    """
    if levels == 0:
        return ANY

    def inner(part: object) -> Type:
        return type_of(part, levels - 1)

    if value is None:
        return NULL
    if isinstance(value, Keyword):
        return Refined(KEYWORD, Constraint("=", (value,)))
    for kind, name in KINDS:
        if isinstance(value, kind):
            return Primitive(name)
    match value:
        case list() | tuple():
            return ListOf(join(map(inner, value), {}))
        case dict() if all(isinstance(key, Keyword) for key in value):
            fields = (Field(key.text, inner(item)) for key, item in value.items())
            return Record(tuple(fields), closed=True)
        case dict():
            keys, values = map(inner, value), map(inner, value.values())
            return MapOf(join(keys, {}), join(values, {}))
    return ANY


def join(members: Iterable[Type], types: Types) -> Type:
    """The type of a value that is of one of these; `never` of none."""
    members = list(_flat(members))
    if ANY in members:
        return anything(members, types)
    found: list[Type] = []
    literals: dict[str, Keyword] = {}
    for member in members:
        if (keywords := _keywords(member)) is not None:
            literals.update((keyword.text, keyword) for keyword in keywords)
            continue
        if any(one == member or _within(member, one, types) for one in found):
            continue
        found = [one for one in found if not _within(one, member, types)]
        found.append(member)
        if len(found) > MEMBERS:
            return anything(members, types)
    if literals:
        named = _one_of(list(literals.values()))
        if not any(fit(named, one, types) for one in found):
            found.append(named)
    if not found:
        return NEVER
    if len(found) == 1:
        return found[0]
    lists = [one for one in found if isinstance(one, ListOf)]
    if len(lists) > 1:
        merged = ListOf(join((one.item for one in lists), types))
        return join((*(one for one in found if not isinstance(one, ListOf)), merged), types)
    return Union(tuple(found))


def _within(one: Type, other: Type, types: Types) -> bool:
    """Whether nothing is lost when the second stands for both; a variable hides secrets."""
    return bool(fit(one, other, types)) and (
        holds_secret(other, types) or not holds_secret(one, types)
    )


def anything(members: Iterable[Type], types: Types) -> Type:
    """What is known of a value of one of these when they are too many: whether it is secret."""
    return Secret(ANY) if any(holds_secret(each, types) for each in members) else ANY


def _keywords(type_: Type) -> list[Keyword] | None:
    """The keywords that a type made of literals holds."""
    match type_:
        case Refined(base, Constraint("=", (Keyword() as only,))) if base == KEYWORD:
            return [only]
        case Refined(base, Constraint("in", (list() as several,))) if base == KEYWORD:
            return several
    return None


def _one_of(keywords: list[Keyword]) -> Type:
    if len(keywords) > LITERALS:
        return KEYWORD
    if len(keywords) == 1:
        return Refined(KEYWORD, Constraint("=", (keywords[0],)))
    return Refined(KEYWORD, Constraint("in", (keywords,)))


def alternatives(type_: Type, types: Types) -> list[Type]:
    """The types that a value of this one may be of, each opened."""
    inside = opened(type_, types)
    if not isinstance(inside, Union):
        return [inside]
    return [each for member in inside.members for each in alternatives(member, types)]


def widened(type_: Type) -> Type:
    """`type_` with literals as their kinds; the names of type rows stay."""
    match type_:
        case Refined(base, Constraint("=" | "in")):
            return base
        case ListOf(item):
            return ListOf(widened(item))
        case MapOf(key, value):
            return MapOf(widened(key), widened(value))
        case TupleOf(items):
            return TupleOf(tuple(map(widened, items)))
        case Union(members):
            return join(map(widened, members), {})
        case Record(fields, closed):
            wider = (Field(f.name, widened(f.type), f.required) for f in fields)
            return Record(tuple(wider), closed)
        case Callable(parameters, result):
            named = tuple((name, widened(inner)) for name, inner in parameters)
            return Callable(named, widened(result))
    return type_


def without_null(type_: Type) -> Type:
    """`type_` less nil."""
    match type_:
        case Union(members):
            rest = tuple(member for member in members if member != NULL)
            return rest[0] if len(rest) == 1 else Union(rest) if rest else NEVER
        case Secret(inner):
            return Secret(without_null(inner))
    return NEVER if type_ == NULL else type_


def _flat(members: Iterable[Type]) -> Iterable[Type]:
    for member in members:
        if isinstance(member, Union):
            yield from _flat(member.members)
        else:
            yield member
