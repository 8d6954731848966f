"""How two types relate (LANGUAGE 8.2)."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeAlias

from graphden.model.types import (
    Callable,
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
    Variable,
    Variant,
)

Types: TypeAlias = Mapping[str, Type]


class Relation(StrEnum):
    """What can be said of handing a value of one type to a place of another."""

    FITS = "fits"
    """Every value fits."""
    MAY_FIT = "may fit"
    """Some values fit, or nothing is known."""
    DIFFERS = "differs"
    """No value fits: the types are plainly different."""


Relater: TypeAlias = Function[[Type, Type], Relation]

FITS, MAY_FIT, DIFFERS = Relation.FITS, Relation.MAY_FIT, Relation.DIFFERS

ABOVE = {
    "int": {"float", "numeric"},
    "float": {"numeric"},
    "decimal": {"numeric"},
}
OVERLAP = {frozenset(("float", "int")), *(frozenset(("numeric", n)) for n in ABOVE)}
OPEN = {"any", "jsonb"}


def relate(left: Type, right: Type, types: Types) -> Relation:
    """Whether a value of type `left` fits where `right` is asked for."""
    return _relate(left, right, types, frozenset())


def narrower(left: Type, right: Type, types: Types) -> Type | None:
    """The narrower of two types; None when neither fits into the other."""
    if isinstance(left, Variable):
        return right
    if isinstance(right, Variable):
        return left
    if relate(left, right, types) is FITS:
        return left
    return right if relate(right, left, types) is FITS else None


def _relate(
    left: Type, right: Type, types: Types, assumed: frozenset[tuple[Type, Type]]
) -> Relation:
    if left == right or right == Primitive("any") or left == Primitive("never"):
        return FITS
    if isinstance(left, Variable) or isinstance(right, Variable):
        return MAY_FIT
    if isinstance(left, Named) or isinstance(right, Named):
        pair = (left, right)
        if pair in assumed:
            return FITS
        assumed |= {pair}
        if isinstance(left, Named):
            left = types.get(left.row, Primitive("any"))
        if isinstance(right, Named):
            right = types.get(right.row, Primitive("any"))
        return _relate(left, right, types, assumed)

    def again(one: Type, other: Type) -> Relation:
        return _relate(one, other, types, assumed)

    match left, right:
        case Union(members), _:
            # One member that fits is enough to make the rest a question, not a mistake.
            found = {again(member, right) for member in members}
            return found.pop() if len(found) == 1 else MAY_FIT
        case Secret(inner), Secret(other):
            return again(inner, other)
        case _, Secret(other):
            return again(left, other)
        case Secret(), _:
            return DIFFERS
        case _, Union(members):
            return _some(again(left, member) for member in members)
        case Refined(base, constraint), Refined(other, wanted):
            if constraint == wanted:
                return again(base, other)
            return DIFFERS if again(base, other) is DIFFERS else MAY_FIT
        case Refined(base, _), _:
            return again(base, right)
        case _, Refined(base, _):
            return DIFFERS if again(left, base) is DIFFERS else MAY_FIT
        case Primitive(name), _ if name in OPEN:
            return MAY_FIT
        case _, Primitive("jsonb"):
            return _as_json(left, again)
        case Primitive(name), Primitive(other):
            return _primitives(name, other)
        case (ListOf() | TupleOf(), Primitive("sequence")):
            return FITS
        case (Primitive("sequence"), ListOf() | TupleOf()):
            return MAY_FIT
        case ListOf(item), ListOf(other):
            return again(item, other)
        case TupleOf(items), ListOf(other):
            return _every(again(item, other) for item in items)
        case ListOf(), TupleOf():
            return MAY_FIT
        case TupleOf(items), TupleOf(others):
            if len(items) != len(others):
                return DIFFERS
            return _every(again(a, b) for a, b in zip(items, others, strict=True))
        case MapOf(key, value), MapOf(other_key, other_value):
            return _every((again(key, other_key), again(value, other_value)))
        case Record(), Record():
            return _records(left, right, again)
        case (Record() | MapOf() | Variant(), Record() | MapOf() | Variant()):
            return MAY_FIT
        case Callable(), Callable():
            return MAY_FIT
    return DIFFERS


def _every(relations: Iterable[Relation]) -> Relation:
    found = set(relations)
    if not found or found == {FITS}:
        return FITS
    return DIFFERS if DIFFERS in found else MAY_FIT


def _some(relations: Iterable[Relation]) -> Relation:
    found = set(relations)
    if FITS in found:
        return FITS
    return MAY_FIT if MAY_FIT in found else DIFFERS


def _primitives(left: str, right: str) -> Relation:
    if left == right or right in ABOVE.get(left, ()):
        return FITS
    return MAY_FIT if frozenset((left, right)) in OVERLAP else DIFFERS


def _as_json(left: Type, again: Relater) -> Relation:
    json = Primitive("jsonb")
    match left:
        case Primitive("bytes") | Callable() | Secret():
            return DIFFERS
        case Primitive():
            return FITS
        case ListOf(item):
            return again(item, json)
        case TupleOf(items):
            return _every(again(item, json) for item in items)
        case MapOf(key, value):
            keys = again(key, Union((Primitive("text"), Primitive("keyword"))))
            return _every((keys, again(value, json)))
        case Record(fields):
            return _every(again(field.type, json) for field in fields)
    return MAY_FIT


def _records(left: Record, right: Record, again: Relater) -> Relation:
    mine = {field.name: field for field in left.fields}
    found = []
    for field in right.fields:
        own = mine.get(field.name)
        if own is None:
            found.append(MAY_FIT)
        else:
            relation = again(own.type, field.type)
            loose = relation is FITS and field.required and not own.required
            found.append(MAY_FIT if loose else relation)
    return _every(found)
