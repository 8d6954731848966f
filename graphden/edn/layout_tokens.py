"""What a layout is made of: tokens as they were written, and what stands between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from graphden.edn.lines import LINE_BREAK
from graphden.edn.tokens import CLOSERS, PREFIXES, build_lexer

WIDTH = 96
"""How many code points a line has room for."""
DISCARD = "DISCARD_TAG"
OPENERS = frozenset({"MAP_START", "VECTOR_START", "LIST_START", "SET_START"})
MAP = "MAP_START"
VECTOR = "VECTOR_START"

Item = tuple[int, ...]
"""What takes a place of its own in a collection, by the tokens that its parts start with: an
expression, a discarded one, or the key and the value of a map, with what is discarded between.
"""


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two tokens, apart from spaces and commas.

    `trailing` is the comment behind the first token, on its line. `lines` are the lines between
    the two: comments, and empty text for any number of blank lines.
    """

    trailing: str = ""
    lines: tuple[str, ...] = ()

    @property
    def comments(self) -> list[str]:
        """All comments, in order."""
        return [line for line in (self.trailing, *self.lines) if line]


_NOTHING = Gap()


class Tokens:
    """The tokens of a text that can be read.

    `kinds`, `texts` and `ends` go by the number of a token; the end of an expression is one
    past its last token. `gaps[n]` stands before token n, the last gap before the end of the
    text.

    Every expression also has a text on one line, a slice of the one text of all tokens: so how
    wide it is, and whether it can be on one line at all, takes no walk through it.
    """

    def __init__(self, text: str) -> None:
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.gaps: list[Gap] = []
        before, glue = "\n", ""
        pieces: list[str] = []
        self._starts: list[int] = []
        self._hard = [0]
        """How many things before a token force a line break: comments and texts of lines."""
        width = hard = done = 0
        for token in _lex(text):
            kind, raw, start = token.type, token.value, token.lexpos
            gap = _gap(before + text[done:start])
            if kind in CLOSERS:
                glue = ""
            pieces += (glue, raw)
            self._starts.append(width + len(glue))
            width += len(glue) + len(raw)
            hard += bool(gap.comments)
            hard += kind == "STRING" and LINE_BREAK.search(raw) is not None
            self._hard.append(hard)
            self.kinds.append(kind)
            self.texts.append(raw)
            self.gaps.append(gap)
            before, done = "", start + len(raw)
            glue = "" if kind in OPENERS or kind == DISCARD else " "
        self.gaps.append(_gap(before + text[done:] + "\n"))
        self._starts.append(width + 1)
        self._flat = "".join(pieces)
        self.ends = self._all_ends()

    def is_flat(self, start: int, end: int) -> bool:
        """Can the tokens from `start` up to `end` stand on one line?"""
        own = 1 if self.gaps[start].comments else 0
        return self._hard[end] - self._hard[start] == own

    def width(self, start: int, end: int) -> int:
        """How many code points the tokens take on one line."""
        return self._starts[end - 1] + len(self.texts[end - 1]) - self._starts[start]

    def fits(self, start: int, end: int, column: int, tail: int) -> bool:
        """Do the tokens fit on a line from `column` on, with `tail` brackets behind them?"""
        return self.is_flat(start, end) and column + self.width(start, end) + tail <= WIDTH

    def flat(self, start: int, end: int) -> str:
        """The tokens on one line."""
        first = self._starts[start]
        return self._flat[first : first + self.width(start, end)]

    def end(self, item: Item) -> int:
        """One past the last token of an item."""
        return self.ends[item[-1]]

    def expressions(self, start: int, end: int) -> Iterator[int]:
        """The tokens at which expressions and discarded ones start, from `start` to `end`."""
        while start < end:
            yield start
            start = self.ends[start]

    def items(self, start: int, end: int, *, paired: bool) -> list[Item]:
        """The items from `start` up to `end`; `paired` ones are keys with their values."""
        items: list[Item] = []
        parts: list[int] = []
        values = 0
        for part in self.expressions(start, end):
            parts.append(part)
            discarded = self.kinds[part] == DISCARD
            values += not discarded
            if not paired or values == 2 or (discarded and values == 0):
                items.append(tuple(parts))
                parts, values = [], 0
        if parts:
            items.append(tuple(parts))
        return items

    def key(self, item: Item) -> str:
        """The key of a map's entry, as written; empty text for what is no entry."""
        return self.texts[item[0]] if len(item) > 1 else ""

    def keys(self, opener: int) -> list[str]:
        """The keys of the map that starts at `opener`."""
        inside = self.items(opener + 1, self.ends[opener] - 1, paired=True)
        return [self.key(item) for item in inside]

    def _all_ends(self) -> list[int]:
        ends = [0] * len(self.kinds)
        closers: list[int] = []
        for token in range(len(ends) - 1, -1, -1):
            kind = self.kinds[token]
            if kind in CLOSERS:
                closers.append(token)
            elif kind in OPENERS:
                ends[token] = closers.pop() + 1
            elif kind in PREFIXES:
                core = token + 1
                while self.kinds[core] == DISCARD:
                    core = ends[core]
                ends[token] = ends[core]
            else:
                ends[token] = token + 1
        return ends


@cache
def _lexer() -> Any:
    return build_lexer()


def _lex(text: str) -> Iterator[Any]:
    lexer = _lexer().clone()
    lexer.input(text)
    return iter(lexer.token, None)


def _gap(between: str) -> Gap:
    if not between or (between.isspace() and len(LINE_BREAK.findall(between)) < 2):
        return _NOTHING
    first, *others = (line.lstrip(" \t\f\v,").rstrip() for line in LINE_BREAK.split(between))
    lines: list[str] = []
    for line in others[:-1]:
        if line or not lines or lines[-1]:
            lines.append(line)
    return Gap(first, tuple(lines)) if first or lines else _NOTHING
