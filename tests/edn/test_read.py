"""What text means: a table of texts and the values they stand for (LANGUAGE 10.1)."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import edn_format
import pytest

from graphden.edn import Keyword, Kind, Symbol, read, write

ID = "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"
K = Keyword
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)

READ = [
    # nil and booleans
    ("nil", None),
    ("true", True),
    ("false", False),
    # integers
    ("0", 0),
    ("-0", 0),
    ("+7", 7),
    ("-42", -42),
    ("12N", 12),
    ("0x1F", 31),
    ("-0xff", -255),
    ("123456789012345678901234567890", 123456789012345678901234567890),
    # floats
    ("1.5", 1.5),
    ("-0.0", -0.0),
    ("1e22", 1e22),
    ("1E-3", 0.001),
    ("+2.5e+3", 2500.0),
    ("0.1", 0.1),
    # decimals
    ("1.5M", Decimal("1.5")),
    ("1.50M", Decimal("1.50")),
    ("3M", Decimal(3)),
    ("1e3M", Decimal("1e3")),
    ("0.1234567890123456789012345678901234M", Decimal("0.1234567890123456789012345678901234")),
    # text
    ('""', ""),
    ('"a b"', "a b"),
    (r'"\t\r\n\b\f\\\""', '\t\r\n\b\f\\"'),
    (r'"\u00e9\u0041"', "éA"),
    (r'"\ud83d\udc22"', "🐢"),
    ('"🐢 漢"', "🐢 漢"),
    ('"a\nb"', "a\nb"),
    ('"a\r\nb"', "a\r\nb"),
    ('";no comment"', ";no comment"),
    # characters are texts of length 1
    (r"\a", "a"),
    (r"\é", "é"),
    (r"\newline", "\n"),
    (r"\return", "\r"),
    (r"\space", " "),
    (r"\tab", "\t"),
    (r"\u0041", "A"),
    (r"[\(]", ["("]),
    (r"\;", ";"),
    # keywords
    (":a", K("a")),
    (":a.b/c-d", K("a.b/c-d")),
    (":a?", K("a?")),
    (":->x", K("->x")),
    (":1", K("1")),
    (":é漢", K("é漢")),
    (":a:b", K("a:b")),
    (":nil", K("nil")),
    # symbols
    ("a", Symbol("a")),
    ("a/b", Symbol("a/b")),
    ("-", Symbol("-")),
    ("->", Symbol("->")),
    ("/", Symbol("/")),
    ("nil?", Symbol("nil?")),
    ("+a", Symbol("+a")),
    # tags
    (f'#uuid "{ID}"', UUID(ID)),
    (f'#uuid"{ID.upper()}"', UUID(ID)),
    ('#inst "2026-01-31T12:00:00Z"', NOON),
    ('#inst "2026-01-31T12:00:00.000-00:00"', NOON),
    ('#inst "2026-01-31T12:00:00.25+00:00"', NOON + timedelta(milliseconds=250)),
    ('#inst "2026-01-31T12:00:00.123456000Z"', NOON + timedelta(microseconds=123456)),
    ('#inst\n"2026-01-31T14:30:00+02:30"', NOON.astimezone(timezone(timedelta(minutes=150)))),
    # collections
    ("[]", []),
    ("()", []),
    ("{}", {}),
    ("#{}", frozenset()),
    ("[1 [2 (3 4)]]", [1, [2, [3, 4]]]),
    ("(+ a 1)", [Symbol("+"), Symbol("a"), 1]),
    ("{:a 1, :b {:c [2]}}", {K("a"): 1, K("b"): {K("c"): [2]}}),
    ('{"a" 1 2 3 nil 4 x 5}', {"a": 1, 2: 3, None: 4, Symbol("x"): 5}),
    ("#{1 :a nil}", frozenset({1, K("a"), None})),
    ("[nil false 0]", [None, False, 0]),
    # what may stand side by side without a space
    ("[1[2]3]", [1, [2], 3]),
    ('{:a"x":b[]}', {K("a"): "x", K("b"): []}),
    ('[1"a"2]', [1, "a", 2]),
    ("[#{1}#{2}]", [frozenset({1}), frozenset({2})]),
    # whitespace and comments
    (" \t,1,\n", 1),
    ("\r\n1\r\n", 1),
    ("[1\f2\v3]", [1, 2, 3]),
    ("\ufeff1", 1),
    ("1 ; one", 1),
    (";a\n1", 1),
    (";a\r\n1", 1),
    (";a\r1", 1),
    ("[1;x\n2]", [1, 2]),
    # discards
    ("#_ 1 2", 2),
    ("#_1 2", 2),
    ("#_#_ 1 2 3", 3),
    ("[1 #_2]", [1]),
    ("[1 #_2 #_3]", [1]),
    ("[#_ #_ 1 2]", []),
    ("{:a #_1 2}", {K("a"): 2}),
    ("{:a 1 #_:b}", {K("a"): 1}),
    ("#{#_1 2}", frozenset({2})),
    ('#_#inst "2026-01-31T12:00:00Z" 2', 2),
    ("#_[1 {:a 2}] 3", 3),
    ("1 #_ 2", 1),
]


def same(left: object, right: object) -> bool:
    """The same values of the same types, at every depth."""
    return type(left) is type(right) and write(left) == write(right)


@pytest.mark.parametrize(("text", "value"), READ)
def test_text_stands_for_its_value(text: str, value: object) -> None:
    (form,) = read(text, "t.edn")
    assert same(form.value, value)


@pytest.mark.parametrize("text", ["", " \n", "; nothing", "#_ 1", "\ufeff", "\ufeff\r\n"])
def test_text_without_forms(text: str) -> None:
    assert read(text, "t.edn") == []


def test_all_top_level_forms_are_read_in_order() -> None:
    forms = read("1 [2]\n:c", "t.edn")
    assert [form.value for form in forms] == [1, [2], K("c")]
    assert [form.kind for form in forms] == [Kind.SCALAR, Kind.VECTOR, Kind.SCALAR]


def test_kinds_tell_lists_from_vectors() -> None:
    kinds = [form.kind for form in read("[] () {} #{} a", "t.edn")]
    assert kinds == [Kind.VECTOR, Kind.LIST, Kind.MAP, Kind.SET, Kind.SCALAR]


def test_items_and_entries_keep_the_order_of_the_text() -> None:
    mapped, members = read("{:b 1 :a 2} #{3 1 2}", "t.edn")
    assert [(key.value, item.value) for key, item in mapped.entries] == [("b", 1), ("a", 2)]
    assert [member.value for member in members.items] == [3, 1, 2]


def test_values_are_those_of_edn_format_where_it_is_right() -> None:
    """One parse of many texts by edn_format itself, its own types made ours."""
    ours = "\n".join(text for text, _ in READ if not set(text) & set("\r\f\v\ufeff\\;"))
    parsed = edn_format.loads_all(ours, write_ply_tables=False)
    forms = read(ours, "t.edn")
    assert len(forms) == len(parsed) > 60
    mismatches = [
        (form.value, theirs)
        for form, theirs in zip(forms, parsed, strict=True)
        if not same(form.value, as_ours(theirs)) and not isinstance(form.value, Decimal)
    ]
    assert mismatches == []


def as_ours(value: object) -> object:
    match value:
        case edn_format.Keyword():
            return Keyword(value.name)
        case edn_format.Symbol():
            return Symbol(value.name)
        case edn_format.ImmutableDict():
            return {as_ours(key): as_ours(part) for key, part in value.items()}
        case edn_format.ImmutableList() | tuple():
            return [as_ours(part) for part in value]
        case frozenset():
            return frozenset(as_ours(part) for part in value)
    return value


def test_an_integer_of_any_size_is_read() -> None:
    (form,) = read("9" * 20_000, "t.edn")
    assert form.value == 10**20_000 - 1


def test_deep_nesting_is_read() -> None:
    (form,) = read("[" * 20_000 + "]" * 20_000, "t.edn")
    depth = 0
    while form.items:
        (form,) = form.items
        depth += 1
    assert depth == 19_999


def test_threads_read_at_once() -> None:
    texts = [f"{{:n {number} :in [{number} {number}]}}" * 50 for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        read_at_once = list(pool.map(lambda text: read(text, "t.edn"), texts))
    assert [forms[-1].value for forms in read_at_once] == [
        {K("n"): number, K("in"): [number, number]} for number in range(16)
    ]


def test_importing_the_room_does_not_import_edn_format() -> None:
    code = "import sys, graphden.edn; print(sorted({'edn_format', 'ply'} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert shown.stdout.decode().strip() == "[]"
