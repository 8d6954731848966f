"""Whether a value of one type may stand where another is asked for (LANGUAGE 8.2, 8.5).

Three answers: it fits; it must be looked at when it runs, because `any` or `jsonb` hides what
it is; or the types do not promise it. For the last, `Fit` says at which place inside the types.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from graphden.check.constraints import implies
from graphden.check.verdicts import FITS, Fit, Verdict, at, best, differs, guarded, worst
from graphden.edn import Keyword
from graphden.model.types import (
    ANY,
    Callable,
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
    Variable,
    Variant,
)

Types: TypeAlias = Mapping[str, Type]
Assumed: TypeAlias = dict[tuple[Type, Type], "Fit"]

JSON = Primitive("jsonb")
TEXT = Primitive("text")
KEYWORD = Primitive("keyword")
NEVER = Primitive("never")
SEQUENCE = Primitive("sequence")
NAME = Union((KEYWORD, TEXT))
"""What names a field: a keyword or text, which find the same (LANGUAGE 10.1)."""

ABOVE = {
    "int": frozenset(("float", "numeric")),
    "float": frozenset(("numeric",)),
    "decimal": frozenset(("numeric",)),
}
"""The primitives that hold all values of another (LANGUAGE 8.2)."""


Again: TypeAlias = Function[[Type, Type], Fit]


def fit(actual: Type, expected: Type, types: Types) -> Fit:
    """Whether a value of type `actual` may stand where `expected` is asked for."""
    return _fit(actual, expected, types, {})


def narrower(left: Type, right: Type, types: Types) -> Type | None:
    """The narrower of two types; None when neither fits into the other."""
    if isinstance(left, Variable) or left == ANY:
        return right
    if isinstance(right, Variable) or right == ANY:
        return left
    if fit(left, right, types):
        return left
    return right if fit(right, left, types) else None


def disjoint(left: Type, right: Type, types: Types) -> bool:
    """Whether no value can be of both types, as far as their outermost shape tells."""
    return (
        fit(left, right, types).verdict is Verdict.DIFFERS
        and fit(right, left, types).verdict is Verdict.DIFFERS
    )


def _fit(actual: Type, expected: Type, types: Types, assumed: Assumed) -> Fit:
    if actual is expected or actual in (expected, NEVER) or isinstance(expected, Variable):
        return FITS
    if expected == ANY:
        return differs(actual, expected, "secret-flow") if holds_secret(actual, types) else FITS
    if isinstance(actual, Primitive) and isinstance(expected, Primitive):
        if actual not in (ANY, JSON) and expected != JSON:
            above = expected.name in ABOVE.get(actual.name, ())
            return FITS if above else differs(actual, expected, "type-mismatch")
    elif isinstance(actual, Named) or isinstance(expected, Named):
        return _named_fit(actual, expected, types, assumed)

    def again(one: Type, other: Type) -> Fit:
        return _fit(one, other, types, assumed)

    def no(code: str = "type-mismatch") -> Fit:
        return differs(actual, expected, code)

    match actual, expected:
        case Union(members), Union(others):
            same = frozenset(others)
            return worst(again(each, expected) for each in members if each not in same)
        case Union(members), _:
            return worst(again(member, expected) for member in members)
        case Secret(Secret() as inner), _:
            return again(inner, expected)
        case _, Secret(Secret() as inner):
            return again(actual, inner)
        case _, Secret(Primitive("any")):
            return FITS
        case Secret(inner), Secret(other):
            return again(inner, other)
        case Secret(), Union(members):
            return best([again(actual, member) for member in members], actual, expected)
        case Secret(), _:
            return no("secret-flow")
        case _, Secret(inner):
            return again(actual, inner)
        case (Primitive("any") | Variable(), _):
            return guarded(actual, expected)
        case Primitive("jsonb"), Union(members):
            if any(again(actual, member) for member in members):
                return FITS
            return guarded(actual, expected) if any(_may_be_json(m) for m in members) else no()
        case _, Union(members):
            return best([again(actual, member) for member in members], actual, expected)
        case Primitive("jsonb"), _:
            return guarded(actual, expected) if _may_be_json(expected) else no()
        case Refined(base, constraint), Refined(other, wanted):
            within = again(base, other)
            if not within:
                return within
            return FITS if implies(constraint, wanted) or again(base, expected) else no()
        case Refined(base, _), _:
            return again(base, expected)
        case _, Refined(base, _):
            within = again(actual, base)
            return no() if within else within
        case _, Primitive("jsonb"):
            return _as_json(actual, again, no)
        case (ListOf() | TupleOf(), Primitive("sequence")):
            return no("secret-flow") if holds_secret(actual, types) else FITS
        case Primitive("sequence"), ListOf(other):
            return again(ANY, other)
        case Primitive("sequence"), TupleOf():
            return guarded(actual, expected)
        case ListOf(item), ListOf(other):
            return at("item", again(item, other))
        case TupleOf(items), ListOf(other):
            return worst(at(str(i), again(t, other)) for i, t in enumerate(items))
        case ListOf(item), TupleOf(items) if all(again(item, t) for t in items):
            return no()
        case TupleOf(items), TupleOf(others) if len(items) == len(others):
            pairs = enumerate(zip(items, others, strict=True))
            return worst(at(str(i), again(a, b)) for i, (a, b) in pairs)
        case MapOf(key, value), MapOf(other_key, other_value):
            return worst(
                (
                    at("key", again(key, other_key)),
                    at("value", again(value, other_value)),
                )
            )
        case Record(fields, closed), MapOf(key, value):
            each = [at(f.name, again(f.type, value)) for f in fields]
            if closed:
                keys = [at("key", again(KEYWORD, key))] if fields else []
                return worst((*keys, *each))
            # Its keys may be texts, and it may have others than are known.
            more = (at("key", again(ANY, key)), at("value", again(ANY, value)))
            return worst((*each, *more))
        case MapOf(key, value), Record() if key == ANY or again(key, NAME):
            # A map of anything may be the record; only the value can tell.
            return guarded(actual, expected) if value in (ANY, JSON) else no()
        case Record(), Record():
            if expected.closed and not _closed_in(actual, expected):
                return no()
            return _records(actual, expected, again, types)
        case Variant(cases), Variant(others):
            known = dict(others)
            return worst(
                at(tag, again(inner, known[tag])) if tag in known else no()
                for tag, inner in cases
            )
        case TupleOf((tag, inner)), Variant(cases):
            return _tagged(_named(tag, types), inner, cases, again, no)
        case Callable(), Callable():
            return _callables(actual, expected, again, no)
    return no()


def _named_fit(actual: Type, expected: Type, types: Types, assumed: Assumed) -> Fit:
    """A pair with a type row in it, looked at once: inside itself it is taken to fit."""
    pair = (actual, expected)
    known = assumed.get(pair)
    if known is not None:
        return known
    before = len(assumed)
    assumed[pair] = FITS
    found = _fit(_named(actual, types), _named(expected, types), types, assumed)
    if not found:
        # What fitted because this pair was taken to fit may not.
        for later in list(assumed)[before + 1 :]:
            if assumed[later]:
                del assumed[later]
        if not found.path:
            found = replace(found, actual=actual, expected=expected)
        assumed[pair] = found
    return found


def opened(type_: Type, types: Types) -> Type:
    """`type_` with the name of a type row, and refinements, at its top taken away."""
    while True:
        match type_:
            case Named(row):
                type_ = types.get(row, ANY)
            case Refined(base, _):
                type_ = base
            case _:
                return type_


def _named(type_: Type, types: Types) -> Type:
    return types.get(type_.row, ANY) if isinstance(type_, Named) else type_


def holds_secret(type_: Type, types: Types) -> bool:
    """Whether a part of values of this type is secret."""
    named: set[str] = set()
    waiting = [type_]
    while waiting:
        match waiting.pop():
            case Secret():
                return True
            case Named(row):
                if row not in named:
                    named.add(row)
                    waiting.append(types.get(row, ANY))
            case ListOf(inner) | Refined(inner):
                waiting.append(inner)
            case MapOf(key, value):
                waiting += (key, value)
            case TupleOf(inners) | Union(inners):
                waiting += inners
            case Record(fields):
                waiting.extend(field.type for field in fields)
            case Variant(cases):
                waiting.extend(inner for _, inner in cases)
    return False


def _may_be_json(type_: Type) -> bool:
    match type_:
        case Callable() | Primitive("bytes") | Secret():
            return False
        case Union(members):
            return any(map(_may_be_json, members))
    return True


def _as_json(actual: Type, again: Again, no: Function[[], Fit]) -> Fit:
    match actual:
        case Primitive("bytes") | Callable():
            return no()
        case Primitive("sequence"):
            return at("item", again(ANY, JSON))
        case Primitive():
            return FITS
        case ListOf(item):
            return at("item", again(item, JSON))
        case TupleOf(items):
            return worst(at(str(i), again(t, JSON)) for i, t in enumerate(items))
        case MapOf(key, value):
            return worst((at("key", again(key, NAME)), at("value", again(value, JSON))))
        case Record(fields):
            return worst(at(f.name, again(f.type, JSON)) for f in fields)
        case Variant(cases):
            return worst(at(tag, again(inner, JSON)) for tag, inner in cases)
    return no()


def _tagged(
    tag: Type,
    inner: Type,
    cases: tuple[tuple[str, Type], ...],
    again: Again,
    no: Function[[], Fit],
) -> Fit:
    """Whether a list of a tag and a value is of a variant; a tag may be one of some."""
    match tag:
        case Refined(base, Constraint("=", (Keyword() as only,))) if base == KEYWORD:
            tags: list[Keyword] = [only]
        case Refined(base, Constraint("in", (list() as tags,))) if base == KEYWORD:
            pass
        case Primitive("any" | "jsonb") | Variable():
            found = [again(inner, type_) for _, type_ in cases]
            return (
                no() if all(f.verdict is Verdict.DIFFERS for f in found) else Fit(Verdict.GUARD)
            )
        case _:
            return no()
    known = dict(cases)
    return worst(
        at(each.text, again(inner, known[each.text])) if each.text in known else no()
        for each in tags
    )


def _closed_in(actual: Record, expected: Record) -> bool:
    known = {field.name for field in expected.fields}
    return actual.closed and all(field.name in known for field in actual.fields)


def _records(actual: Record, expected: Record, again: Again, types: Types) -> Fit:
    own = {field.name: field for field in actual.fields}
    asked = {field.name for field in expected.fields}
    found = [
        Fit(Verdict.DIFFERS, (field.name,), field.type, ANY, "secret-flow")
        for field in actual.fields
        if field.name not in asked and holds_secret(field.type, types)
    ]
    for field in expected.fields:
        mine = own.get(field.name)
        if mine is not None and (mine.required or not field.required):
            found.append(at(field.name, again(mine.type, field.type)))
        elif field.required:
            missing = Fit(Verdict.DIFFERS, (field.name,), None, field.type, "missing-field")
            found.append(missing)
        elif not actual.closed:
            # It may be among the fields that are not known.
            found.append(at(field.name, again(ANY, field.type)))
    return worst(found)


def _callables(
    actual: Callable, expected: Callable, again: Again, no: Function[[], Fit]
) -> Fit:
    if len(actual.parameters) != len(expected.parameters):
        return no()
    pairs = zip(actual.parameters, expected.parameters, strict=True)
    parameters = (at(name, again(theirs, mine)) for (name, mine), (_, theirs) in pairs)
    found = worst((*parameters, at("result", again(actual.result, expected.result))))
    # What is called cannot be looked at beforehand; its own checks stand at its own places.
    return FITS if found.verdict is Verdict.GUARD else found
