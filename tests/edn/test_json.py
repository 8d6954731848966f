"""Values across JSON (LANGUAGE 10.2), and what queues store (QUEUES 2.5)."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import (
    JsonProblem,
    Keyword,
    Symbol,
    equal,
    from_json,
    payload_text,
    payload_value,
    to_json,
)

K = Keyword
ID = "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ({K("a"): [1, {"b": K("c")}]}, '{"a":[1,{"b":"c"}]}'),
        ({K("x/y"): ()}, '{"x/y":[]}'),
        (UUID(ID), f'"{ID}"'),
        (datetime(2026, 1, 31, 12, tzinfo=UTC), '"2026-01-31T12:00:00Z"'),
        (Decimal("1.50"), "1.50"),
        (Decimal("12345678901234567890.123456789"), "12345678901234567890.123456789"),
        (1e22, "1e+22"),
        (-0.0, "-0.0"),
        (10**30, "1" + "0" * 30),
        ('é"\\\n\0', '"é\\"\\\\\\n\\u0000"'),
        ([[], {}, [{}, []]], "[[],{},[{},[]]]"),
    ],
)
def test_value_is_written_as_json(value: object, text: str) -> None:
    assert to_json(value) == text


REFUSED = [
    (math.nan, "NaN has no form in JSON"),
    (-math.inf, "infinity has no form in JSON"),
    (Decimal("NaN"), "NaN has no form in JSON"),
    (Decimal("1e400"), "the decimal 1E+400 is beyond the numbers"),
    ({1, 2}, "a set has no form in JSON"),
    (b"x", "bytes have no form in JSON"),
    (len, "a value of the type builtin_function_or_method has no form"),
    (Symbol("a"), "a value of the type Symbol has no form"),
    (datetime(2026, 1, 31), "the instant 2026-01-31T00:00:00 has no offset"),  # noqa: DTZ001
    ("\ud800", "half of a surrogate pair is not text"),
    ({1: 2}, "the key 1 is not text"),
    ({None: 2}, "the key nil is not text"),
]


@pytest.mark.parametrize("write", [to_json, payload_text])
@pytest.mark.parametrize(("value", "message"), REFUSED)
def test_refused_with_its_path(value: object, message: str, write: object) -> None:
    assert callable(write)
    with pytest.raises(JsonProblem) as raised:
        write({K("items"): [0, {"x": value}]})
    assert raised.value.path == ("items", 1, "x")
    assert raised.value.message.startswith(message)
    assert str(raised.value) == f'at [:items 1 "x"]: {raised.value.message}'


def test_a_bad_key_beside_others_is_refused_with_the_path_of_its_map() -> None:
    with pytest.raises(JsonProblem) as raised:
        to_json([{"a": 1, 2: 3}])
    assert raised.value.path == (0,)


@pytest.mark.parametrize("value", [{"a": "x\0"}, {"a": {"\0": 1}}])
def test_nul_is_refused_for_storing_only(value: dict[str, object]) -> None:
    assert from_json(to_json(value)) == value
    with pytest.raises(JsonProblem, match="a NUL character cannot be stored") as raised:
        payload_text(value)
    assert raised.value.path[0] == "a"


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_nesting_ends_at_500_levels() -> None:
    assert equal(payload_value(payload_text(nested(500))), nested(500))
    with pytest.raises(JsonProblem, match="nested deeper than 500 levels"):
        payload_text(nested(501))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (' {"a": [1, 2.5, null, true]} ', {"a": [1, 2.5, None, True]}),
        ("1e22", 1e22),
        ("-0.0", -0.0),
        (r'"\ud83d\udc22"', "🐢"),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_json_stands_for_its_value(text: str, value: object) -> None:
    read = from_json(text)
    assert repr(type(read)) == repr(type(value))
    assert equal(read, value)


def test_integers_of_any_size_cross_json() -> None:
    value = [1.5, 10**5_000 - 1]
    assert to_json(value) == f"[1.5,{'9' * 5_000}]"
    assert from_json(to_json(value)) == value


def test_keys_become_keywords_on_demand() -> None:
    read = from_json('{"a": [{"b": "c"}]}', keywordize=True)
    assert read == {"a": [{"b": "c"}]}
    assert type(next(iter(read))) is Keyword
    assert type(next(iter(read["a"][0]))) is Keyword
    assert type(read["a"][0]["b"]) is str
    assert type(next(iter(from_json('{"a": 1}')))) is str


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "malformed JSON at line 1, column 1: Expecting value"),
        ('{"a":\n 1,}', "malformed JSON at line 2, column"),
        ("[1] 2", "malformed JSON at line 1, column 5: Extra data"),
        ("NaN", "malformed JSON: NaN is not a number of JSON"),
        ("[-Infinity]", "malformed JSON: -Infinity is not a number of JSON"),
        ("1e999", "the number 1e999 does not fit a float"),
        (r'{"a": ["\ud800"]}', "half of a surrogate pair is not text"),
        ('["\udc00"]', "half of a surrogate pair is not text"),
        ("[" * 100_000, "the JSON text is nested too deeply"),
    ],
)
def test_malformed_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(JsonProblem) as raised:
        from_json(text)
    assert raised.value.message.startswith(message)


@given(data=st.data())
def test_a_stored_payload_comes_back_as_it_went(
    json_values: st.SearchStrategy[object], data: st.DataObject
) -> None:
    value = data.draw(json_values)
    text = payload_text(value)
    assert repr(payload_value(text)) == repr(value)
    assert json.loads(text) == value


@given(data=st.data())
def test_whatever_can_be_written_is_json(
    values: st.SearchStrategy[object], data: st.DataObject
) -> None:
    try:
        text = to_json(data.draw(values))
    except JsonProblem:
        return
    again = to_json(from_json(text))
    assert equal(from_json(again), from_json(text))


@given(data=st.data())
def test_what_is_stored_is_what_is_written(
    values: st.SearchStrategy[object], data: st.DataObject
) -> None:
    value = data.draw(values)
    said = []
    for write in (to_json, payload_text):
        try:
            said.append(write(value))
        except JsonProblem as problem:
            said.append(str(problem))
    assert said[0] == said[1] or "NUL" in said[1]


@pytest.mark.parametrize(
    "value",
    [
        {1: 1},
        {True: 1},
        {None: 1},
        [{"a": {2.0: 1}}],
        ["\ud800"],
        {"\ud800": 1},
        [math.nan],
        ["\0"],
    ],
)
def test_small_payloads_are_refused_as_large_ones_are(value: object) -> None:
    messages = []
    for stored in (value, [value, [0] * 200]):
        with pytest.raises(JsonProblem) as raised:
            payload_text(stored)
        messages.append(raised.value.message)
    assert messages[0] == messages[1]


def test_escaped_text_that_looks_like_nul_is_stored() -> None:
    assert payload_text(["\\u0000"]) == '["\\\\u0000"]'
    assert payload_text(list(range(100_000)))[:6] == "[0,1,2"
