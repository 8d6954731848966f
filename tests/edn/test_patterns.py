"""Patterns: what is found, what is refused and why, and that no text makes one hang."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn.patterns import PatternProblem, compile_pattern


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("b.", "abc", True),
        ("^b", "abc", False),
        ("c$", "abc\n", False),
        ("(?m)c$", "abc\nd", True),
        ("(?i)B", "abc", True),
        ("a.c", "a\nc", False),
        ("(?s)a.c", "a\nc", True),
        (r"^\w$", "é", False),
        (r"^\pL$", "é", True),
        ("^.$", "😀", True),
        ("\0", "a\0b", True),
        ("", "", True),
        ("a", "\ud800a", True),
    ],
)
def test_a_pattern_is_found_anywhere_in_the_text(pattern, text, found):
    """LANGUAGE 8.3, 11"""
    assert compile_pattern(pattern).found_in(text) is found


@pytest.mark.parametrize(
    ("pattern", "message", "hint"),
    [
        ("(?=a)b", "invalid perl operator: (?=", "no look-around"),
        ("(?!a)b", "invalid perl operator: (?!", "no look-around"),
        ("(?<=a)b", "invalid perl operator: (?<=", "no look-around"),
        (r"(a)\1", r"invalid escape sequence: \1", "no backreferences"),
        ("(?P<x>a)(?P=x)", "invalid perl operator: (?P", "no backreferences"),
        ("(?>a)", "invalid perl operator: (?>", "(?:…)"),
        ("a++", "bad repetition operator: ++", "no possessive ones"),
        (r"a\Z", r"invalid escape sequence: \Z", r"\z"),
        (r"\u00e9", r"invalid escape sequence: \u", r"\x{e9}"),
        ("(?x)a", "invalid perl operator: (?x", "i, m, s and U"),
        ("a{1001}", "invalid repetition size: {1001}", "1,000 times"),
        ("(", "missing ): (", "the syntax of RE2"),
        ("[", "missing ]: [", "the syntax of RE2"),
        ("\ud800", "it has half of a surrogate pair", "the syntax of RE2"),
    ],
)
def test_what_is_no_pattern_says_what_to_write_instead(pattern, message, hint):
    with pytest.raises(PatternProblem) as raised:
        compile_pattern(pattern)

    assert raised.value.message == message
    assert hint in raised.value.hint


def test_nothing_is_written_to_standard_error(capfd):
    with pytest.raises(PatternProblem):
        compile_pattern("(((")

    assert capfd.readouterr().err == ""


# Each of them takes a machine that goes back longer than the world is old.
@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "^(a|a?)+$", "(.*a){20}$", "(a*)*b"])
def test_no_pattern_explodes(pattern):
    text = "a" * 50_000 + "c"
    compiled = compile_pattern(pattern)

    started = time.process_time()
    found = compiled.found_in(text)

    assert not found
    assert time.process_time() - started < 0.5


def test_threads_share_a_pattern():
    compiled = compile_pattern("x{3}$")
    texts = ["a" * 1_000 + "x" * (number % 5) for number in range(200)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(compiled.found_in, texts))

    assert found == [number % 5 >= 3 for number in range(200)]


def test_a_pattern_is_compiled_once():
    assert compile_pattern("once[0-9]") is compile_pattern("once[0-9]")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_quoted_is_found_as_it_stands(text):
    quoted = "".join(f"\\x{{{ord(character):x}}}" for character in text)

    assert compile_pattern(f"^{quoted}$").found_in(text)


@given(st.text())
def test_every_text_is_a_pattern_or_a_problem(text):
    problem = None
    try:
        compile_pattern(text).found_in(text)
    except PatternProblem as raised:
        problem = raised

    assert problem is None or (problem.message and problem.hint.endswith("."))
