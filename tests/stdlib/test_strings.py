"""Bodies of stdlib_graphs/strings.edn."""

import re
import time
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import Keyword
from graphden.errors import Cancelled, RunError
from graphden.run import Context

K = Keyword
texts = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (1, "1"),
        (1.5, "1.5"),
        (Decimal("1.50"), "1.50"),
        ("a", "a"),
        (K("a/b"), ":a/b"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), "2024-01-02T03:04:05Z"),
        ([1, "a", None, K("k")], '[1 "a" nil :k]'),
        ({K("a"): [1]}, "{:a [1]}"),
        (RunError("thrown", "no luck"), "no luck"),
    ],
)
def test_values_as_text(call, value, text):
    """LANGUAGE 11, edge behaviour"""
    assert call("str", [value]) == text
    assert call("to-str", value) == text
    assert call("str-join", [value, value], "-") == f"{text}-{text}"


def test_str_of_nothing(call):
    assert call("str", []) == ""
    assert call("str", ["a", None, 1, K("b")]) == "a1:b"


def test_pr_str_quotes(call):
    assert call("pr-str", 'say "a"') == r'"say \"a\""'
    assert call("pr-str", {K("a"): "b"}) == '{:a "b"}'


def test_lengths(call):
    """LANGUAGE 10.3"""
    assert call("str-len", "a😀é") == 3
    assert call("byte-len", "a😀é") == 7


@pytest.mark.parametrize(
    ("name", "slots", "result"),
    [
        ("subs", ("a😀c", 1, None), "😀c"),
        ("subs", ("abc", 1, 2), "b"),
        ("subs", ("abc", 3, 3), ""),
        ("str-upper", ("aé",), "AÉ"),
        ("str-lower", ("AÉ",), "aé"),
        ("str-trim", (" \ta b\n",), "a b"),
        ("str-split", ("a,b,,c,", ",", None), ["a", "b", "", "c", ""]),
        ("str-split", ("a,b,c", ",", 2), ["a", "b,c"]),
        ("str-split", ("a,b", ",", 1), ["a,b"]),
        ("str-split", ("a.b", ".", None), ["a", "b"]),
        ("str-split", ("abc", "", None), ["a", "b", "c"]),
        ("str-split", ("abc", "", 2), ["a", "bc"]),
        ("str-join", ([], ","), ""),
        ("str-to-keyword", ("a/b",), K("a/b")),
        ("str-to-keyword", (":a",), K("a")),
        ("keyword-to-str", (K("a/b"),), "a/b"),
        ("name", (K("a/b"),), "b"),
        ("name", (K("b"),), "b"),
        ("name", ("a/b",), "a/b"),
        ("str-replace", ("a.b.c", ".", "-"), "a-b-c"),
    ],
)
def test_texts(call, name, slots, result):
    found = call(name, *slots)

    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize(
    ("name", "slots", "holds"),
    [
        ("blank?", (None,), True),
        ("blank?", (" \n",), True),
        ("blank?", ("a",), False),
        ("non-blank?", (None,), False),
        ("non-blank?", ("",), False),
        ("non-blank?", (" a",), True),
        ("str-contains?", ("abc", "bc"), True),
        ("str-contains?", ("abc", "x"), False),
        ("str-starts-with?", ("abc", "ab"), True),
        ("str-starts-with?", ("abc", "b"), False),
        ("str-ends-with?", ("abc", "bc"), True),
        ("str-ends-with?", ("abc", "b"), False),
        ("re-find?", ("abc", "b."), True),
        ("re-find?", ("abc", "^b"), False),
    ],
)
def test_questions(call, name, slots, holds):
    assert call(name, *slots) is holds


@pytest.mark.parametrize(
    ("name", "slots", "message"),
    [
        ("str-len", ([1],), "str-len: :string is a list of 1 item; text is needed"),
        ("str-upper", (K("a"),), "str-upper: :string is the keyword :a; text is needed"),
        ("str-len", (None,), "str-len: :string is nil; text is needed"),
        ("subs", ("abc", 2, 1), "subs: the part from 2 to 1 does not lie within a text of 3"),
        ("subs", ("abc", 4, None), "subs: the part from 4 to 3 does not lie within"),
        ("subs", ("abc", -1, None), "subs: the part from -1 to 3 does not lie within"),
        ("subs", ("abc", True, None), "subs: :start is true; an int is needed"),
        ("str-split", ("a", ",", 0), "str-split: :limit is the number 0; a number of parts"),
        ("str-replace", ("a", "", "b"), "str-replace: :match is empty"),
        ("re-find?", ("a", "("), "re-find?: :pattern is no regular expression: "),
        ("str-to-keyword", (":",), 'str-to-keyword: :string is text ":"; a name is needed'),
        ("keyword-to-str", ("a",), 'keyword-to-str: :keyword is text "a"; a keyword is needed'),
        ("byte-len", ("\ud800",), "byte-len: :string has half of a surrogate pair"),
    ],
)
def test_wrong_texts(call, name, slots, message):
    with pytest.raises(RunError) as raised:
        call(name, *slots)

    assert raised.value.code == "invalid-argument"
    assert raised.value.message.startswith(message)


