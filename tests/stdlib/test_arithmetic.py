"""Bodies of stdlib_graphs/arithmetic.edn."""

import decimal
import math
import operator
from decimal import Decimal
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.errors import RunError

ints = st.integers()
floats = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("name", "nums", "result"),
    [
        ("add", [], 0),
        ("add", [1, 2, 3], 6),
        ("add", [1, 2.5], 3.5),
        ("add", [-0.0], -0.0),
        ("add", [Decimal("0.1"), Decimal("0.2"), 1], Decimal("1.3")),
        ("sub", [5], -5),
        ("sub", [10, 3, 2], 5),
        ("sub", [Decimal("1.5")], Decimal("-1.5")),
        ("sub", [Decimal(1), 3], Decimal(-2)),
        ("mul", [], 1),
        ("mul", [2, 3, 4], 24),
        ("mul", [Decimal("1.5"), 2], Decimal("3.0")),
        ("div", [6, 3], 2),
        ("div", [7, 2], 3.5),
        ("div", [24, 2, 3], 4),
        ("div", [4], 0.25),
        ("div", [1], 1),
        ("div", [-6, 3], -2),
        ("div", [6.0, 3], 2.0),
        ("div", [10**30, 10**10], 10**20),
    ],
)
def test_folds(call, name, nums, result):
    """LANGUAGE 10.3 and 11, edge behaviour"""
    found = call(name, nums)

    assert (type(found), found) == (type(result), result)
    assert math.copysign(1, found) == math.copysign(1, result)


def test_decimals_divide_to_28_digits(call):
    """LANGUAGE 10.3"""
    assert call("div", [Decimal(1), Decimal(3)]) == Decimal("0.3333333333333333333333333333")


def test_decimals_round_half_to_even(call):
    """LANGUAGE 10.3: the 29th digit is a 5 alone, and the 28th decides."""
    digits = 10**27
    assert call("div", [Decimal(digits * 10 + 5), 10]) == digits
    assert call("div", [Decimal((digits + 1) * 10 + 5), 10]) == digits + 2


def test_decimals_do_not_follow_the_context_of_the_thread(call):
    """LANGUAGE 10.3"""
    with decimal.localcontext(prec=3):
        assert call("add", [Decimal("1.0000001"), 1]) == Decimal("2.0000001")


@pytest.mark.parametrize(
    ("name", "nums", "message"),
    [
        ("sub", [], "sub: :nums is empty; at least one number is needed"),
        ("div", [], "div: :nums is empty; at least one number is needed"),
        ("add", [1, "a"], 'add: item 2 of :nums is text "a"; a number is needed'),
        ("add", [True, 1], "add: item 1 of :nums is true; a number is needed"),
        ("sub", [True], "sub: item 1 of :nums is true; a number is needed"),
        ("mul", [2, None], "mul: item 2 of :nums is nil; a number is needed"),
        ("mul", [2, [1, 2]], "mul: item 2 of :nums is a list of 2 items; a number is needed"),
        ("lt", [1, False], "lt: item 2 of :nums is false; a number is needed"),
        (
            "div",
            [1.5, Decimal(2)],
            "div: item 1 of :nums is the number 1.5; beside a decimal, "
            "a decimal or an int is needed",
        ),
        ("mul", [10**400, 1.5], "mul: a number is too large for a float"),
        ("div", [10**400, 3], "div: a number is too large for a float"),
    ],
)
def test_wrong_numbers(call, name, nums, message):
    """LANGUAGE 8.2, 10.3, 11"""
    with pytest.raises(RunError) as raised:
        call(name, nums)

    assert (raised.value.code, raised.value.message) == ("invalid-argument", message)


@pytest.mark.parametrize(
    ("nums", "item"), [([1, 0], 2), ([1.0, 2, 0.0], 3), ([0], 1), ([Decimal(0), Decimal(0)], 2)]
)
def test_div_by_zero_names_the_item(call, nums, item):
    with pytest.raises(RunError) as raised:
        call("div", nums)

    assert raised.value.code == "division-by-zero"
    assert raised.value.message == f"div: item {item} of :nums is 0"


@pytest.mark.parametrize("name", ["mod", "quot"])
@pytest.mark.parametrize("zero", [0, 0.0, Decimal(0)])
def test_mod_and_quot_by_zero(call, name, zero):
    with pytest.raises(RunError) as raised:
        call(name, 1, zero)

    assert raised.value.code == "division-by-zero"


@pytest.mark.parametrize(
    ("dividend", "divisor", "mod", "quot"),
    [
        (7, 3, 1, 2),
        (-7, 3, 2, -2),
        (7, -3, -2, -2),
        (-7, -3, -1, 2),
        (7.5, 2, 1.5, 3.0),
        (-7.5, 2, 0.5, -3.0),
        (Decimal("-7.5"), 2, Decimal("0.5"), Decimal(-3)),
        (Decimal("7.5"), -2, Decimal("-0.5"), Decimal(-3)),
        (10**40 + 1, 10**20, 1, 10**20),
    ],
)
def test_mod_follows_the_divisor_and_quot_truncates(call, dividend, divisor, mod, quot):
    """LANGUAGE 11, edge behaviour"""
    assert call("mod", dividend, divisor) == mod
    assert call("quot", dividend, divisor) == quot


