"""The pages of the language: every block holds, every name that they mention exists."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from graphden import assets
from graphden.cli import COMMANDS
from graphden.edn import read
from tests.reference.blocks import Block, blocks_of, mistakes, rows_of
from tests.reference.vocabulary import commands, unknown_attributes, unknown_words

README = Path(__file__).parents[2] / "README.md"
FILES = ("rows.edn", "orders.edn")
"""What the README calls its blocks of rows, in order; its blocks of Python load them."""
PAGES = [*sorted((assets.folder("lessons") / "reference").glob("*.md")), README]
LANGUAGES = {"clojure", "edn", "python", "sh"}

PENDING: dict[str, set[str]] = {}
"""Blocks, by a row in them, that the language promises and the engine does not keep yet."""


def blocks(language: str) -> list[object]:
    """The blocks of all pages in a language, as parameters."""
    found = [block for page in PAGES for block in blocks_of(page) if block.language == language]
    return [pytest.param(block, id=str(block), marks=marks(block)) for block in found]


def marks(block: Block) -> list[pytest.MarkDecorator]:
    names = {row.get("name").value.text for row in rows_of(block.text)}
    if block.language == "clojure" and names & PENDING.get(block.page, set()):
        return [pytest.mark.xfail(reason="not built yet", strict=True)]
    return []


def ids(page: Path) -> str:
    return page.name


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_blocks_are_of_languages_that_are_tested(page):
    assert {block.language for block in blocks_of(page)} <= LANGUAGES
    assert page.read_text("utf-8").count("```") == 2 * len(blocks_of(page))


@pytest.mark.parametrize("block", blocks("clojure"))
def test_what_a_block_of_rows_claims_holds(block):
    assert mistakes(block) == []


@pytest.mark.parametrize("block", blocks("edn"))
def test_a_block_of_edn_is_read(block):
    assert read(block.text, str(block))


def test_pending_blocks_are_there():
    rows = {
        page.name: {
            row.get("name").value.text
            for block in blocks_of(page)
            if block.language == "clojure"
            for row in rows_of(block.text)
        }
        for page in PAGES
    }
    for page, pending in PENDING.items():
        assert pending <= rows[page]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_session_of_python_runs_as_shown(page):
    shared: dict[str, object] = {}
    runner = doctest.DocTestRunner()
    for block in blocks_of(page):
        if block.language == "python" and block.text.startswith(">>>"):
            session = doctest.DocTestParser().get_doctest(
                block.text, shared, str(block), str(page), block.line
            )
            session.globs = shared
            runner.run(session, clear_globs=False)

    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.postgres
@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_program_of_python_runs(page, tmp_path, monkeypatch, request):
    programs = [
        block
        for block in blocks_of(page)
        if block.language == "python" and not block.text.startswith(">>>")
    ]
    if not programs:
        return
    rows = [block.text for block in blocks_of(README) if block.language == "clojure"]
    for name, text in zip(FILES, rows, strict=True):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", request.getfixturevalue("embedded_url"))

    for program in programs:
        exec(compile(program.text, str(program), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_word_of_rows_that_is_mentioned_exists(page):
    assert sorted(set(unknown_words(page))) == []


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_everything_of_python_that_is_mentioned_exists(page):
    assert list(unknown_attributes(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_command_that_is_mentioned_exists(page):
    assert commands(page) <= COMMANDS.keys()


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_page_is_no_longer_than_one_reads(page):
    lines = page.read_text("utf-8").splitlines()
    assert len(lines) <= 350 or page.name == "standard-library.md"
