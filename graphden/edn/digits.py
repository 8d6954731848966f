"""Integers of any size to digits and back (LANGUAGE 10.1).

Python limits `int(text)` and `str(int)` to 4,300 digits, since before 3.12 their time grows
with the square of the length; the conversions of `decimal` have no limit and the same fault: a
million digits take a minute. Here a long number is halved until its parts are short, and the
parts are joined by multiplication, which is faster than that: a million take a second.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

_SHORT_DIGITS = 4_000
_SHORT_BITS = 13_000
"""Safely within Python's limit of 4,300 digits."""

_EXACT = decimal.Context(
    prec=decimal.MAX_PREC,
    Emax=decimal.MAX_EMAX,
    Emin=decimal.MIN_EMIN,
    traps=[decimal.Inexact, decimal.InvalidOperation],
)


def integer(digits: str) -> int:
    """The integer that decimal `digits`, with an optional sign, stand for."""
    if len(digits) < _SHORT_DIGITS:
        return int(digits)
    magnitude = _joined(digits.lstrip("+-"), lru_cache(lambda places: 10**places))
    return -magnitude if digits[0] == "-" else magnitude


def digits_of(value: int) -> str:
    """The decimal digits of `value`, with a minus sign if it is negative."""
    if value.bit_length() < _SHORT_BITS:
        return int.__repr__(value)
    power = lru_cache(lambda bits: _EXACT.power(Decimal(2), bits))
    return format(_decimal(value, value.bit_length(), power), "f")


def _joined(digits: str, power: Callable[[int], int]) -> int:
    if len(digits) < _SHORT_DIGITS:
        return int(digits)
    places = len(digits) // 2
    high, low = digits[:-places], digits[-places:]
    return _joined(high, power) * power(places) + _joined(low, power)


def _decimal(value: int, bits: int, power: Callable[[int], Decimal]) -> Decimal:
    if bits < _SHORT_BITS:
        return Decimal(value)
    half = bits // 2
    high = value >> half
    low = value - (high << half)
    return _EXACT.add(
        _EXACT.multiply(_decimal(high, bits - half, power), power(half)),
        _decimal(low, half, power),
    )
