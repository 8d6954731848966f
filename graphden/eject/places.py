"""Comments that say which row code is of, and where it is written."""

from __future__ import annotations

from collections.abc import Callable, Collection

from graphden.compile import Source
from graphden.errors import Span
from graphden.model.resolved import Program
from graphden.model.rows import Row


def comments(
    source: Source, program: Program, rows: Collection[str], told: str
) -> Callable[[int], str | None]:
    """What to say before code of a line: the row and its place, where it is met first. Of the
    row `told` that is known already.
    """
    by_place: dict[tuple[str, Span | None], str] = {}
    for row_id in sorted(rows):
        row = program.rows[row_id]
        by_place[row.owner, row.span] = row.written
        if row.parents:
            by_place[row.owner, row.parents[0].span] = row.written
    met = {told}

    def comment(line: int) -> str | None:
        trail = source.lines[line - 1]
        row = by_place.get((trail.row, trail.span))
        if row is None or row in met:
            return None
        met.add(row)
        return where(program.rows[row])

    return comment


def where(row: Row) -> str:
    """A row and its place; those of packages are known by their names."""
    if row.package is not None:
        return f":{row.id}"
    return f":{row.id}, {row.span.file}:{row.span.line}"


def files_of(program: Program, rows: Collection[str]) -> list[str]:
    """The files of the user's rows among some rows."""
    found = (program.rows[row] for row in rows)
    return sorted({row.span.file for row in found if row.package is None})
