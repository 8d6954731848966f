"""Every form knows its place: file, line and column from 1, the end one past the last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import Form, caret, equal, read, write
from graphden.errors import Span


def place(form: Form) -> tuple[int, int, int, int]:
    span = form.span
    return span.line, span.column, span.end_line, span.end_column


def every(forms: list[Form] | tuple[Form, ...]) -> Iterator[Form]:
    for form in forms:
        yield form
        yield from every(form.items)
        yield from every(tuple(part for entry in form.entries for part in entry))


def slice_of(text: str, span: Span) -> str:
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    middle = lines[span.line : span.end_line - 1]
    first, last = lines[span.line - 1], lines[span.end_line - 1]
    return "\n".join([first[span.column - 1 :], *middle, last[: span.end_column - 1]])


def test_keys_values_and_items_have_places() -> None:
    (form,) = read('{:a [1 "x"]\n :b #{2}}', "t.edn")
    (a, vector), (b, members) = form.entries
    assert [place(each) for each in (form, a, vector, *vector.items, b, members)] == [
        (1, 1, 2, 10),
        (1, 2, 1, 4),
        (1, 5, 1, 12),
        (1, 6, 1, 7),
        (1, 8, 1, 11),
        (2, 2, 2, 4),
        (2, 5, 2, 9),
    ]
    assert place(members.items[0]) == (2, 7, 2, 8)
    assert {each.span.file for each in every([form])} == {"t.edn"}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a\r\n  b", (2, 3, 2, 4)),
        ("a\r  b", (2, 3, 2, 4)),
        ("a\n\r\n b", (3, 2, 3, 3)),
        ("a\f b", (1, 4, 1, 5)),  # a form feed ends no line
        ("\ufeffa b", (1, 3, 1, 4)),  # a byte order mark takes no column
        ('"🐢é" a', (1, 6, 1, 7)),  # columns count code points
        ("\ta\tb", (1, 4, 1, 5)),  # a tab is one column
        ('a "x\ny"', (1, 3, 2, 3)),
        ('a "x\r\ny"', (1, 3, 2, 3)),
        ('"x\ny" b', (2, 4, 2, 5)),
        ("a ;c\n  [b\n]", (2, 3, 3, 2)),
        ('a #uuid "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"', (1, 3, 1, 47)),
        ("a #_ x b", (1, 8, 1, 9)),
    ],
)
def test_the_last_form_is_there(text: str, where: tuple[int, int, int, int]) -> None:
    assert place(read(text, "t.edn")[-1]) == where


@given(data=st.data())
def test_a_form_read_again_from_its_slice_has_an_equal_value(
    values: st.SearchStrategy[object], data: st.DataObject
) -> None:
    gap = st.sampled_from([" ", "\n", " ; note\n", ", ", "\t", " #_skipped ", "\n\n  "])
    text = "".join(
        write(value) + data.draw(gap) for value in data.draw(st.lists(values, max_size=5))
    )
    text = text.replace(" ", data.draw(gap))  # also inside texts, which become other texts
    for form in every(read(text, "t.edn")):
        (again,) = read(slice_of(text, form.span), "slice.edn")
        assert equal(again.value, form.value)
        assert again.kind is form.kind


def frame(text: str) -> str:
    """The frame of the last item of the last form of `text`."""
    forms = read(text, "t.edn")
    parts = list(every([forms[-1]]))
    return caret(text, parts[-1].span)


def test_caret_marks_the_form_in_its_line() -> None:
    assert frame("{:a 1\n :b 723}") == " 2 |  :b 723}\n   |     ^^^"


def test_caret_widens_tabs_and_wide_characters() -> None:
    assert frame('[\t"漢" 72]') == ' 1 | [    "漢" 72]\n   |           ^^'


def test_caret_marks_the_first_of_several_lines() -> None:
    (form,) = read("[ {:a\n 1}]", "t.edn")
    assert caret("[ {:a\n 1}]", form.items[0].span) == " 1 | [ {:a\n   |   ^^^"


def test_caret_cuts_long_lines_around_the_form() -> None:
    code, marks = frame(f'["{"x" * 300}" 72 "{"y" * 300}" :last]').split("\n")
    assert code.startswith(" 1 | …yyy")
    assert code[marks.index("^") : marks.rindex("^") + 1] == ":last"
    assert len(code) < 100


def test_caret_shows_control_characters_as_dots() -> None:
    assert frame('["\x1b[31m" 7]') == ' 1 | ["·[31m" 7]\n   |          ^'


def test_caret_takes_lines_too_and_is_empty_without_the_line() -> None:
    span = Span("t.edn", 2, 1, 2, 2)
    assert caret(["a", "b"], span) == " 2 | b\n   | ^"
    assert caret("a", span) == ""


def test_caret_marks_the_end_of_a_line() -> None:
    assert caret("ab", Span("t.edn", 1, 3, 1, 3)) == " 1 | ab\n   |   ^"
