"""Types as hypothesis draws them, and values that probably are of them."""

from __future__ import annotations

from datetime import UTC
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from graphden.edn import Keyword
from graphden.model.types import (
    Constraint,
    Field,
    ListOf,
    MapOf,
    Named,
    Primitive,
    Record,
    Refined,
    TupleOf,
    Type,
    Union,
    Variant,
)

NAMES = ("a", "b", "paid?")
TEXTS = st.sampled_from([*NAMES, "", "A7"])
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.1, -2.0]),
    st.sampled_from(["0.5", "1.1", "2"]).map(Decimal),
)
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), NUMBERS, TEXTS, TEXTS.filter(bool).map(Keyword), st.uuids(),
    st.datetimes(timezones=st.just(UTC)),
)  # fmt: skip
KEYS = st.one_of(st.sampled_from(NAMES), st.sampled_from(NAMES).map(Keyword))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)

PARTS = st.one_of(
    st.builds(
        lambda operator, number: Constraint(operator, (number,)),
        st.sampled_from([">", ">=", "<", "<="]),
        NUMBERS,
    ),
    st.builds(
        lambda operator, value: Constraint(operator, (value,)),
        st.sampled_from(["=", "not="]),
        VALUES,
    ),
    st.lists(VALUES, max_size=3).map(lambda members: Constraint("in", (members,))),
    st.sampled_from(["^[a-z]+$", r"\d", "(?i)^a", r"\Aa\z", "[[:upper:]]"]).map(
        lambda pattern: Constraint("matches", (pattern,))
    ),
)
CONSTRAINTS = st.one_of(
    PARTS,
    st.builds(
        lambda operator, parts: Constraint(operator, tuple(parts)),
        st.sampled_from(["and", "or"]),
        st.lists(PARTS, min_size=1, max_size=2),
    ),
)
PRIMITIVES = st.sampled_from(
    ["any", "never", "null", "bool", "int", "float", "decimal", "numeric", "text", "keyword",
     "uuid", "timestamptz", "jsonb", "sequence"]
).map(Primitive)  # fmt: skip
KEY_TYPES = st.sampled_from([Primitive("text"), Primitive("keyword"), Primitive("any")])


def built(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    fields = st.lists(
        st.builds(Field, st.sampled_from(NAMES), inner, st.booleans()),
        max_size=3,
        unique_by=lambda field: field.name,
    )
    cases = st.lists(
        st.tuples(st.sampled_from(NAMES), inner),
        min_size=1,
        max_size=2,
        unique_by=lambda case: case[0],
    )
    return st.one_of(
        inner.map(ListOf),
        st.builds(MapOf, KEY_TYPES | st.builds(Refined, KEY_TYPES, CONSTRAINTS), inner),
        st.lists(inner, max_size=2).map(tuple).map(TupleOf),
        st.lists(inner, min_size=1, max_size=2).map(tuple).map(Union),
        fields.map(lambda found: Record(tuple(found))),
        cases.map(lambda found: Variant(tuple(found))),
        st.builds(Refined, inner, CONSTRAINTS),
    )


OTHER = Named("user/other")
TYPES: st.SearchStrategy[Type] = st.recursive(PRIMITIVES | st.just(OTHER), built, max_leaves=5)


def value_of(type_: Type, types: dict[str, Type], levels: int = 4) -> st.SearchStrategy[Any]:
    """Values that probably are of a type: what they break is left to the check."""

    def inside(inner: Type) -> st.SearchStrategy[Any]:
        return value_of(inner, types, levels - 1)

    if levels == 0:
        return VALUES
    match type_:
        case Named(row):
            return inside(types[row])
        case ListOf(item):
            return st.lists(inside(item), max_size=2)
        case MapOf(_, value):
            return st.dictionaries(KEYS, inside(value), max_size=2)
        case TupleOf(items):
            return st.tuples(*map(inside, items)).map(list)
        case Union(members):
            return st.one_of(*map(inside, members))
        case Record(fields):
            return st.fixed_dictionaries(
                {f.name: inside(f.type) for f in fields if f.required},
                optional={f.name: inside(f.type) for f in fields if not f.required},
            )
        case Variant(cases):
            return st.one_of(
                *(
                    inside(inner).map(lambda v, tag=tag: [Keyword(tag), v])
                    for tag, inner in cases
                )
            )
        case Refined(base, constraint):
            listed = [
                operand
                for part in (constraint, *constraint.operands)
                if isinstance(part, Constraint) and part.operator in ("=", "in")
                for operand in (part.operands if part.operator == "=" else part.operands[0])
            ]
            return inside(base) | st.sampled_from(listed) if listed else inside(base)
    return VALUES


def ends(types: dict[str, Type]) -> bool:
    """Whether no type is itself but for unions and refinements, which nothing can be."""

    def begins(type_: Type) -> set[str]:
        match type_:
            case Named(row):
                return {row}
            case Union(members):
                return set().union(*map(begins, members))
            case Refined(base):
                return begins(base)
        return set()

    return not any(row in begins(body) for row, body in types.items())