@given(texts, texts)
def test_lengths_add_up(call, one, two):
    """LANGUAGE 10.3"""
    joined = call("str", [one, two])

    assert call("str-len", joined) == call("str-len", one) + call("str-len", two)
    assert call("byte-len", joined) == len(joined.encode())


@given(texts, st.data())
def test_two_parts_make_the_whole(call, text, data):
    middle = data.draw(st.integers(0, call("str-len", text)))

    assert call("subs", text, 0, middle) + call("subs", text, middle, None) == text


@given(texts, st.text("ab,", min_size=1, max_size=2), st.none() | st.integers(1, 5))
def test_split_then_join_is_the_same(call, text, separator, limit):
    parts = call("str-split", text, separator, limit)

    assert call("str-join", parts, separator) == text
    assert limit is None or len(parts) <= limit


@given(st.text("ab/.", min_size=1))
def test_keywords_and_texts(call, name):
    assert call("keyword-to-str", call("str-to-keyword", name)) == name


@pytest.mark.parametrize(
    ("string", "pattern", "replacement", "replaced"),
    [
        ("abc", "b", "x", "axc"),
        ("abc", "", "-", "-a-b-c-"),
        ("aé😀", "", "-", "-a-é-😀-"),
        ("2024-05-06", r"(\d+)-(\d+)-(\d+)", r"\3.\2.\1", "06.05.2024"),
        ("a1b22", r"(?P<digits>\d+)", r"<\g<digits>>", "a<1>b<22>"),
        ("ab", "a|b", r"\g<0>\g<0>", "aabb"),
        ("ab", "(a)|(b)", r"[\1]", "[a][]"),
        ("a", "a", r"\\", "\\"),
        ("a", "a", "é\n", "é\n"),
        ("none", "x", r"\\1", "none"),
        ("aaa", "a*", "x", "xx"),
    ],
)
def test_replacing_what_a_pattern_finds(call, string, pattern, replacement, replaced):
    assert call("re-replace", string, pattern, replacement, context=Context()) == replaced


@pytest.mark.parametrize("replacement", [r"\2", r"\g<other>", r"\g<2>", r"\n", "\\", r"\g<"])
def test_a_replacement_refers_to_groups_there_are(call, context, replacement):
    with pytest.raises(RunError) as raised:
        call("re-replace", "a", "(a)", replacement, context=context)

    assert raised.value.code == "invalid-argument"
    assert "but there is no such group" in raised.value.message


@given(st.text("abé😀\n", max_size=12), st.sampled_from(["a", "a*", "[^a]", "b|", "é+", "^|$"]))
def test_replacing_is_what_python_does(call, string, pattern):
    """Of an end of the text Python has another idea: there $ is \\Z."""
    replaced = call("re-replace", string, pattern, r"<\g<0>>", context=Context())

    assert replaced == re.sub(pattern.replace("$", r"\Z"), r"<\g<0>>", string)


@pytest.mark.parametrize("name", ["re-find?", "re-replace"])
def test_what_a_pattern_cannot_have_says_what_to_do(call, context, name):
    extra = ("x",) if name == "re-replace" else ()
    surroundings = {"context": context} if extra else {}
    with pytest.raises(RunError) as raised:
        call(name, "a", "(?=a)", *extra, **surroundings)

    assert raised.value.message == (
        f"{name}: :pattern is no regular expression: invalid perl operator: (?="
    )
    assert "no look-around" in raised.value.hint


def test_a_pattern_that_would_go_back_for_ever_answers(call):
    """Issue 3, point 6: (a+)+$ on 50,000 characters in milliseconds."""
    started = time.process_time()

    assert call("re-find?", "a" * 50_000 + "b", "(a+)+$") is False
    assert time.process_time() - started < 0.1


def test_many_matches_can_be_cancelled(call, context):
    """LANGUAGE 7.5"""
    context.cancel()

    with pytest.raises(Cancelled):
        call("re-replace", "aaa", "a", "b", context=context)
