"""Blocks: the items of a collection, or of a file, and which of them stand in columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphden.edn.layout_styles import DESCRIPTION, Place, Style
from graphden.edn.layout_tokens import MAP, WIDTH, Item, Tokens

BEFORE_COMMENT = "  "
"""What stands between a line and the comment behind it."""


@dataclass(frozen=True, slots=True)
class Block:
    """The items of a collection, or of the file, and how they are laid out."""

    tokens: Tokens
    items: list[Item]
    end: int
    """The token behind them: the closing bracket, or the end of the file."""
    tail: int
    """How many closing brackets follow them at once."""
    column: int
    """Where their lines start."""
    place: Place
    style: Style

    def tail_of(self, item: Item) -> int:
        """How many closing brackets follow the item at once."""
        return self.tail if item is self.items[-1] else 0

    def lines(self, token: int, *, is_first: bool) -> list[str]:
        """The lines before a token: comments, and between rows blank ones, which are empty.

        What stands behind an opening bracket is a line too, with `is_first`.
        """
        gap = self.tokens.gaps[token]
        lines = list(gap.lines)
        if self.style is not Style.ROWS:
            lines = [line for line in lines if line]
        if is_first and gap.trailing:
            return [gap.trailing, *lines]
        return lines[1:] if is_first and lines and not lines[0] else lines

    def key_width(self) -> int:
        """How wide the column of a map's keys is; 0 where a column would break lines."""
        if self.style is not Style.TABLE:
            return 0
        tokens = self.tokens
        entries = [item for item in self.items if len(item) == 2]
        width = max((len(tokens.key(entry)) for entry in entries), default=0)
        for entry in entries:
            start, end, tail = entry[0], tokens.end(entry), self.tail_of(entry)
            added = width - len(tokens.key(entry))
            fits = tokens.fits(start, end, self.column, tail)
            if fits and not tokens.fits(start, end, self.column + added, tail):
                return 0
        return width

    def complete_lines(self, key_width: int) -> dict[int, str]:
        """The lines of the items that one line holds, with the comments behind them, by the
        token that the item starts at.
        """
        tokens = self.tokens
        lines: dict[int, str] = {}
        for neighbours in self._neighbours():
            if self.style is Style.ROWS:
                room = WIDTH - self.column - self.tail_of(neighbours[-1])
                texts = _aligned([self._cells(item) for item in neighbours], room)
            else:
                texts = [self._line(item, key_width) for item in neighbours]
            comments = [tokens.gaps[tokens.end(item)].trailing for item in neighbours]
            both = zip(neighbours, _commented(texts, comments), strict=True)
            lines.update((item[0], line) for item, line in both)
        return lines

    def _neighbours(self) -> Iterator[list[Item]]:
        """The items on one line each, next to each other; rows only with the same keys."""
        if self.style is Style.FILLED:
            return
        run: list[Item] = []
        shape: list[str] | None = None
        for item in self.items:
            its_shape = self._shape(item)
            apart = self.lines(item[0], is_first=False)
            if run and (its_shape != shape or apart):
                yield run
                run = []
            shape = its_shape
            if shape is not None:
                run.append(item)
        if run:
            yield run

    def _shape(self, item: Item) -> list[str] | None:
        """What an item on one line has in common with such neighbours; None for several."""
        tokens = self.tokens
        start, end = item[0], tokens.end(item)
        if not tokens.fits(start, end, self.column, self.tail_of(item)):
            return None
        if self.style is not Style.ROWS:
            return []
        if tokens.kinds[start] != MAP:
            return None
        keys = tokens.keys(start)
        return None if DESCRIPTION in keys else keys

    def _cells(self, row: Item) -> list[str]:
        """The entries of a row on one line, as they stand in the columns of a table."""
        tokens = self.tokens
        start, end = row[0], tokens.end(row)
        entries = tokens.items(start + 1, end - 1, paired=True)
        cells = [tokens.flat(entry[0], tokens.end(entry)) for entry in entries] or [""]
        cells[0] = tokens.texts[start] + cells[0]
        cells[-1] += tokens.texts[end - 1]
        return cells

    def _line(self, item: Item, key_width: int) -> str:
        tokens = self.tokens
        if len(item) != 2 or not key_width:
            return tokens.flat(item[0], tokens.end(item))
        key, value = (tokens.flat(part, tokens.ends[part]) for part in item)
        return f"{key:{key_width}} {value}"


def _aligned(table: list[list[str]], room: int) -> list[str]:
    """The rows of a table as lines; in columns unless that makes a line too long."""
    columns = list(zip(*table, strict=True))
    widths = [max(map(len, column)) for column in columns[:-1]] + [0]
    lines = [" ".join(map(str.ljust, cells, widths)) for cells in table]
    if any(len(line) > room for line in lines):
        return [" ".join(cells) for cells in table]
    return lines


def _commented(lines: list[str], comments: list[str]) -> list[str]:
    """The lines with their comments, which start in one column."""
    both = list(zip(lines, comments, strict=True))
    width = max((len(line) for line, comment in both if comment), default=0)
    return [
        line.ljust(width) + BEFORE_COMMENT + comment if comment else line
        for line, comment in both
    ]
