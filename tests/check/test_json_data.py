"""What the type `jsonb` takes (LANGUAGE 8.2)."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from graphden.check.contracts import Contracts
from graphden.check.quick import quick_test
from graphden.edn import Keyword
from graphden.model.types import ListOf, MapOf, Named, Primitive, Type, Union
from tests.language.saying import Fails, report, value

JSON = Primitive("jsonb")
TEXT = Primitive("text")
TREE = {"tree": Union((ListOf(Named("tree")), JSON))}
DEEP = 100_000


def violations(given: object, type_: Type = JSON) -> list[str]:
    return [str(each) for each in Contracts(TREE).violations(type_, given)]


def nested(inside: object, levels: int) -> object:
    for _ in range(levels):
        inside = [inside]
    return inside


class Tagged(dict[str, object]):
    """A map of a kind of its own."""


TWICE: list[object] = [1]
RIGHT = [
    None,
    True,
    1,
    1.5,
    Decimal("1.5"),
    "a",
    Keyword("a"),
    UUID(int=1),
    datetime(2026, 1, 1, tzinfo=UTC),
    [],
    (1, [2]),
    {},
    {"a": [{Keyword("b"): None}]},
    Tagged(a=[1]),
    [TWICE, TWICE],
]


@pytest.mark.parametrize("given", RIGHT, ids=repr)
@pytest.mark.parametrize("type_", [JSON, Union((JSON, Primitive("null"))), Named("tree")])
def test_8_2_what_is_jsonb(given, type_):
    assert violations(given, type_) == []
    assert violations([given], ListOf(type_)) == []
    assert violations({"k": given}, MapOf(TEXT, type_)) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (b"x", ["expected :jsonb, got #<bytes>"]),
        (frozenset({1}), ["expected :jsonb, got #{1}"]),
        ({1: 2}, ["expected a key that is text or a keyword, got 1"]),
        ({"a": [0, b"x"]}, ["at :a[1] expected :jsonb, got #<bytes>"]),
        ({"a": {None: 1}}, ["at :a expected a key that is text or a keyword, got nil"]),
        (
            [b"x", {"b": frozenset()}],
            ["at [0] expected :jsonb, got #<bytes>", "at [1]:b expected :jsonb, got #{}"],
        ),
        (float("nan"), ["expected :jsonb, got ##NaN"]),
        (Decimal("-Infinity"), ["expected :jsonb, got ##-Inf"]),
        (
            [1.5, float("inf"), {"a": Decimal("NaN")}],
            ["at [1] expected :jsonb, got ##Inf", "at [2]:a expected :jsonb, got ##NaN"],
        ),
        ([b"x"] * 20, [f"at [{index}] expected :jsonb, got #<bytes>" for index in range(10)]),
    ],
    ids=lambda each: repr(each)[:20],
)
def test_8_2_what_is_no_jsonb_is_told_by_its_place(given, expected):
    assert violations(given) == expected
    assert not quick_test(JSON, {})(given)
    assert not quick_test(ListOf(JSON), {})([given])
    assert not quick_test(MapOf(TEXT, JSON), {})({"k": given})
    assert not quick_test(Named("tree"), TREE)(given)


def test_8_2_an_instant_without_an_offset_is_no_jsonb():
    assert len(violations(datetime(2026, 1, 1))) == 1  # noqa: DTZ001 - that is what is tested


FINITE = [1.5, -0.0, 10**400, Decimal("1E+999")]
ENDLESS = [math.nan, math.inf, -math.inf, Decimal("sNaN"), Decimal("Infinity")]


@pytest.mark.parametrize("given", FINITE + ENDLESS, ids=repr)
def test_10_2_a_number_is_finite_whatever_type_looks_at_it(given):
    """So what is of a type that fits jsonb is jsonb (8.2), and need not be looked at again."""
    finite = any(given is each for each in FINITE)
    own = Primitive("decimal" if isinstance(given, Decimal) else "float")
    for type_ in (own, Primitive("numeric"), JSON):
        for whole, inside in (
            (type_, given),
            (ListOf(type_), [1.5, given] if own.name == "float" else [given]),
            (MapOf(TEXT, type_), {"k": given}),
            (Union((type_, TEXT)), given),
        ):
            assert (violations(inside, whole) == []) is finite
            assert quick_test(whole, {})(inside) is finite


@pytest.mark.parametrize("given", [object(), len, {1, 2}, bytearray(b"x"), range(3)], ids=repr)
def test_8_2_what_is_no_data_is_no_jsonb(given):
    assert len(violations(given)) == len(violations([given])) == 1


def test_8_2_a_value_may_be_deep_and_wide():
    assert violations(nested(1, DEEP)) == []
    assert violations([nested(1, 10)] * DEEP) == []
    [found] = Contracts({}).violations(JSON, nested(b"x", DEEP))
    assert (found.came, len(found.path)) == ("#<bytes>", 200)


def test_8_2_a_value_that_doubles_at_each_level_is_looked_at_once():
    given: object = 1
    for _ in range(200):
        given = [given, given]
    assert violations(given) == []


def test_8_2_what_is_inside_itself_is_no_jsonb():
    given: list[object] = []
    given.append({"a": given})
    assert len(violations(given)) == 1


def test_8_5_any_value_is_looked_at_where_jsonb_is_taken():
    text = """
    {:name :maps :parent :identity :args {:value {:as :m}}}
    {:name :r :parent :str :args {:parts [{:type :jsonb :ref :maps}]}}
    {:name :typed :parent :str :args {:parts [{:type :jsonb :value {1 2}}]}}
    """
    assert value(text.replace(":typed", ":other").replace("{1 2}", "3"), m={"a": 1})
    assert report(text) == [("type-mismatch", "typed", "{:type :jsonb :value {1 2}}")]
    assert value(text.split("{:name :typed")[0], m=b"x") == Fails("contract-violation")
