"""Numbers: bodies of `stdlib_graphs/arithmetic.edn`.

Lists of plain ints and floats take a fast way; everything else is looked at one by one. Numbers
are folded from the left with two-place operators, so that a body and what the compiler writes
in place of a call give the same float on every Python.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, DecimalException
from functools import reduce
from typing import Any, TypeAlias

from graphden.edn import equal
from graphden.errors import RunError
from graphden.run.registry import Expression, Fold, Pair
from graphden.stdlib.arguments import (
    PLAIN_NUMBERS,
    describe,
    invalid,
    is_number,
    wrong,
    wrong_item,
)
from graphden.stdlib.functions import functions

Number: TypeAlias = int | float | Decimal
# Any: operators over a mixture of number types that Python itself has no name for.
Operator: TypeAlias = Callable[[Any, Any], Any]

_DECIMALS = Context(prec=28, rounding=ROUND_HALF_EVEN)
"""LANGUAGE 10.3, whatever the thread's own decimal context is."""


@functions.add("add", template=Fold("+", "int"))
def add(nums: Sequence[Number]) -> Number:
    return _fold("add", nums, operator.add, _DECIMALS.add) if nums else 0


@functions.add("sub", template=Fold("-", "int"))
def sub(nums: Sequence[Number]) -> Number:
    if len(nums) > 1:
        return _fold("sub", nums, operator.sub, _DECIMALS.subtract)
    if not nums:
        raise invalid("sub: :nums is empty; at least one number is needed")
    return neg(_single("sub", nums))


@functions.add("mul", template=Fold("*", "int"))
def mul(nums: Sequence[Number]) -> Number:
    return _fold("mul", nums, operator.mul, _DECIMALS.multiply) if nums else 1


@functions.add("div")
def div(nums: Sequence[Number]) -> Number:
    if not nums:
        raise invalid("div: :nums is empty; at least one number is needed")
    divided = nums if len(nums) > 1 else (1, _single("div", nums))
    try:
        return _fold("div", divided, _divide, _divide_decimals)
    except ZeroDivisionError:
        raise _division_by_zero(nums) from None


@functions.add(
    "mod",
    template=Expression(
        "dividend % divisor", {"dividend": "int", "divisor": "int"}, nonzero="divisor"
    ),
)
def mod(dividend: Number, divisor: Number) -> Number:
    return _two("mod", dividend, divisor, operator.mod, _decimal_mod)


@functions.add("quot")
def quot(dividend: Number, divisor: Number) -> Number:
    return _two("quot", dividend, divisor, _quotient, _DECIMALS.divide_int)


@functions.add("neg", template=Expression("-number", {"number": "int"}))
def neg(number: Number) -> Number:
    if isinstance(number, Decimal):
        return number.copy_negate() if number else number
    return -_number("neg", number)


@functions.add("abs")
def absolute(number: Number) -> Number:
    if isinstance(number, Decimal):
        return number.copy_abs()
    return abs(_number("abs", number))


@functions.add("eq", template=Pair("==", ("int", "text", "keyword", "bool", "uuid")))
def eq(values: Sequence[object]) -> bool:
    if len(values) == 2:
        return equal(values[0], values[1])
    return all(equal(values[0], value) for value in values[1:])


@functions.add("neq", template=Pair("!=", ("int", "text", "keyword", "bool", "uuid")))
def neq(values: Sequence[object]) -> bool:
    return not eq(values)


@functions.add("lt", template=Pair("<", ("int",)))
def lt(nums: Sequence[Number]) -> bool:
    return _chain("lt", nums, operator.lt)


@functions.add("lte", template=Pair("<=", ("int",)))
def lte(nums: Sequence[Number]) -> bool:
    return _chain("lte", nums, operator.le)


@functions.add("gt", template=Pair(">", ("int",)))
def gt(nums: Sequence[Number]) -> bool:
    return _chain("gt", nums, operator.gt)


@functions.add("gte", template=Pair(">=", ("int",)))
def gte(nums: Sequence[Number]) -> bool:
    return _chain("gte", nums, operator.ge)


def _fold(function: str, nums: Sequence[Number], plain: Operator, decimal: Operator) -> Number:
    """`nums` (not empty) joined from the left, by `decimal` as soon as one of them is one."""
    try:
        if PLAIN_NUMBERS.issuperset(map(type, nums)):
            folded: Number = reduce(plain, nums)
        else:
            folded = reduce(_operator(function, nums, plain, decimal), nums)
    except OverflowError:
        raise _too_large(function) from None
    except DecimalException as error:
        raise _not_decimal(function, error) from None
    return _finite(function, folded)


