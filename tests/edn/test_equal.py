"""When two values are the same (LANGUAGE 10.1)."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import Keyword, Symbol, equal, identity_key, read

K = Keyword


class Colour(StrEnum):
    RED = "red"


@dataclass
class Unhashable:
    size: int


SAME = [
    ("1", "1.0"),
    ("1", "1M"),
    ("1.5", "1.50M"),
    ("0.0", "-0.0"),
    ("[1 [2.0]]", "[1.0 (2)]"),
    ("{:a 1}", '{"a" 1.0}'),
    ("{:a {:b 1}}", '{"a" {"b" 1}}'),
    ("{:a 1 :b 2}", "{:b 2 :a 1}"),
    ("{1 :x}", "{1.0 :x}"),
    ("#{1 2}", "#{2.0 1.0}"),
    ('#inst "2026-01-31T12:00:00Z"', '#inst "2026-01-31T13:00:00+01:00"'),
    ("a", "a"),
]
DIFFERENT = [
    ("1", "true"),
    ("0", "false"),
    ("1.0", "true"),
    ("[1]", "[true]"),
    ("[[0]]", "[[false]]"),
    ("{:a 1}", "{:a true}"),
    ("{1 :x}", "{true :x}"),
    ("#{1}", "#{true}"),
    ("#{:a}", '#{"a"}'),
    (":a", '"a"'),
    ("[:a]", '["a"]'),
    ("{:a :b}", '{:a "b"}'),
    ("{:a 1}", "{:a 1 :b 2}"),
    ("{:a nil}", "{:b nil}"),
    ("[1 2]", "[2 1]"),
    ("[1]", "[1 2]"),
    ("[]", "{}"),
    ("[]", "nil"),
    ("[1]", "#{1}"),
    ("false", "nil"),
    ("a", '"a"'),
    ("a", ":a"),
    ("0.1", "0.1M"),  # the float is not a tenth
]


def value_of(text: str) -> object:
    (form,) = read(text, "t.edn")
    return form.value


@pytest.mark.parametrize(("left", "right"), SAME)
def test_the_same(left: str, right: str) -> None:
    one, other = value_of(left), value_of(right)
    assert equal(one, other)
    assert equal(other, one)
    assert identity_key(one) == identity_key(other)
    assert hash(identity_key(one)) == hash(identity_key(other))


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different(left: str, right: str) -> None:
    one, other = value_of(left), value_of(right)
    assert not equal(one, other)
    assert not equal(other, one)
    assert identity_key(one) != identity_key(other)


def test_nan_equals_nan_so_that_distinct_keeps_one() -> None:
    assert equal(math.nan, float("nan"))
    assert equal([Decimal("nan")], [math.nan])
    assert len({identity_key(each) for each in (math.nan, float("nan"), Decimal("sNaN"))}) == 1


def test_lists_and_tuples_are_sequences_alike() -> None:
    assert equal([1, (2,)], (1, [2.0]))
    assert not equal((True,), (1,))


def test_foreign_values_are_compared_by_their_own_equality() -> None:
    assert equal([Unhashable(1)], [Unhashable(1)])
    assert not equal(Unhashable(1), Unhashable(2))
    assert identity_key(Unhashable(1)) == identity_key(Unhashable(1))
    assert equal(Colour.RED, "red")
    assert equal(b"x", b"x")
    assert not equal(object(), object())


def test_symbols_are_compared_by_name() -> None:
    assert equal(Symbol("a"), Symbol("a"))


def test_distinct_over_mixed_values() -> None:
    values = [1, True, 1.0, "a", K("a"), [1], [True], (1,), {K("a"): 1}, {"a": 1}]
    kept = {identity_key(value): value for value in reversed(values)}
    assert len(kept) == 7  # 1, true, "a", :a, [1], [true], {:a 1}


def deep(inside: object, levels: int) -> object:
    for _ in range(levels):
        inside = [{K("in"): inside}]
    return inside


def test_deep_values_are_compared_to_the_bottom() -> None:
    assert equal(deep(1, 20_000), deep(1.0, 20_000))
    assert not equal(deep(1, 20_000), deep(True, 20_000))
    assert identity_key(deep(1, 20_000)) == identity_key(deep(1, 20_000))
    assert identity_key(deep(1, 20_000)) != identity_key(deep(2, 20_000))


_near_scalars = st.sampled_from([0, 1, True, False, 1.0, "a", K("a"), None, Decimal(1)])
_near = st.recursive(
    _near_scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.frozensets(_near_scalars, max_size=2),
        st.dictionaries(_near_scalars, inner, max_size=2),
    ),
    max_leaves=4,
)


@given(one=_near, other=_near)
def test_equal_if_and_only_if_the_keys_are(one: object, other: object) -> None:
    assert equal(one, other) == (identity_key(one) == identity_key(other)) == equal(other, one)
    assert not equal(one, other) or hash(identity_key(one)) == hash(identity_key(other))


@given(data=st.data())
def test_a_copy_is_equal(values: st.SearchStrategy[object], data: st.DataObject) -> None:
    value = data.draw(values)
    twin = copy.deepcopy(value)
    assert equal(value, twin)
    assert identity_key(value) == identity_key(twin)


def doubling(levels: int, inside: object, make: Callable[[object], object]) -> object:
    """A value that holds one part twice at every level, 2 to the `levels` times in all."""
    for _ in range(levels):
        inside = make(inside)
    return inside


@pytest.mark.parametrize(
    "make",
    [lambda part: [part, part], lambda part: {"a": part, "b": part}],
    ids=["list", "map"],
)
def test_parts_that_stand_in_many_places_are_compared_once(make) -> None:
    one, other = doubling(200, [1], make), doubling(200, [1.0], make)
    assert equal(one, other)
    assert not equal(one, doubling(200, [2], make))
    assert not equal([one, 1], [other, 2])


def test_comparing_values_inside_themselves_ends() -> None:
    one: list[object] = [1]
    one.append(one)
    other: list[object] = [1]
    other.append(other)
    assert equal(one, other)
    other[0] = 2
    assert not equal(one, other)
