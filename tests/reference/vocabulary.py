"""The words of Graphden, and the words that a page mentions in `code` outside of its blocks."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import graphden
from graphden import assets
from graphden.cli import COMMANDS
from graphden.files import packages
from tests.reference.blocks import blocks_of, prose_of

_CODE = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r":[a-z_][\w.?!*+<>/-]*|[a-z]\w*[?-][\w?>-]*")
_TOKEN = re.compile(r"[a-zA-Z_][\w.?!*<>/-]*")
_COMMAND = re.compile(r"(?:^|`)graphden ([a-z]\w*)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"`((?:graphden\.)?[A-Z]\w*[a-z]\w*(?:\.\w+)?)`")


def unknown_words(page: Path) -> Iterator[str]:
    """Words in `code` that neither Graphden knows nor a block of the page shows.

    A word has a colon, a hyphen or a question mark: `:tax`, `sealed-slot`, `nil?`.
    """
    shown = {token for block in blocks_of(page) for token in _TOKEN.findall(block.text)}
    for code in _CODE.findall(prose_of(page)):
        if _WORD.fullmatch(code):
            for part in code.removeprefix(":").split("/"):
                if part not in shown and part not in known_words():
                    yield code


def commands(page: Path) -> set[str]:
    """The commands that a page mentions, as `graphden NAME` or at the start of a line."""
    return set(_COMMAND.findall(page.read_text("utf-8")))


def unknown_attributes(page: Path) -> Iterator[str]:
    """What `code` such as `Graph.run` says that Python has, and it has not."""
    for name in _ATTRIBUTE.findall(prose_of(page)):
        found: object = graphden
        if hasattr(builtins, name):
            continue
        for part in name.removeprefix("graphden.").split("."):
            if not hasattr(found, part):
                yield name
                break
            found = getattr(found, part)


@cache
def known_words() -> frozenset[str]:
    """What the rows of packages spell out, and what stands in quotes in the engine's source:
    keys, primitives, effects, codes of errors.
    """
    words: set[str] = set()
    for package in packages():
        for rows in package.rows.glob("*.edn"):
            words |= set(_TOKEN.findall(rows.read_text("utf-8")))
    for source in Path(graphden.__file__).parent.rglob("*.py"):
        words |= set(re.findall(r'"([a-z][a-z0-9?>_-]*)"', source.read_text("utf-8")))
    words |= {path.stem for path in (assets.folder("lessons") / "reference").rglob("*.md")}
    return frozenset(words | COMMANDS.keys())
