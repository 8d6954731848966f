"""Bodies of stdlib_graphs/logic.edn."""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest

import graphden
from graphden.edn import Keyword
from graphden.errors import RunError


def never():
    pytest.fail("a part that is not taken was evaluated")


def given(value):
    return lambda: value


@pytest.mark.parametrize("value", [0, 0.0, "", [], {}, frozenset(), True])
def test_only_nil_and_false_are_false(call, value):
    """LANGUAGE 7.1"""
    assert call("if", value, given("then"), never) == "then"
    assert call("not", value) is False


@pytest.mark.parametrize("value", [None, False])
def test_nil_and_false_are_false(call, value):
    """LANGUAGE 7.1"""
    assert call("if", value, never, given("else")) == "else"
    assert call("if", value, never, None) is None
    assert call("not", value) is True


def test_and_stops_at_the_first_false_and_gives_a_boolean(call):
    """LANGUAGE 7.1, 11"""
    assert call("and", [given(1), given(None), never]) is False
    assert call("and", [given(1), given(0)]) is True
    assert call("and", []) is True


def test_or_stops_at_the_first_true_and_gives_a_boolean(call):
    """LANGUAGE 7.1, 11"""
    assert call("or", [given(None), given(5), never]) is True
    assert call("or", [given(None), given(False)]) is False
    assert call("or", []) is False


def test_cond_takes_the_first_true_test(call):
    """LANGUAGE 7.1, 11"""
    clauses = [given(False), never, given(1), given("one"), never, never]

    assert call("cond", clauses) == "one"
    assert call("cond", [given(None), never]) is None
    assert call("cond", []) is None


def test_cond_needs_a_result_for_each_test(call):
    with pytest.raises(RunError, match="cond: :clauses has 3 items; an even number"):
        call("cond", [never, never, never])


def test_case_takes_the_first_equal_candidate(call):
    """LANGUAGE 10.1"""
    clauses = [given(True), never, given("a"), never, given(1.0), given("one"), never, never]

    assert call("case", 1, clauses, never) == "one"


def test_case_without_a_fitting_candidate(call):
    clauses = [given(Keyword("a")), never]

    assert call("case", "a", clauses, given("default")) == "default"
    assert call("case", "a", clauses, None) is None


def test_coalesce_replaces_nil_only(call):
    """LANGUAGE 7.1"""
    assert call("coalesce", False, never) is False
    assert call("coalesce", None, given(3)) == 3


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("some?", None, False),
        ("some?", False, True),
        ("nil?", None, True),
        ("nil?", 0, False),
        ("zero?", 0.0, True),
        ("zero?", Decimal("0.00"), True),
        ("zero?", 1, False),
    ],
)
def test_questions(call, name, value, result):
    assert call(name, value) is result


def test_claims_give_the_value(call):
    assert call("assert", 0) == 0
    assert call("assert-some", False) is False
    assert call("assert-eq", 1, 1.0) == 1


@pytest.mark.parametrize(
    ("name", "slots", "message"),
    [
        ("assert", (False,), "assert: the value is false"),
        ("assert-some", (None,), "assert-some: the value is nil"),
        ("assert-eq", (1, True), "assert-eq: true was expected; the number 1 came"),
        (
            "assert-eq",
            ("a", Keyword("a")),
            'assert-eq: the keyword :a was expected; text "a" came',
        ),
    ],
)
def test_claims_that_do_not_hold(call, name, slots, message):
    with pytest.raises(RunError) as raised:
        call(name, *slots)

    assert (raised.value.code, raised.value.message) == ("assertion-failed", message)


def test_equal_tells_keyword_and_text_apart(call):
    """LANGUAGE 10.1"""
    assert call("equal?", Keyword("a"), "a") is False
    assert call("equal?", {Keyword("a"): 1}, {"a": 1.0}) is True


def test_values_pass_through(call):
    assert call("const", 5) == call("identity", 5) == 5


K = Keyword
NOW = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "type_", "fits"),
    [
        (1, K("int"), True),
        (True, K("int"), False),
        (True, K("numeric"), False),
        (1, K("float"), True),
        (Decimal(1), K("float"), False),
        (Decimal(1), K("numeric"), True),
        ("a", K("text"), True),
        (K("a"), K("text"), False),
        (K("a"), K("keyword"), True),
        (None, K("null"), True),
        (None, K("any"), True),
        (1, K("never"), False),
        (UUID(int=1), K("uuid"), True),
        (NOW, K("timestamptz"), True),
        (NOW.replace(tzinfo=None), K("timestamptz"), False),
        (b"", K("bytes"), True),
        ({"a": [1, {K("b"): None}]}, K("jsonb"), True),
        ({1: 2}, K("jsonb"), False),
        ([b""], K("jsonb"), False),
        (float("nan"), K("jsonb"), False),
        ([1, 2], [K("list"), K("int")], True),
        ([1, "a"], [K("list"), K("int")], False),
        ({"a": 1}, [K("map"), K("text"), K("int")], True),
        ([1, "a"], [K("tuple"), K("int"), K("text")], True),
        ([1], [K("tuple"), K("int"), K("text")], False),
        (None, [K("union"), K("int"), K("null")], True),
        ("a", [K("union"), K("int"), K("null")], False),
        (len, [K("fn"), {}, K("int")], True),
    ],
)
def test_is_a(call, value, type_, fits):
    """LANGUAGE 8.1, 8.2"""
    assert call("is-a?", value, type_, types={}) is fits


SHAPES = """
{:name :order :type {:sku :text :qty :int}}
{:name :port :refine {:base :int :constraint [:= 80]}}
{:name :size :namespace :one :refine {:base :int :constraint [:> 1]}}
{:name :size :namespace :two :refine {:base :int :constraint [:> 2]}}
{:name :asked :parent :is-a? :args {}}
"""


@pytest.mark.parametrize(
    ("value", "type_", "fits"),
    [
        ({"sku": "a", "qty": 1}, K("order"), True),
        ({"sku": "a"}, K("order"), False),
        ([{"sku": "a", "qty": 1}], [K("list"), K("order")], True),
        ([{"sku": "a", "qty": "1"}], [K("list"), K("user/order")], False),
        (2, K("two/size"), False),
        (2, K("one/size"), True),
        (80, K("core.refinements/port"), True),
        (81, K("user/port"), False),
        (5, K("positive-int"), True),
        (-5, [K("union"), K("positive-int"), K("null")], False),
    ],
)
def test_is_a_type_row(value, type_, fits):
    """LANGUAGE 1.3, 2.3"""
    graph = graphden.Graph.parse(SHAPES)

    assert graph.run("asked", {"value": value, "type": type_}) is fits


def test_is_a_type_row_of_several_names_them():
    graph = graphden.Graph.parse(SHAPES)

    with pytest.raises(RunError) as raised:
        graph.run("asked", {"value": 1, "type": K("size")})

    assert raised.value.message == (
        "is-a?: :type is :size, which may mean :one/size, :two/size; write it in full"
    )
    assert raised.value.row == "asked"


@pytest.mark.parametrize("type_", [K("order-shape"), 5, [], [K("list")], None])
def test_is_a_of_what_is_no_type(call, type_):
    with pytest.raises(RunError, match=r"is-a\?: :type is .* no type") as raised:
        call("is-a?", 1, type_, types={})

    assert raised.value.code == "invalid-argument"
