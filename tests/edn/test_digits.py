"""Integers of any size to digits and back (LANGUAGE 10.1)."""

import sys
import time
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn.digits import digits_of, integer


@contextmanager
def without_limit():
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


@given(st.integers(), st.integers(0, 6_000), st.integers(-9, 9))
def test_digits_are_those_of_python(factor, zeros, rest):
    value = factor * 10**zeros + rest
    with without_limit():
        digits = str(value)

    assert digits_of(value) == digits
    assert integer(digits) == value


@pytest.mark.parametrize("length", [3_999, 4_000, 4_001, 4_300, 4_301, 8_001, 50_000])
def test_lengths_near_the_limits(length):
    digits = ("9081726354" * (length // 10 + 1))[:length]

    assert digits_of(integer(digits)) == digits
    assert digits_of(integer("-" + digits)) == "-" + digits
    assert integer("+" + digits) == integer("00" + digits)


def test_a_million_digits_take_no_minute():
    digits = "7" * 1_000_000

    started = time.process_time()
    assert digits_of(integer(digits)) == digits
    assert time.process_time() - started < 15  # halved; the plain way needs two minutes
