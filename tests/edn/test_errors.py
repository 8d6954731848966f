"""What cannot be read is refused with one clear error: place, message, hint."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import read, read_all
from graphden.errors import ReadError

# text, line, column, end column, how the message begins
REFUSED = [
    # values that touch
    ("007", 1, 1, 4, "`007` is not a number"),
    ("1a", 1, 1, 3, "`1a` is not a number"),
    ("1.5N", 1, 1, 5, "`1.5N` is not a number"),
    ("2r101", 1, 1, 6, "`2r101` is not a number"),
    ("[1 -01]", 1, 4, 7, "`-01` is not a number"),
    ("5.", 1, 1, 3, "`5.` is not a number"),
    ("1#_2", 1, 1, 5, "`1#_2` is not a number"),
    (":a/b/c", 1, 1, 7, "`:a/b/c` is not a keyword"),
    ("a/b/c", 1, 1, 6, "`a/b/c` is not a symbol"),
    (r"\ab", 1, 1, 4, r"`\ab` is not a character"),
    (r"\formfeed", 1, 1, 10, r"`\formfeed` is not a character"),
    (r"\backspace", 1, 1, 11, r"`\backspace` is not a character"),
    (r"\o377", 1, 1, 6, r"`\o377` is not a character"),
    (r"\tabs", 1, 1, 6, r"`\tabs` is not a character"),
    ('"say "hi" now"', 1, 7, 9, "a text and another value touch"),
    ('"a""b"', 1, 4, 5, "a text and another value touch"),
    ("a'", 1, 1, 3, "`a'` is not a symbol"),
    # scalars rows do not have
    ("1/2", 1, 1, 4, "ratios such as `1/2`"),
    ("##NaN", 1, 1, 6, "`##NaN` is not a value"),
    ("##-Inf", 1, 1, 7, "`##-Inf` is not a value"),
    ("1e999", 1, 1, 6, "`1e999` does not fit a float"),
    ("1e-999", 1, 1, 7, "`1e-999` does not fit a float"),
    ("1e99999999999999999999M", 1, 1, 24, "`1e99999999999999999999M` does not fit"),
    (".5", 1, 1, 3, "`.5` is not a number"),
    ("٣.٣", 1, 1, 4, "`٣.٣` is not a number"),
    ("0xZZ", 1, 1, 5, "`0xZZ` is not a symbol"),
    ("::x", 1, 1, 4, "`::x` is not a keyword"),
    ("{:a: 1}", 1, 2, 5, "`:a:` is not a keyword"),
    ("{a: 1}", 1, 2, 4, "`a:` is not a symbol"),
    ("@a", 1, 1, 3, "`@a` is not a symbol"),
    (r"\ud800", 1, 1, 7, "half of a surrogate pair"),
    ("\\😀", 1, 1, 3, "`\\😀` is not a value"),
    # text
    ('"a\\q"', 1, 3, 5, r"`\q` is not an escape"),
    ('"\\x41"', 1, 2, 4, r"`\x` is not an escape"),
    ('"\\101"', 1, 2, 4, r"`\1` is not an escape"),
    ('"\\N{BULLET}"', 1, 2, 4, r"`\N` is not an escape"),
    ('"\\N{NO SUCH NAME}"', 1, 2, 4, r"`\N` is not an escape"),
    ('"\\u12"', 1, 2, 4, r"`\u` is not an escape"),
    ('"a\n\\q"', 2, 1, 3, r"`\q` is not an escape"),
    ('"\\ud83d"', 1, 1, 9, "half of a surrogate pair"),
    ('"\ud83d"', 1, 1, 4, "half of a surrogate pair"),
    # tags
    ('[#foo "x"]', 1, 2, 6, "unknown tag `#foo`"),
    ("#_ #foo 1", 1, 4, 8, "unknown tag `#foo`"),
    ("#a/b {:c 1}", 1, 1, 5, "unknown tag `#a/b`"),
    ("#inst 5", 1, 1, 8, "#inst takes a text"),
    ('#inst "yesterday"', 1, 1, 18, '"yesterday" is not an instant'),
    ('#inst "2026-01-31"', 1, 1, 19, '"2026-01-31" is not an instant: it has no time'),
    ('#inst "2026-01-31T12:00:00"', 1, 1, 28, '"2026-01-31T12:00:00" is not an instant: it'),
    ('#inst "2026-02-30T12:00:00Z"', 1, 1, 29, '"2026-02-30T12:00:00Z" is not an instant: day'),
    ('#inst "2026-01-31T24:00:00Z"', 1, 1, 29, '"2026-01-31T24:00:00Z" is not an instant'),
    ('#inst "2026-01-31T12:00:00.1234567Z"', 1, 1, 37, '"2026-01-31T12:00:00.1234567Z" is fi'),
    ('#uuid "123"', 1, 1, 12, "#uuid takes a text of 32 hexadecimal digits"),
    ("#uuid 5", 1, 1, 8, "#uuid takes a text"),
    ("[#inst]", 1, 2, 7, "`#inst` has no form behind it"),
    ("[1 #_ ]", 1, 4, 6, "`#_` has no form behind it"),
    ("{:a #_}", 1, 5, 7, "`#_` has no form behind it"),
    ("1 #_", 1, 3, 5, "`#_` has no form behind it"),
    # keys and members
    ("{:a 1 :a 2}", 1, 7, 9, "the key :a stands twice in this map"),
    ("{:a 1\n :a 2}", 2, 2, 4, "the key :a stands twice in this map"),
    ('{:a 1 "a" 2}', 1, 7, 10, 'the keys :a and "a" are one and the same in this map'),
    ("{1 :a 1.0 :b}", 1, 7, 10, "the keys 1 and 1.0 are one"),
    ("{0 :a false :b}", 1, 7, 12, "the keys 0 and false are one"),
    ("{1M :a 1 :b}", 1, 8, 9, "the keys 1M and 1 are one"),
    ("#{1 1}", 1, 5, 6, "the member 1 stands twice in this set"),
    ("#{1 true}", 1, 5, 9, "the members 1 and true are one"),
    ('#{:a "a"}', 1, 6, 9, 'the members :a and "a" are one'),
    ("{[1] 2}", 1, 2, 5, "a vector cannot be a key of a map"),
    ("{{} 2}", 1, 2, 4, "a map cannot be a key of a map"),
    ("#{#{}}", 1, 3, 6, "a set cannot be a member of a set"),
    ("#{(1)}", 1, 3, 6, "a list cannot be a member of a set"),
    ("{:a 1 :b}", 1, 7, 9, "the key :b has no value"),
    ("{:a #_1}", 1, 2, 4, "the key :a has no value"),
    # brackets
    ("[1 2", 1, 1, 2, "this [ opened at 1:1 is still open"),
    ("{:a\n [1 2", 2, 2, 3, "this [ opened at 2:2 is still open"),
    ("[#{1 2]", 1, 7, 8, "this ] does not close the #{ opened at 1:2"),
    ("{:a (1}", 1, 7, 8, "this } does not close the ( opened at 1:5"),
    ("[1]\n)", 2, 1, 2, "this ) closes nothing"),
    ('[1 "abc]\n2', 1, 4, 9, "this text is never closed"),
    ('"abc\\"', 1, 1, 7, "this text is never closed"),
    # other notations
    ("'a", 1, 1, 2, "`'` starts quoting"),
    ("`a", 1, 1, 2, "``` starts quoting"),
    ("~a", 1, 1, 2, "`~` starts unquoting"),
    ('#"re"', 1, 1, 3, '`#"` starts a regular expression'),
    ("#(inc 1)", 1, 1, 3, "`#(` starts a function literal"),
    ("#?(:clj 1)", 1, 1, 3, "`#?` starts a reader conditional"),
    ("^{:a 1} [1]", 1, 1, 2, "metadata (`^`) is not read here"),
    ("#:a{:b 1}", 1, 1, 4, "`#:a` in front of a map"),
    ("a\u00a0b", 1, 2, 3, "U+00A0 (NO-BREAK SPACE) stands outside of a text"),
    ("1\0", 1, 2, 3, "U+0000 (a control character) stands outside of a text"),
    ("1 \ufeff2", 1, 3, 4, "U+FEFF (ZERO WIDTH NO-BREAK SPACE) stands outside"),
    ("“a”", 1, 1, 4, "`“a”` is not a value"),
]


@pytest.mark.parametrize(("text", "line", "column", "end_column", "message"), REFUSED)
def test_refused_with_one_error_at_its_place(
    text: str, line: int, column: int, end_column: int, message: str
) -> None:
    _, (error,) = read_all(text, "t.edn")
    span = error.span
    assert span is not None
    assert error.message.startswith(message)
    assert (span.file, span.line, span.column, span.end_column) == (
        "t.edn",
        line,
        column,
        end_column,
    )
    assert error.code == "syntax"
    assert error.hint


def test_read_raises_the_first_error() -> None:
    with pytest.raises(ReadError, match=r"`007` is not a number") as raised:
        read("[007 1a]", "t.edn")
    assert str(raised.value.span) == "t.edn:1:2"


def test_all_flaws_of_values_are_gathered_in_the_order_of_the_text() -> None:
    _, errors = read_all('{:a 1/2 :a #foo 2}\n[007 "\\q" {:b}]\n#{1 true}', "t.edn")
    assert [(error.span.line, error.span.column) for error in errors if error.span] == [
        (1, 5),
        (1, 9),
        (1, 12),
        (2, 2),
        (2, 7),
        (2, 12),
        (3, 5),
    ]


def test_flaws_before_a_flaw_of_structure_are_kept() -> None:
    forms, errors = read_all("{:a 1 :a 2} [3", "t.edn")
    assert [error.message[:22] for error in errors] == [
        "the key :a stands twic",
        "this [ opened at 1:13 ",
    ]
    assert [form.value for form in forms] == [{"a": 2}]


@pytest.mark.parametrize(
    "text", ["{:a 1}\n{:b [2}", "{:a 1} )", "{:a 1} [2 'x]", '{:a 1}\n#_ #_ {:b 2} "x']
)
def test_sound_forms_before_a_flaw_of_structure_are_read(text: str) -> None:
    forms, errors = read_all(text, "t.edn")
    assert [form.value for form in forms] == [{"a": 1}]
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("text", "value"), [("[#foo 1]", [1]), ("[::x]", ["::x"]), ('[#uuid "x"]', ["x"])]
)
def test_forms_with_flaws_stand_for_what_was_written(text: str, value: object) -> None:
    (form,), _ = read_all(text, "t.edn")
    assert form.value == value


def test_a_second_key_points_at_the_first() -> None:
    _, (error,) = read_all("{:a 1\n :a 2}", "t.edn")
    assert [(note, str(span)) for note, span in error.notes] == [("first here", "t.edn:1:2")]


def test_a_wrong_closer_points_at_what_is_open() -> None:
    _, (error,) = read_all("{:a\n [1}", "t.edn")
    assert [(note, str(span)) for note, span in error.notes] == [("[ opened here", "t.edn:2:2")]
    assert error.hint == "close it with ] first"


def test_an_open_row_names_the_line_where_the_next_one_starts() -> None:
    _, (error,) = read_all("{:name :a\n :args {:x 1}\n{:name :b}\n{:name :c}", "t.edn")
    assert (
        error.hint == "close it with }, perhaps before line 3, where a new form seems to start"
    )


def test_rows_of_a_vector_at_the_start_of_lines_are_no_sign_of_an_open_one() -> None:
    _, (error,) = read_all("[\n{:name :a}\n{:name :b}\n", "t.edn")
    assert error.message == "this [ opened at 1:1 is still open"
    assert error.hint == "close it with ]"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (".5", "write 0.5"),
        ("-.5", "write -0.5"),
        ("{a: 1}", "a keyword starts with its colon: write :a"),
        ("::x", "write one colon: :x"),
        ("1e999", "write a decimal: 1e999M"),
        (":a/b/c", "a name has at most one /"),
        ("007", 'a number does not start with 0: write 7, or "007" for text'),
        (":", "write one, as in :name"),
    ],
)
def test_the_hint_says_what_to_write(text: str, hint: str) -> None:
    _, errors = read_all(text, "t.edn")
    assert errors[0].hint == hint


_pieces = st.sampled_from(
    [
        *"[](){}#_^'\"\\/:;,.@ \n\r\t01aM-+é\u00a0",
        "#{",
        "#_",
        "#inst ",
        ":a ",
        " 1 ",
        '"x"',
        "a ",
        "##",
    ]
)


@given(text=st.lists(_pieces, max_size=14).map("".join))
def test_any_text_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    forms, errors = read_all(text, "t.edn")
    lines = re.split("\r\n?|\n", text)
    for span in [form.span for form in forms] + [error.span for error in errors]:
        assert span is not None
        assert (1, 1) <= (span.line, span.column) < (span.end_line, span.end_column)
        assert span.end_column <= len(lines[span.end_line - 1]) + 1
    assert all(error.message and error.hint for error in errors)
