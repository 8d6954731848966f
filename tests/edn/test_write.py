"""Values to EDN text: what is written can be read, as the same value of the same type."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import Keyword, Symbol, equal, read, write

K = Keyword
ID = "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"

WRITTEN = [
    (None, "nil"),
    (True, "true"),
    (0, "0"),
    (-7, "-7"),
    (1.0, "1.0"),
    (1e22, "1e+22"),
    (-0.0, "-0.0"),
    (Decimal("1.50"), "1.50M"),
    (Decimal("1E+5"), "1E+5M"),
    ('a"b\\c\n\t\r', r'"a\"b\\c\n\t\r"'),
    ("\0\x1b\u0085é漢🐢", r'"\u0000\u001b\u0085é漢🐢"'),
    (K("a/b"), ":a/b"),
    (Symbol("a"), "a"),
    (UUID(ID), f'#uuid "{ID}"'),
    (datetime(2026, 1, 31, 12, tzinfo=UTC), '#inst "2026-01-31T12:00:00Z"'),
    (
        datetime(2026, 1, 31, 12, 0, 0, 5, timezone(timedelta(hours=-3))),
        '#inst "2026-01-31T12:00:00.000005-03:00"',
    ),
    (
        datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(seconds=30))),
        '#inst "2026-01-31T11:59:30Z"',
    ),
    ([], "[]"),
    ([1, [2, ()]], "[1 [2 []]]"),
    ({}, "{}"),
    ({K("b"): 1, "a": [2]}, '{:b 1 "a" [2]}'),
    (frozenset(), "#{}"),
    ({K("b"), K("a"), 1}, "#{1 :a :b}"),
    ([{K("a"): frozenset({1})}, {K("b"): {}}], "[{:a #{1}} {:b {}}]"),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN)
def test_value_is_written_as(value: object, text: str) -> None:
    assert write(value) == text


UNSPEAKABLE = [
    (math.nan, "the number nan", "##NaN"),
    (-math.inf, "the number -inf", "##-Inf"),
    (Decimal("Infinity"), "the number Infinity", "##Inf"),
    (datetime(2026, 1, 31), "has no offset", '#inst "2026-01-31T00:00:00"'),  # noqa: DTZ001
    ("\ud800", "half of a surrogate pair", r'"\ud800"'),
    (K("a b"), "no keyword with the name 'a b'", ":a b"),
    (K(""), "no keyword with the name ''", ":"),
    (K(":a"), "no keyword with the name ':a'", "::a"),
    (Symbol("nil"), "no symbol with the name 'nil'", "nil"),
    (Symbol("1a"), "no symbol with the name '1a'", "1a"),
    (b"x", "a value of the type bytes", "#<bytes>"),
    (len, "a value of the type builtin", "#<builtin_function_or_method len>"),
    (object(), "a value of the type object", "#<object>"),
    ({(1, 2): 3}, "a collection cannot be a key", "{[1 2] 3}"),
    (frozenset({frozenset()}), "a collection cannot be a key", "#{#{}}"),
]


@pytest.mark.parametrize(("value", "message", "_lossy"), UNSPEAKABLE)
def test_what_edn_cannot_say_is_refused(value: object, message: str, _lossy: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        write([value])


@pytest.mark.parametrize(("value", "_message", "lossy"), UNSPEAKABLE)
def test_lossy_writing_shows_everything(value: object, _message: str, lossy: str) -> None:
    assert write([value], lossy=True) == f"[{lossy}]"


def test_deep_values_and_long_integers_are_written() -> None:
    value: object = 10**5_000
    for _ in range(5_000):
        value = [value]
    assert write(value) == "[" * 5_000 + "1" + "0" * 5_000 + "]" * 5_000


def types(value: object) -> object:
    """The types of a value, part by part."""
    if isinstance(value, list):
        return [types(part) for part in value]
    if isinstance(value, dict):
        return [(type(key), types(part)) for key, part in value.items()]
    if isinstance(value, frozenset):
        return sorted(str(type(part)) for part in value)
    return type(value)


@given(data=st.data())
def test_written_then_read_is_the_same(
    values: st.SearchStrategy[object], data: st.DataObject
) -> None:
    value = data.draw(values)
    (form,) = read(write(value), "t.edn")
    assert equal(form.value, value)
    assert types(form.value) == types(value)
    assert write(form.value) == write(value)


@given(name=st.text(st.sampled_from("ab1/:#.+-é²@' \n"), max_size=4))
def test_a_name_can_be_written_exactly_when_it_can_be_read(name: str) -> None:
    for value, text in ((Keyword(name), f":{name}"), (Symbol(name), name)):
        try:
            written = write(value)
        except ValueError:
            continue
        assert written == text
        (form,) = read(written, "t.edn")
        assert form.value == value
        assert type(form.value) is type(value)
