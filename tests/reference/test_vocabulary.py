"""The words of pages: what is unknown is found, what is known or shown is not."""

from __future__ import annotations

import pytest

from tests.reference.vocabulary import commands, unknown_attributes, unknown_words


@pytest.fixture
def page(tmp_path):
    def write(text):
        path = tmp_path / "page.md"
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.mark.parametrize("word", [":doulbe", "seeled-slot", "nill?", ":orders.api/tax"])
def test_a_word_that_nobody_knows_is_found(page, word):
    assert set(unknown_words(page(f"See `{word}`."))) == {word}


@pytest.mark.parametrize("word", [":parse-json", "sealed-slot", "nil?", ":core.strings/str"])
def test_a_word_of_graphden_is_known(page, word):
    assert list(unknown_words(page(f"See `{word}`."))) == []


def test_a_word_that_a_block_shows_is_known(page):
    assert list(unknown_words(page("`:double`\n\n```clojure\n{:name :double}\n```\n"))) == []


def test_what_python_lacks_is_found(page):
    text = "`Graph.run`, `graphden.App`, `ValueError`, but not `Graph.walk` nor `RunErrors`"

    assert list(unknown_attributes(page(text))) == ["Graph.walk", "RunErrors"]


def test_commands_are_found_in_prose_and_in_blocks(page):
    text = "`graphden check PATH`, graphden itself\n\n```sh\ngraphden run a.edn\n```\n"

    assert commands(page(text)) == {"check", "run"}
