"""Printing tokens in the layout that `layout` describes. No recursion: nesting may be deep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from graphden.edn.layout_blocks import BEFORE_COMMENT, Block
from graphden.edn.layout_styles import (
    DESCRIPTION,
    Place,
    Style,
    is_vector_of_rows,
    place_inside,
    style_of,
)
from graphden.edn.layout_tokens import DISCARD, MAP, OPENERS, WIDTH, Item, Tokens
from graphden.edn.lines import LINE_BREAK
from graphden.edn.tokens import PREFIXES

_HANG = 2
"""How far a value is set in that a comment separates from its key."""


@dataclass(frozen=True, slots=True)
class _Break:
    """A new line that starts at a column."""

    column: int


@dataclass(frozen=True, slots=True)
class _Expression:
    """The expression at token `start`; `tail` closing brackets follow it at once."""

    start: int
    tail: int
    place: Place


@dataclass(frozen=True, slots=True)
class _Room:
    """A space if the item behind it fits on the line, else a new line."""

    before: Item
    item: Item
    tail: int
    column: int


_Step = str | _Break | _Expression | _Room


class Printer:
    """Prints the tokens of one text, once."""

    def __init__(self, tokens: Tokens, newline: str) -> None:
        self._tokens = tokens
        self._newline = newline
        self._pieces: list[str] = []
        self._column = 0
        self._tall: set[int] = set()
        """Where expressions start that took several lines."""

    def print(self) -> str:
        """The text, with a line break at its end unless it is empty."""
        end = len(self._tokens.kinds)
        rows = self._tokens.items(0, end, paired=False)
        waiting = [*self._steps(Block(self._tokens, rows, end, 0, 0, Place.FILE, Style.ROWS))]
        waiting.reverse()
        while waiting:
            step = waiting.pop()
            match step:
                case str():
                    self._write(step)
                case _Break(column):
                    self._break(column)
                case _Expression():
                    waiting += reversed(self._expression(step))
                case _Room():
                    self._separate(step)
                case _:
                    assert_never(step)
        if self._pieces:
            self._break(0)
        return "".join(self._pieces)

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self._column += len(text)

    def _break(self, column: int) -> None:
        self._pieces.append(self._newline + " " * column)
        self._column = column

    def _separate(self, room: _Room) -> None:
        start, end = room.item[0], self._tokens.end(room.item)
        fits = self._tokens.fits(start, end, self._column + 1, room.tail)
        if fits and self._tall.isdisjoint(room.before):
            self._write(" ")
        else:
            self._break(room.column)

    # -- expressions ---------------------------------------------------------------------------

    def _expression(self, expression: _Expression) -> Sequence[_Step]:
        """Write the expression on one line, or give the steps for several."""
        start, tail, place = expression.start, expression.tail, expression.place
        tokens = self._tokens
        end = tokens.ends[start]
        must_break = place is Place.FILE and self._is_tall_row(start)
        if tokens.fits(start, end, self._column, tail) and not must_break:
            self._write(tokens.flat(start, end))
            return ()
        kind = tokens.kinds[start]
        if kind in OPENERS:
            self._tall.add(start)
            return self._collection(expression)
        if kind in PREFIXES:
            self._tall.add(start)
            return self._prefixed(expression)
        text = tokens.texts[start]
        self._write(text)
        if not tokens.is_flat(start, end):
            self._tall.add(start)
            self._column = len(LINE_BREAK.split(text)[-1])
        return ()

    def _is_tall_row(self, start: int) -> bool:
        """Is it a row, or are they rows, that do not stand on one line even if they fit?"""
        tokens = self._tokens
        if tokens.kinds[start] in PREFIXES:
            return True
        documented = tokens.kinds[start] == MAP and DESCRIPTION in tokens.keys(start)
        return documented or is_vector_of_rows(tokens, start, Place.FILE)

    def _prefixed(self, expression: _Expression) -> Sequence[_Step]:
        tokens = self._tokens
        start = expression.start
        column = min(self._column, WIDTH)
        glue = "" if tokens.kinds[start] == DISCARD else " "
        parts = tuple(tokens.expressions(start + 1, tokens.ends[start]))
        return [
            tokens.texts[start],
            *self._between(parts[0], column, glue),
            *self._chain(parts, expression.tail, expression.place, column),
        ]

    def _chain(
        self, parts: Item, tail: int, place: Place, column: int, between: _Step = " "
    ) -> Iterator[_Step]:
        """The parts of an item, or what stands behind a prefix."""
        for part in parts:
            if part != parts[0]:
                yield from self._between(part, column, between)
            yield _Expression(part, tail if part == parts[-1] else 0, place)

    def _between(self, part: int, column: int, between: _Step) -> Iterator[_Step]:
        gap = self._tokens.gaps[part]
        if not gap.comments:
            yield between
            return
        if gap.trailing:
            yield BEFORE_COMMENT + gap.trailing
        for line in filter(None, gap.lines):
            yield _Break(column)
            yield line
        yield _Break(column)

    # -- collections ---------------------------------------------------------------------------

    def _collection(self, collection: _Expression) -> Sequence[_Step]:
        tokens = self._tokens
        start, place = collection.start, collection.place
        bracket, end = self._column, tokens.ends[start] - 1
        self._write(tokens.texts[start])
        style = style_of(tokens, start, place)
        paired = tokens.kinds[start] == MAP or style is Style.PAIRS
        items = tokens.items(start + 1, end, paired=paired)
        column = min(self._column, WIDTH)  # deep nesting must not fill lines with spaces
        block = Block(tokens, items, end, collection.tail + 1, column, place, style)
        closing: list[_Step] = [tokens.texts[end]]
        if tokens.gaps[end].comments:
            closing.insert(0, _Break(min(bracket, WIDTH)))
        return [*self._steps(block), *closing]

    def _steps(self, block: Block) -> Iterator[_Step]:
        """The items of a block with what stands between and behind them."""
        key_width = block.key_width()
        lines = block.complete_lines(key_width)
        before: Item = ()
        for item in block.items:
            yield from self._start(block, before, item)
            if item[0] in lines:
                yield lines[item[0]]
            else:
                yield from self._item(block, item, key_width)
            before = item
        below = block.lines(block.end, is_first=not before)
        while below and not below[-1]:
            below.pop()
        yield from _stacked(below, block.column, is_first=not before)

    def _start(self, block: Block, before: Item, item: Item) -> Iterator[_Step]:
        """What stands before an item: lines of comments, and the way to its line."""
        lines = block.lines(item[0], is_first=not before)
        yield from _stacked(lines, block.column, is_first=not before)
        filled = block.style is Style.FILLED and not self._tokens.gaps[item[0]].comments
        if before and filled and self._tokens.key(item) != DESCRIPTION:
            yield _Room(before, item, block.tail_of(item), block.column)
        elif before or lines:
            yield _Break(block.column)

    def _item(self, block: Block, item: Item, key_width: int) -> Iterator[_Step]:
        place = place_inside(self._tokens, item, block.place, block.style)
        hang = block.column + _HANG
        between: _Step = " "
        if block.style is Style.PAIRS:
            between = _Break(hang)
        elif len(item) == 2:
            between = " " * (max(0, key_width - len(self._tokens.key(item))) + 1)
        yield from self._chain(item, block.tail_of(item), place, hang, between)
        if comment := self._tokens.gaps[self._tokens.end(item)].trailing:
            yield BEFORE_COMMENT + comment


def _stacked(lines: list[str], column: int, *, is_first: bool) -> Iterator[_Step]:
    """Lines below each other; the first thing of a collection needs no new line."""
    for number, line in enumerate(lines):
        if number or not is_first:
            yield _Break(column if line else 0)
        yield line
