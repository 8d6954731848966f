"""Code frames: a place of a text, shown in its line.

12 | {:name :total :args {:x 007}}
   |                         ^^^
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from graphden.edn.lines import LINE_BREAK
from graphden.errors import Span

_WIDTH = 92
_BEFORE = 30
_TAB = "    "


def lines_of(text: str) -> list[str]:
    """The lines of a text, as `caret` takes them: split once for all the places shown."""
    return LINE_BREAK.split(text.removeprefix("\ufeff"))


def caret(
    text: str | Sequence[str], span: Span, mask: Callable[[str], str] | None = None
) -> str:
    """The line of `span` with its number, and `^^^` below what the span covers.

    `text` is the whole text or its lines. Of a span of several lines the first is shown. Tabs
    become four spaces, control characters `·`; of a long line the surroundings of the span are
    shown. Without such a line, the frame is empty text. `mask` may change what the line shows,
    not its length.
    """
    lines = lines_of(text) if isinstance(text, str) else text
    if not 1 <= span.line <= len(lines):
        return ""
    line = lines[span.line - 1].rstrip("\r\n")
    line = line if mask is None else mask(line)
    first = min(span.column - 1, len(line))
    last = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    last = max(first + 1, last)

    start = max(0, first - _BEFORE) if len(line) > _WIDTH else 0
    end = min(len(line), start + _WIDTH)
    left = "…" if start else ""
    right = "…" if end < len(line) else ""
    padding = " " * (len(left) + _columns(_shown(line[start:first])))
    marks = "^" * max(1, _columns(_shown(line[first : min(last, end)])))
    number = str(span.line)
    code = f"{left}{_shown(line[start:end])}{right}"
    return f" {number} | {code}".rstrip() + f"\n {' ' * len(number)} | {padding}{marks}"


def _shown(piece: str) -> str:
    piece = piece.replace("\t", _TAB)
    return piece if piece.isprintable() else "".join(map(_visible, piece))


def _visible(character: str) -> str:
    control = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return "·" if control else character


def _columns(shown: str) -> int:
    """How many columns of a terminal it takes: wide characters two, combining ones none."""
    if shown.isascii():
        return len(shown)
    return sum(map(_column_count, shown))


def _column_count(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