def test_quot_of_ints_takes_no_way_through_floats(call):
    """LANGUAGE 10.3"""
    assert call("quot", 10**30 + 7, 10) == 10**29


def test_a_quot_just_under_a_whole_number_is_not_rounded_up(call):
    assert call("quot", math.nextafter(3.0, 0.0), 1.0) == 2.0


@pytest.mark.parametrize(
    ("dividend", "divisor"), [(1.5, Decimal(2)), (Decimal(2), 1.5), (True, 2), (2, "1")]
)
def test_mod_of_what_does_not_mix(call, dividend, divisor):
    with pytest.raises(RunError, match="mod: ") as raised:
        call("mod", dividend, divisor)

    assert raised.value.code == "invalid-argument"


@pytest.mark.parametrize(
    ("name", "number", "result"),
    [
        ("neg", 3, -3),
        ("neg", -2.5, 2.5),
        ("neg", Decimal("1.5"), Decimal("-1.5")),
        ("abs", -3, 3),
        ("abs", -0.0, 0.0),
        ("abs", Decimal(-2), Decimal(2)),
    ],
)
def test_signs(call, name, number, result):
    assert repr(call(name, number)) == repr(result)


@pytest.mark.parametrize("name", ["neg", "abs", "zero?"])
def test_a_bool_has_no_sign(call, name):
    """LANGUAGE 8.2"""
    with pytest.raises(RunError, match=r":number is true; a number is needed"):
        call(name, True)


@pytest.mark.parametrize(
    ("values", "same"),
    [
        ([], True),
        ([1], True),
        ([1, 1.0, Decimal(1)], True),
        ([1, True], False),
        ([0, False], False),
        ([1, 1, 2], False),
        ([{"a": [1, 2]}, {"a": [1.0, 2]}], True),
        ([[True], [1]], False),
    ],
)
def test_eq_compares_by_structure(call, values, same):
    """LANGUAGE 10.1"""
    assert call("eq", values) is same
    assert call("neq", values) is not same


@pytest.mark.parametrize(
    ("name", "nums", "holds"),
    [
        ("lt", [1, 2, 3], True),
        ("lt", [1, 3, 2], False),
        ("lt", [1, 1], False),
        ("lt", [], True),
        ("lt", [5], True),
        ("lte", [1, 1, 2], True),
        ("lte", [2, 1], False),
        ("gt", [3, 2, 1], True),
        ("gt", [3, 3], False),
        ("gte", [3, 3, 1.5], True),
        ("gte", [1, 2], False),
        ("lt", [Decimal("0.1"), 0.2], True),
    ],
)
def test_comparisons_chain(call, name, nums, holds):
    """LANGUAGE 11"""
    assert call(name, nums) is holds


@given(st.lists(ints | floats, min_size=1, max_size=6))
def test_add_is_a_fold_from_the_left(call, nums):
    """The compiler writes `a + b + …` in place of a call: both must give the same float."""
    try:
        expected = reduce(operator.add, nums)
    except OverflowError:
        with pytest.raises(RunError):
            call("add", nums)
    else:
        assert call("add", nums) == expected


@given(ints, ints.filter(bool))
def test_quot_and_remainder_make_the_dividend(call, dividend, divisor):
    quotient = call("quot", dividend, divisor)
    remainder = dividend - quotient * divisor

    assert abs(remainder) < abs(divisor)
    assert remainder == 0 or (remainder < 0) == (dividend < 0)


@given(ints, ints.filter(bool))
def test_mod_lies_between_zero_and_the_divisor(call, dividend, divisor):
    found = call("mod", dividend, divisor)

    assert (dividend - found) % divisor == 0
    assert found == 0 or (abs(found) < abs(divisor) and (found < 0) == (divisor < 0))


@given(st.integers(-(2**60), 2**60), st.integers(-(2**60), 2**60).filter(bool))
def test_div_of_ints_is_an_int_exactly_when_it_is_exact(call, dividend, divisor):
    """LANGUAGE 10.3"""
    found = call("div", [dividend, divisor])

    assert isinstance(found, int) is (dividend % divisor == 0)
    assert (
        found == dividend / divisor if isinstance(found, float) else found * divisor == dividend
    )


@given(st.decimals("-1e9", "1e9", places=4), st.decimals("0.0001", "1e6", places=4))
def test_mod_and_quot_of_decimals(call, dividend, divisor):
    found = call("mod", dividend, divisor)

    assert 0 <= found < divisor
    assert call("quot", dividend, divisor) == int(dividend / divisor)
