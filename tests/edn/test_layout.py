"""The one layout of rows: what it looks like, and that it changes nothing but the layout."""
# ruff: noqa: E501 - lines that are too long, and lines of exactly the width, are the subject

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import Form, equal, read
from graphden.edn.layout import format_text
from graphden.errors import ReadError

ROOT = Path(__file__).parents[2]
WIDTH = 96

EXAMPLES = {
    "a row that fits stands on one line": (
        """
        {:name   :double,
           :parent :mul   :args {:nums [ {:as :item} 2 ]} }
        """,
        """
        {:name :double :parent :mul :args {:nums [{:as :item} 2]}}
        """,
    ),
    "a row with a description never does": (
        """
        {:name :port :refine {:base :int :constraint [:> 0]} :description "A port."}
        """,
        """
        {:name :port
         :refine {:base :int :constraint [:> 0]}
         :description "A port."}
        """,
    ),
    "a row that does not fit has one entry a line, and so have its arguments": (
        """
        {:name :orders-worker :parent :queue-consumer
         :args {:take :orders-take :ack :queue-ack :nack :orders-nack :extend :orders-extend :handler :ship-order}}
        """,
        """
        {:name :orders-worker
         :parent :queue-consumer
         :args {:take    :orders-take
                :ack     :queue-ack
                :nack    :orders-nack
                :extend  :orders-extend
                :handler :ship-order}}
        """,
    ),
    "an inline row is laid out like a row": (
        """
        {:name :guarded :parent :try :args {:body :work :on-throw {:parent :log-warn :args {:message "this went wrong, and it matters"}}}}
        """,
        """
        {:name :guarded
         :parent :try
         :args {:body     :work
                :on-throw {:parent :log-warn :args {:message "this went wrong, and it matters"}}}}
        """,
    ),
    "a slot that does not fit is filled, its description on a line of its own": (
        """
        {:name :publish :args {:queue :text :key {:type :text :required false :description "Publishing it again, within a day, stores nothing."}}}
        """,
        """
        {:name :publish
         :args {:queue :text
                :key   {:type :text :required false
                        :description "Publishing it again, within a day, stores nothing."}}}
        """,
    ),
    "values do not line up where that would break one of them": (
        """
        {:name :failure :parent :handling-error
         :args {:outcome {:value :failed} :type {:parent :get :args {:coll :_description :key {:value :type} :default "?"}}
                :delay-ms 10}}
        """,
        """
        {:name :failure
         :parent :handling-error
         :args {:outcome  {:value :failed}
                :type     {:parent :get :args {:coll :_description :key {:value :type} :default "?"}}
                :delay-ms 10}}
        """,
    ),
    "a vector of scalars is filled": (
        """
        {:name :words :parent :const :args {:value ["the quick brown fox" "jumps over" "the lazy dog" "and then" "it sleeps" "until noon"]}}
        """,
        """
        {:name :words
         :parent :const
         :args {:value ["the quick brown fox" "jumps over" "the lazy dog" "and then" "it sleeps"
                        "until noon"]}}
        """,
    ),
    "a vector of anything else has one item a line": (
        """
        {:name :wait-out :parent :do :args {:steps [{:parent :log-warn :args {:message "pausing"}} {:parent :sleep :args {:ms 1000}}]}}
        """,
        """
        {:name :wait-out
         :parent :do
         :args {:steps [{:parent :log-warn :args {:message "pausing"}}
                        {:parent :sleep :args {:ms 1000}}]}}
        """,
    ),
    "clauses are pairs": (
        """
        {:name :interval :parent :cond :args {:clauses [{:parent :nil? :args {:value :claim}} 10000
          {:parent :lt :args {:nums [:third {:as :heartbeat-ms :type :numeric}]}} {:parent :third-of :args {:a 1}} true 1]}}
        """,
        """
        {:name :interval
         :parent :cond
         :args {:clauses [{:parent :nil? :args {:value :claim}} 10000
                          {:parent :lt :args {:nums [:third {:as :heartbeat-ms :type :numeric}]}}
                            {:parent :third-of :args {:a 1}}
                          true 1]}}
        """,
    ),
    "a literal map has one entry a line": (
        """
        {:name :release :parent :nack :args {:error {:value {:outcome :released :message "the worker stopped before handling it" :place nil}}}}
        """,
        """
        {:name :release
         :parent :nack
         :args {:error {:value {:outcome :released
                                :message "the worker stopped before handling it"
                                :place   nil}}}}
        """,
    ),
    "neighbouring rows with the same keys are a table, and so are their comments": (
        """
        {:name :double :parent :mul :args {:nums [{:as :item} 2]}} ; twice
        {:name :double-each :parent :map :args {:func :double}}
        {:name :with-tax :parent :total :args {:factor 1.25}} ; open: :coll

        {:name :shape :type {:sku :text}}
        {:name :other-shape :list :shape}
        """,
        """
        {:name :double      :parent :mul   :args {:nums [{:as :item} 2]}}  ; twice
        {:name :double-each :parent :map   :args {:func :double}}
        {:name :with-tax    :parent :total :args {:factor 1.25}}           ; open: :coll

        {:name :shape :type {:sku :text}}
        {:name :other-shape :list :shape}
        """,
    ),
    "a table ends at a blank line, a line of comment and a row of several lines": (
        """
        {:name :a :parent :b}
        {:name :longer :parent :b}

        {:name :c :parent :b}
        ; a comment
        {:name :longest :parent :b}
        {:name :d :parent :b :description "Tall."}
        {:name :e :parent :b}
        """,
        """
        {:name :a      :parent :b}
        {:name :longer :parent :b}

        {:name :c :parent :b}
        ; a comment
        {:name :longest :parent :b}
        {:name :d
         :parent :b
         :description "Tall."}
        {:name :e :parent :b}
        """,
    ),
    "one blank line stays between rows, none at the ends or inside of a row": (
        """


        ; first


        {:name :a

         :description "A."}



        {:name :b}
        {:name :c}


        """,
        """
        ; first

        {:name :a
         :description "A."}

        {:name :b}
        {:name :c}
        """,
    ),
    "comments keep their places": (
        """
        {;; above the first
         :name :a ; the name

           ;; between
         :parent ; key and value
            :b
         :args {} ;; at the end
         ; alone before the bracket
         } ; behind it
         ; below it
        """,
        """
        {;; above the first
         :name :a  ; the name
         ;; between
         :parent  ; key and value
           :b
         :args {}  ;; at the end
         ; alone before the bracket
        }  ; behind it
        ; below it
        """,
    ),
    "comments inside of empty brackets keep them apart": (
        """
        {:name :a :args { ; nothing
        }}
        """,
        """
        {:name :a
         :args {; nothing
               }}
        """,
    ),
    "what is discarded stays where it is, and a discarded row is laid out as one": (
        """
        #_ {:name :a :parent :b :description "Not now."}
        {:name :c #_ :was #_ #_ :parent :old :parent #_:old :new}
        """,
        """
        #_{:name :a
           :parent :b
           :description "Not now."}
        {:name :c #_:was #_#_:parent :old :parent #_:old :new}
        """,
    ),
    "a vector of rows is laid out like a file": (
        """
        [{:name :a :parent :mul} {:name :longer :parent :b}


         ; here
         {:name :c :parent :d}]
        """,
        """
        [{:name :a      :parent :mul}
         {:name :longer :parent :b}

         ; here
         {:name :c :parent :d}]
        """,
    ),
    "blank lines between comments stay, also before the first row of a vector": (
        """
        [ ; one

          ; two


          {:name :a}
        ]
        """,
        """
        [; one

         ; two

         {:name :a}]
        """,
    ),
    "a blank line inside of a row separates nothing": (
        """
        {:name :a :args {:x 1 ; one

        :longer 2 ; two
        }}
        """,
        """
        {:name :a
         :args {:x      1  ; one
                :longer 2  ; two
               }}
        """,
    ),
    "rows on one line are put on lines of their own": (
        """
        {:name :a} {:name :b} ; last
        """,
        """
        {:name :a}
        {:name :b}  ; last
        """,
    ),
    "spellings stay": (
        r"""
        {:name :a :args {:x 1.50M :y 0x1F :z 1e3 :w +7N :t "tab\tquote\"\u0041", :u #uuid"6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77" :c \;}}
        """,
        r"""
        {:name :a
         :args {:x 1.50M
                :y 0x1F
                :z 1e3
                :w +7N
                :t "tab\tquote\"\u0041"
                :u #uuid "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"
                :c \;}}
        """,
    ),
    "a text keeps its lines and spaces": (
        '{:name :a :description "first  \n   second, ;third\n" :parent :b}\n',
        '{:name :a\n :description "first  \n   second, ;third\n"\n :parent :b}\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_layout(before: str, after: str) -> None:
    before, after = dedent(before).removeprefix("\n"), dedent(after).removeprefix("\n")
    assert format_text(before) == after
    assert format_text(after) == after


@pytest.mark.parametrize("text", ["", "\n\n", "  ,\n", "\ufeff"])
def test_nothing_stays_nothing(text: str) -> None:
    assert format_text(text) == ""


def test_text_of_comments_only_is_kept() -> None:
    assert format_text("\n ; one\n\n\n; two") == "; one\n\n; two\n"


def test_lines_end_like_the_last_one() -> None:
    assert format_text("{:name :a}\n{:name\n:b}\r\n") == "{:name :a}\r\n{:name :b}\r\n"
    assert format_text("{:name :a}\r\n{:name :b}\n") == "{:name :a}\n{:name :b}\n"
    assert format_text("{:name\r:a}\r; c\r") == "{:name :a}\n; c\n"
    assert format_text("{:name :a}\r\r") == "{:name :a}\n"
    assert format_text('{:t "\n"}\r\n') == '{:t "\n"}\r\n'
    assert format_text('{:t "\r\n"}\n') == '{:t "\r\n"}\n'


def test_line_of_exactly_the_width_fits_and_one_more_does_not() -> None:
    row = "{:name :a :args {:t %s}}\n"
    fits = row % f'"{"x" * (WIDTH - len(row) + 1)}"'
    assert len(fits.rstrip()) == WIDTH
    assert format_text(fits) == fits
    assert format_text(fits.replace("x", "xx", 1)).count("\n") == 2


@pytest.mark.parametrize("text", ["{:name", "{:a 1 :a 2}", "[007]", "#_", '"open', "^{:a 1} b"])
def test_text_that_cannot_be_read_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(ReadError) as caught:
        format_text(text, "orders.edn")
    assert caught.value.span is not None
    assert caught.value.span.file == "orders.edn"


# -- laws --------------------------------------------------------------------------------------

_PIECES = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\r\n]*|\\.|[^\s,]', re.DOTALL)


def signature(text: str) -> str:
    """All that is not layout: texts, comments and every other character that is no space."""
    return "\n".join(piece.rstrip() for piece in _PIECES.findall(text.removeprefix("\ufeff")))


def shape(form: Form) -> Any:
    """A form without its place, with the kinds of all its parts in their order."""
    entries = [(shape(key), shape(value)) for key, value in form.entries]
    scalar = form.value if not (form.items or form.entries) else None
    return form.kind, type(scalar), scalar, [shape(item) for item in form.items], entries


def assert_only_layout_changed(text: str) -> None:
    formatted = format_text(text)
    before, after = read(text, "f"), read(formatted, "f")
    assert [shape(form) for form in after] == [shape(form) for form in before]
    assert all(equal(a.value, b.value) for a, b in zip(after, before, strict=True))
    assert signature(formatted) == signature(text)
    assert format_text(formatted) == formatted


KEYS = [":name", ":parent", ":args", ":type", ":value", ":description", ":clauses", ":as", ":k"]
ATOMS = [  # no text with a line that ends with a space
    *(":a", ":orders.api/order-shape", "nil", "sym", "1", "1.50M", "-0x1F", "+3N", "1e5"),
    *(r"\;", r"\newline", r"\"", '""', '"; no comment"', r'"a \" b"', '"two\n  lines"'),
    *(f'"{"long " * 8}"', f":{'k' * 40}"),
]
TAGGED = [
    ["#uuid", '"6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"'],
    ["#inst", '"2026-01-31T12:00:00Z"'],
]
SPACES = [" ", "  ", ",", "\t", "\n", "\n\n\n", "\r\n   ", " , \n"]
COMMENTS = [" ; behind\n", "\n;; above , \n", "; one\n\n  ; two \n\n", "\n\r\n;\n"]

atoms = st.one_of(st.sampled_from(ATOMS).map(lambda atom: [atom]), st.sampled_from(TAGGED))


def bracketed(opener: str, parts: list[list[str]], closer: str) -> list[str]:
    return [opener, *(token for part in parts for token in part), closer]


@st.composite
def maps(draw: st.DrawFn, inner: st.SearchStrategy[list[str]]) -> list[str]:
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=5))
    parts: list[list[str]] = []
    for key in keys:
        parts += [*draw(discards), [key], *draw(discards), draw(inner)]
    return bracketed("{", [*parts, *draw(discards)], "}")


