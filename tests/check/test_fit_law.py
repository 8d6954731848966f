"""Subtyping is an order, and means what the run-time checks say (LANGUAGE 8.2, 8.5)."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, event, given
from hypothesis import strategies as st

from graphden.check import Contracts, fit, narrower
from graphden.check.quick import quick_test
from graphden.check.validators import validator_of
from graphden.check.values import join, type_of
from graphden.edn import Keyword
from graphden.model.types import (
    ANY,
    Callable,
    Constraint,
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
from tests.check.drawing import CONSTRAINTS, NAMES, TYPES, VALUES, ends, value_of

JSON = Primitive("jsonb")
TEXT, KEYWORD, INT = Primitive("text"), Primitive("keyword"), Primitive("int")
NUMERIC = Primitive("numeric")
DATA = st.one_of(TYPES, TYPES, VALUES.map(type_of))


def _whole(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    parameters = st.lists(st.tuples(st.sampled_from(NAMES), inner), max_size=2)
    fields = st.lists(
        st.builds(Field, st.sampled_from(NAMES), inner, st.booleans()),
        max_size=2,
        unique_by=lambda field: field.name,
    )
    return st.one_of(
        inner.map(Secret),
        inner.map(ListOf),
        st.lists(inner, min_size=1, max_size=2).map(tuple).map(Union),
        st.builds(lambda found, closed: Record(tuple(found), closed), fields, st.booleans()),
        st.builds(lambda found, result: Callable(tuple(found), result), parameters, inner),
    )


KINDS = st.recursive(DATA, _whole, max_leaves=3)
"""Types of all kinds, secrets and callables too."""

SIMPLE = st.sampled_from(
    [Primitive(n) for n in ("int", "float", "numeric", "text", "null", "any", "jsonb")]
)


@st.composite
def above(draw: st.DrawFn, type_: Type) -> Type:
    """A type that probably takes all that `type_` takes."""

    def up(inner: Type) -> Type:
        return draw(st.just(inner) | above(inner)) if draw(st.booleans()) else inner

    match draw(st.integers(0, 5)):
        case 0:
            return type_
        case 1:
            return Union((type_, draw(SIMPLE)))
        case 2:
            return draw(st.sampled_from([ANY, Primitive("jsonb"), Secret(type_)]))
    match type_:
        case Primitive("int"):
            return Primitive("float")
        case Primitive("float" | "decimal"):
            return NUMERIC
        case Refined(base, Constraint(_, (Constraint() as part, *_))) if draw(st.booleans()):
            return Refined(up(base), part)
        case Refined(base, constraint):
            weaker = Constraint("or", (constraint, draw(CONSTRAINTS)))
            return draw(st.sampled_from([base, Refined(up(base), weaker)]))
        case ListOf(item):
            return draw(st.sampled_from([ListOf(up(item)), Primitive("sequence")]))
        case TupleOf(items) if items and draw(st.booleans()):
            return ListOf(join((up(item) for item in items), {}))
        case TupleOf(items):
            return TupleOf(tuple(map(up, items)))
        case MapOf(key, value):
            return MapOf(up(key), up(value))
        case Union(members):
            return Union((*map(up, members), draw(SIMPLE)))
        case Record(fields, closed):
            if draw(st.booleans()):
                return MapOf(draw(st.sampled_from([KEYWORD, TEXT, ANY])), draw(SIMPLE))
            # Whether a record is JSON is judged by the fields that are known.
            kept = tuple(
                Field(f.name, up(f.type), f.required and draw(st.booleans()))
                for f in fields
                if closed or not fit(f.type, JSON, {}) or draw(st.booleans())
            )
            return Record(kept, closed and draw(st.booleans()))
        case Variant(cases):
            return Variant(tuple((tag, up(inner)) for tag, inner in cases))
        case Callable(parameters, result):
            return Callable(parameters, up(result))
        case Secret(inner):
            return Secret(up(inner))
    return type_


@given(st.data())
def test_8_2_a_type_fits_itself_and_what_joins_it(data: st.DataObject) -> None:
    types = {"user/other": data.draw(TYPES, "other")}
    assume(ends(types))
    one, other = data.draw(KINDS, "one"), data.draw(KINDS, "another")
    both = join((one, other), types)
    assert fit(one, one, types)
    assert fit(one, both, types)
    assert fit(other, both, types)


@given(st.data())
def test_8_2_what_fits_a_type_fits_all_above_it(data: st.DataObject) -> None:
    types = {"user/other": data.draw(TYPES, "other")}
    assume(ends(types))
    low = data.draw(KINDS, "low")
    middle = data.draw(above(low), "middle")
    high = data.draw(above(middle), "high")
    assume(not _hides_calls(low) and not _hides_calls(middle))
    assume(fit(low, middle, types) and fit(middle, high, types))
    event(f"{type(low).__name__} ⊆ {type(middle).__name__} ⊆ {type(high).__name__}")
    assert fit(low, high, types)


def _hides_calls(type_: Type) -> bool:
    """Whether a callable in it takes or gives what only its calls can tell."""
    match type_:
        case Callable():
            return True
        case Secret(inner) | ListOf(inner):
            return _hides_calls(inner)
        case Union(members):
            return any(map(_hides_calls, members))
        case Record(fields):
            return any(_hides_calls(field.type) for field in fields)
    return False


@given(st.data())
def test_8_5_what_is_proved_to_fit_passes_the_check(data: st.DataObject) -> None:
    types = {"user/other": data.draw(TYPES, "other")}
    assume(ends(types))
    low = data.draw(DATA, "low")
    high = data.draw(above(low) | DATA, "high")
    assume(fit(low, high, types))
    value = data.draw(value_of(low, types), "value")
    contracts = Contracts(types)
    assume(not contracts.violations(low, value))
    event(f"{type(low).__name__} ⊆ {type(high).__name__}")
    assert contracts.violations(high, value) == ()


@given(st.data())
def test_8_5_what_a_quick_test_takes_the_validators_take(data: st.DataObject) -> None:
    types = {"user/other": data.draw(TYPES, "other")}
    assume(ends(types))
    type_ = data.draw(DATA | st.just(Named("user/other")), "type")
    value = data.draw(value_of(type_, types) | VALUES, "value")
    if quick_test(type_, types)(value):
        event("taken")
        validator_of(type_, types).validate_python(value)
    else:
        event("left to the validators")


@given(VALUES)
def test_8_4_a_literal_is_of_its_type(value: Any) -> None:
    assert Contracts({}).violations(type_of(value), value) == ()


@given(st.data())
def test_5_2_the_narrower_of_two_types_is_one_of_them(data: st.DataObject) -> None:
    types = {"user/other": data.draw(TYPES, "other")}
    assume(ends(types))
    one = data.draw(DATA, "one")
    other = data.draw(above(one) | DATA, "another")
    found = narrower(one, other, types)
    assert found in (one, other, None)
    if found is not None and ANY not in (one, other):
        assert fit(found, one, types)
        assert fit(found, other, types)


def test_8_2_a_record_is_a_map_of_fields_only_when_it_has_no_others() -> None:
    known = type_of({Keyword("a"): 1})
    declared = Record((Field("a", INT),))
    ints = MapOf(KEYWORD, INT)
    assert fit(known, ints, {}).verdict == "fits"
    assert fit(declared, ints, {}).verdict == "guard"
    assert fit(declared, MapOf(KEYWORD, TEXT), {}).verdict == "differs"
