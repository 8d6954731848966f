"""What is wrong with text that makes no tokens: how far it goes, and what to write instead."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from graphden.edn.lines import LINE_BREAK
from graphden.edn.tokens import WORDS


@dataclass(frozen=True, slots=True)
class Flaw:
    """A flaw of the text from offset `start` to offset `end`."""

    start: int
    end: int
    message: str
    hint: str


_RUN = re.compile(r"""[^\s,;()\[\]{}"]*""")
_ILLEGAL = {
    "'": ("quoting", "write the value itself; {:value …} keeps it from being a reference"),
    "`": ("quoting", "write the value itself"),
    "~": ("unquoting", "write the value itself"),
    '#"': ("a regular expression", r'write the pattern as text: "…", with \\ for a backslash'),
    "#(": ("a function literal", "name a row, or write an inline row: {:parent …}"),
    "#'": ("a var", "name the row with a keyword"),
    "#?": ("a reader conditional", "write the value itself"),
}


def touching(text: str, kind: str, start: int, next_kind: str, next_start: int) -> Flaw:
    """A token of `kind` at `start` is touched by one of `next_kind` at `next_start`."""
    end = _run_end(text, next_start)
    if "STRING" in {kind, next_kind}:
        return Flaw(
            next_start,
            end,
            "a text and another value touch",
            r"a quote inside a text is written \"; else put a space between them",
        )
    return _not_a_word(text, kind, start, end)


def illegal(text: str, offset: int, kind: str, start: int | None) -> Flaw:
    """No token starts at `offset`; one of `kind` that starts at `start`, if any, ends there."""
    character, pair = text[offset], text[offset : offset + 2]
    if character == '"':
        line_break = LINE_BREAK.search(text, offset)
        return Flaw(
            offset,
            len(text) if line_break is None else line_break.start(),
            "this text is never closed",
            r'close it with "; a quote inside a text is written \"',
        )
    if character.isspace() or not character.isprintable():
        name = unicodedata.name(character, "a control character")
        message = f"U+{ord(character):04X} ({name}) stands outside of a text"
        return Flaw(offset, offset + 1, message, "write a plain space instead")
    if start is not None and kind in WORDS:
        return _not_a_word(text, kind, start, _run_end(text, offset))
    for raw in (pair, character):
        if raw in _ILLEGAL:
            meaning, hint = _ILLEGAL[raw]
            message = f"`{raw}` starts {meaning}, which rows do not have"
            return Flaw(offset, offset + len(raw), message, hint)
    end = _run_end(text, offset)
    if text[offset:end] == ":":
        return Flaw(offset, end, "`:` has no name behind it", "write one, as in :name")
    return Flaw(
        offset, end, f"`{text[offset:end]}` is not a value", 'write text in quotes: "…"'
    )


def _not_a_word(text: str, kind: str, start: int, end: int) -> Flaw:
    raw = text[start:end]
    if re.match(r"[-+]?0\d", raw):
        number = re.sub(r"^([-+]?)0+(?=\d)", r"\1", raw)
        is_number = re.fullmatch(r"[-+]?\d+(\.\d+)?[NM]?", number)
        either = f"{number}, or " if is_number else ""
        hint = f'a number does not start with 0: write {either}"{raw}" for text'
    elif kind in {"CHAR", "WHITESPACE"}:
        hint = 'write text in quotes: "…"'
    elif raw.count("/") > 1:
        hint = "a name has at most one /"
    else:
        hint = "put a space between two values; write text in quotes"
    return Flaw(start, end, f"`{raw}` is not a {WORDS.get(kind, 'tag')}", hint)


def _run_end(text: str, offset: int) -> int:
    """Where the run of characters at `offset` ends: at a space, bracket or quote."""
    run = _RUN.match(text, offset)
    return offset + 1 if run is None else max(run.end(), offset + 1)
