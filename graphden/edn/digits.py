"""Integers of any size to digits and back.

Python limits `int(text)` and `str(int)` to 4,300 digits; `decimal` converts exactly without
that limit, and integers of rows are unbounded (LANGUAGE 10.1).
"""

from __future__ import annotations

from decimal import Decimal


def integer(digits: str) -> int:
    """The integer that decimal `digits`, with an optional sign, stand for."""
    return int(digits) if len(digits) < 4_000 else int(Decimal(digits))


def digits_of(value: int) -> str:
    """The decimal digits of `value`, with a minus sign if it is negative."""
    return int.__repr__(value) if value.bit_length() < 13_000 else str(Decimal(value))
