"""Lines of a text: they end at a line feed, a carriage return, or both in this order."""

from __future__ import annotations

import re
from bisect import bisect_right

LINE_BREAK = re.compile(r"\r\n?|\n")


class Lines:
    """Where the lines of a text start. Lines and columns count from 1, in code points."""

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of `offset`."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Where `line` and `column` are in the text."""
        return self.starts[line - 1] + column - 1
