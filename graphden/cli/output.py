"""What is written to the terminal: colours where they are wanted, tables, JSON, short paths."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TextIO
from uuid import UUID

from graphden.assets import folder
from graphden.edn import JsonProblem, Keyword, to_json, write
from graphden.files import packages

_CODES = {"red": "1;31", "green": "32", "yellow": "33", "cyan": "36", "dim": "2", "bold": "1"}


class Style:
    """Colours for one stream; plain text unless it is a terminal that wants them."""

    def __init__(self, stream: TextIO) -> None:
        self.enabled = (
            stream.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )

    def __call__(self, name: str, text: str) -> str:
        """`text` in the style `name`, one of `_CODES`."""
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m" if self.enabled and text else text


@dataclass(slots=True)
class Branch:
    """A line of a tree and what hangs below it. `aside` stands in a column to the right of the
    texts, which are without colours then.
    """

    text: str
    below: list[Branch] = field(default_factory=list)
    aside: str = ""

    def lines(self) -> list[str]:
        """The branch as text."""
        found: list[tuple[str, str]] = []
        ahead = [(self, "", "")]
        while ahead:
            branch, start, indent = ahead.pop()
            found.append((start + branch.text, branch.aside))
            for each in reversed(branch.below):
                knee, line = ("└─ ", "   ") if each is branch.below[-1] else ("├─ ", "│  ")
                ahead.append((each, indent + knee, indent + line))
        width = max((len(text) for text, aside in found if aside), default=0)
        return [f"{text.ljust(width)}  {aside}" if aside else text for text, aside in found]


def print_json(value: object) -> None:
    """Print a value as JSON on one line, at once: who reads it may wait for it."""
    try:
        text = to_json(value)
    except JsonProblem:  # such as a file name that is no text
        text = json.dumps(value, default=str)
    print(text, flush=True)


def print_table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under their titles; numbers stand right, everything else left."""
    listed = [list(row) for row in rows]
    style = Style(sys.stdout)
    shown = [[_cell(value) for value in row] for row in listed]
    widths = [max(map(len, column)) for column in zip(titles, *shown, strict=True)]
    print(style("dim", _line(titles, widths, [False] * len(titles))))
    for row, cells in zip(listed, shown, strict=True):
        right = [isinstance(value, int | float) for value in row]
        print(_line(cells, widths, right))


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        cell.rjust(width) if is_right else cell.ljust(width)
        for cell, width, is_right in zip(cells, widths, right, strict=True)
    )
    return "  ".join(padded).rstrip()


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case Keyword():
            return value.text
        case datetime():
            return value.astimezone().strftime("%H:%M:%S")
        case str() | int() | float() | UUID():
            return str(value)
    return write(value, lossy=True)


def short_path(file: str) -> str:
    """A file as seen from the current folder, where it is inside of that; one of the standard
    library or of a backend by its own folder.
    """
    path, here = Path(file), Path.cwd()
    library = folder("stdlib_graphs")
    for rows in (package.rows for package in packages()):
        if path.is_relative_to(rows):
            top = rows.parent if rows == library else rows.parent.parent
            return str(path.relative_to(top))
    if path.is_absolute() and path.is_relative_to(here):
        return str(path.relative_to(here))
    return file