def vectors(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    pieces = st.lists(st.one_of(inner, inner, discarded), max_size=5)
    return st.one_of(
        pieces.map(lambda parts: bracketed("[", parts, "]")),
        pieces.map(lambda parts: bracketed("(", parts, ")")),
    )


discarded = st.one_of(
    atoms.map(lambda tokens: ["#_", *tokens]),
    st.tuples(atoms, atoms).map(lambda two: ["#_", "#_", *two[0], *two[1]]),
    atoms.map(lambda tokens: ["#_", "{", ":was", *tokens, "}"]),
)
discards = st.lists(discarded, max_size=1)
sets = st.lists(st.sampled_from(ATOMS[:9]), unique=True).map(lambda all_: ["#{", *all_, "}"])
expressions = st.recursive(
    st.one_of(atoms, sets), lambda inner: st.one_of(maps(inner), vectors(inner)), max_leaves=25
)
programs = st.lists(st.one_of(maps(expressions), expressions, discarded), max_size=5)


@st.composite
def texts(draw: st.DrawFn, comments: list[str]) -> str:
    """Programs with any spacing between their tokens, and comments sprinkled in."""
    tokens = [token for expression in draw(programs) for token in expression]
    spacing = st.one_of(*[st.sampled_from(SPACES)] * 4, st.sampled_from(SPACES + comments))
    gaps = draw(st.lists(spacing, min_size=len(tokens) + 1, max_size=len(tokens) + 1))
    return "".join(gap + token for gap, token in zip(gaps, [*tokens, ""], strict=True))


@given(texts(COMMENTS))
def test_only_the_layout_changes_and_only_once(text: str) -> None:
    assert_only_layout_changed(text)


@given(expressions, st.lists(st.sampled_from([" ", "  ", "\t", ",", "\n", "\n\n"]), min_size=1))
def test_spacing_inside_of_a_row_does_not_matter(value: list[str], gaps: list[str]) -> None:
    row = ["{", ":args", *value, "}"]
    spaced = "".join(token + gaps[n % len(gaps)] for n, token in enumerate(row))
    assert format_text(spaced) == format_text(" ".join(row))


@given(texts(COMMENTS))
def test_no_line_ends_with_a_space_or_starts_two_rows(text: str) -> None:
    formatted = format_text(text)
    assert [line for line in formatted.splitlines() if line != line.rstrip()] == []
    starts = [form.span.line for form in read(formatted, "f")]
    assert len(starts) == len(set(starts))


FILES = sorted(
    path
    for folder in ("stdlib_graphs", "backends", "lessons", "tests")
    for path in (ROOT / folder).rglob("*.edn")
)


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_files_of_the_project_keep_their_meaning(path: Path) -> None:
    try:
        read(text := path.read_text("utf-8"), "f")
    except ReadError:
        pytest.skip("a file that is wrong on purpose")
    assert_only_layout_changed(text)


BLOCKS = re.findall(r"```clojure\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_blocks_of_the_readme_keep_their_meaning(block: str) -> None:
    assert_only_layout_changed(block)


# -- size --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 20_000 + "]" * 20_000, id="brackets"),
        pytest.param("{:args {:a 1 :b " * 2_000 + "1" + "}}" * 2_000, id="maps"),
        pytest.param("#_" * 10_000 + " a" * 10_001, id="discards"),
        pytest.param(
            '[#uuid "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77" ; c\n' * 2_000 + "]" * 2_000
        ),
    ],
)
def test_deep_nesting_is_laid_out(text: str) -> None:
    formatted = format_text(text)
    assert signature(formatted) == signature(text)
    assert format_text(formatted) == formatted


def test_deep_nesting_does_not_fill_lines_with_spaces() -> None:
    formatted = format_text("[1 " * 2_000 + "]" * 2_000)
    indents = [len(line) - len(line.lstrip()) for line in formatted.splitlines()]
    assert max(indents) == WIDTH
