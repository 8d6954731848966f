"""The reader of blocks: what the comments of a block claim, and that a false claim is found."""

from __future__ import annotations

import pytest

from tests.reference.blocks import Block, Claim, blocks_of, claims_of, mistakes

ONE = "{:name :one :parent :const :args {:value 1}}"
HALF = "{:name :half :parent :div :args {:nums [{:as :n} 2]}}"


def wrong(text: str) -> list[str]:
    return mistakes(Block("page.md", 1, "clojure", text))


def test_a_block_knows_its_line_and_language(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n```clojure\n{:a 1}\n```\n\n```sh\nls\n```\n", "utf-8")

    assert blocks_of(page) == [
        Block("page.md", 4, "clojure", "{:a 1}\n"),
        Block("page.md", 8, "sh", "ls\n"),
    ]


def test_a_claim_belongs_to_the_row_it_stands_behind():
    text = f"; about both\n{ONE}  ; => 1\n{HALF}\n; with {{:n 4}} => 2\n; open: :n"

    assert claims_of(text) == [
        Claim("one", "=>", "1"),
        Claim("half", "=>", "2", "{:n 4}"),
        Claim("half", "open:", ":n"),
    ]


def test_a_semicolon_inside_text_begins_no_claim():
    assert claims_of('{:name :a :parent :const :args {:value "; => 1"}}') == []


@pytest.mark.parametrize(
    "comment", ["; problems: cycle", "; gives => 1", "; =>", "; with {} 1"]
)
def test_a_comment_that_is_nearly_a_claim_is_refused(comment):
    with pytest.raises(ValueError, match="nearly a claim"):
        claims_of(f"{ONE} {comment}")


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE} ; => 1",
        f"{HALF} ; open: :n",
        f"{HALF} ; fails: missing-argument",
        f"{HALF} ; with {{:n 1}} => 0.5",
        "{:name :a :parent :nope} ; problem: unknown-row",
        "{:name :a :parent :const :args {:value [1} ; problem: syntax",
    ],
)
def test_what_holds_is_no_mistake(text):
    assert wrong(text) == []


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        (f"{ONE} ; => 2", ":one => 2, but it gives 1"),
        (f"{ONE} ; => 1.0", ":one => 1.0, but it gives 1"),
        (f"{ONE} ; fails: thrown", ":one fails: thrown, but it gives 1"),
        (f"{ONE} ; problem: cycle", ":one has no problem cycle"),
        (f"{HALF} ; open: (:n)", ":half open: (:n), but :n is open"),
        ("{:name :a :parent :nope}", ":a has the problem unknown-row: there is no row :nope"),
        (
            f"{HALF} ; => 1",
            ":half => 1, but it fails: missing-argument, :half: :n (:numeric) is missing",
        ),
    ],
)
def test_what_does_not_hold_is_told(text, mistake):
    assert wrong(text) == [mistake]