def _operator(
    function: str, nums: Sequence[Number], plain: Operator, decimal: Operator
) -> Operator:
    """What joins these numbers; raises when one is not a number or a float meets a decimal."""
    _check(function, nums)
    if not any(isinstance(number, Decimal) for number in nums):
        return plain
    for position, number in enumerate(nums, 1):
        if isinstance(number, float):
            raise invalid(
                f"{function}: item {position} of :nums is {describe(number)}; "
                "beside a decimal, a decimal or an int is needed"
            )
    return decimal


def _check(function: str, nums: Sequence[Number]) -> None:
    for position, number in enumerate(nums, 1):
        if not is_number(number):
            raise wrong_item(function, "nums", position, number, "a number")


def _single(function: str, nums: Sequence[Number]) -> Number:
    _check(function, nums)
    return nums[0]


def _number(function: str, number: float) -> float:
    if type(number) in PLAIN_NUMBERS or is_number(number):
        return number
    raise wrong(function, "number", number, "a number")


def _divide(dividend: float, divisor: float) -> float:
    """An int when both are ints and the division is exact (LANGUAGE 10.3)."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        quotient, remainder = divmod(dividend, divisor)
        if not remainder:
            return quotient
    return dividend / divisor


def _divide_decimals(dividend: Decimal, divisor: Decimal) -> Decimal:
    if not divisor:
        raise ZeroDivisionError
    return _DECIMALS.divide(dividend, divisor)


def _two(
    function: str, dividend: Number, divisor: Number, plain: Operator, decimal: Operator
) -> Number:
    """`plain` or `decimal` of the two, with errors that name the slots."""
    try:
        if type(dividend) in PLAIN_NUMBERS and type(divisor) in PLAIN_NUMBERS:
            result: Number = plain(dividend, divisor)
            return _finite(function, result)
        for slot, number in (("dividend", dividend), ("divisor", divisor)):
            if not is_number(number):
                raise wrong(function, slot, number, "a number")
        if not isinstance(dividend, Decimal) and not isinstance(divisor, Decimal):
            result = plain(dividend, divisor)
        elif isinstance(dividend, float) or isinstance(divisor, float):
            raise invalid(
                f"{function}: one of :dividend and :divisor is a float and the other a "
                "decimal; two numbers of one kind are needed"
            )
        elif not divisor:
            raise ZeroDivisionError
        else:
            result = decimal(dividend, divisor)
    except ZeroDivisionError:
        raise RunError("division-by-zero", f"{function}: :divisor is 0") from None
    except (OverflowError, ValueError):
        raise _too_large(function) from None
    except DecimalException as error:
        raise _not_decimal(function, error) from None
    return _finite(function, result)


def _finite(function: str, result: Number) -> Number:
    """What was computed, unless it is beyond the floats: there is no infinity to go on with."""
    if type(result) is float and not math.isfinite(result):
        raise invalid(f"{function}: the result is too large for a float")
    return result


def _quotient(dividend: float, divisor: float) -> float:
    """Rounded towards zero; ints exactly, floats as a float."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        quotient = abs(dividend) // abs(divisor)
        return quotient if (dividend < 0) == (divisor < 0) else -quotient
    if not divisor:
        raise ZeroDivisionError
    # Without the remainder the division is whole up to rounding; dividing first could round a
    # quotient just under a whole number up to it.
    whole = (dividend - math.fmod(dividend, divisor)) / divisor
    return float(round(whole)) if math.isfinite(whole) else whole


def _decimal_mod(dividend: Decimal, divisor: Decimal) -> Decimal:
    """Python's own remainder of decimals has the dividend's sign; here the divisor's counts."""
    remainder = _DECIMALS.remainder(dividend, divisor)
    if remainder and (remainder < 0) != (divisor < 0):
        return _DECIMALS.add(remainder, divisor)
    return remainder


def _chain(function: str, nums: Sequence[Number], holds: Callable[[Any, Any], bool]) -> bool:
    """Whether `holds` is true of every number and its successor."""
    if not PLAIN_NUMBERS.issuperset(map(type, nums)):
        _check(function, nums)
    try:
        if len(nums) == 2:
            return holds(nums[0], nums[1])
        return all(map(holds, nums, nums[1:]))
    except DecimalException as error:
        raise _not_decimal(function, error) from None


def _division_by_zero(nums: Sequence[Number]) -> RunError:
    positions = range(2, len(nums) + 1) if len(nums) > 1 else (1,)
    zero = next(position for position in positions if not nums[position - 1])
    return RunError("division-by-zero", f"div: item {zero} of :nums is 0")


def _too_large(function: str) -> RunError:
    return invalid(f"{function}: a number is too large for a float")


def _not_decimal(function: str, error: DecimalException) -> RunError:
    return invalid(
        f"{function}: the result is not a decimal of 28 digits ({type(error).__name__})"
    )
