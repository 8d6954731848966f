"""What is said of rows, and of types, that need themselves (LANGUAGE 7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

from graphden.errors import Notes, Problem, Span
from graphden.model.rows import Name, Row
from graphden.resolve.names import Names
from graphden.resolve.places import step

STEPS = 8
"""How many steps of a circle are shown with their places."""


def circle_of_rows(circle: Sequence[str], by: Row, at: Span, names: Names) -> Problem:
    """Of rows, from one back to it, which row `by` needs at the place `at`."""
    rows = [names.rows[row_id] for row_id in circle]
    owners = [row.owner for row in rows]
    steps = (
        (f":{one.owner} needs :{other.owner}", span)
        for one, other in pairwise(rows)
        if one.owner != other.owner and (span := _step(one, other, names)) not in (None, at)
    )
    return _needs_itself(
        by,
        at,
        [owners[0], *(b for a, b in pairwise(owners) if a != b)],
        tuple(islice(steps, STEPS)),
        "A row cannot reach itself through parents or references; "
        "for recursion use :fix, whose :step is handed itself as :self.",
    )


def circle_of_types(circle: Sequence[Row]) -> Problem:
    """Of type rows that stand for each other, from one back to it."""
    return _needs_itself(
        circle[0],
        circle[0].name_span,
        [row.name for row in circle],
        tuple((f"through :{row.name}", row.name_span) for row in circle[1:-1][:STEPS]),
        "A type can contain itself inside a record, list, map or tuple only.",
    )


def _step(row: Row, needed: Row, names: Names) -> Span | None:
    def means(name: Name) -> bool:
        return needed in names.candidates(name.text, row)

    return step(row, means, needed.id)


def _needs_itself(row: Row, at: Span, way: list[str], notes: Notes, hint: str) -> Problem:
    if len(way) == 1:
        way = [*way, *way]
    if len(way) > 3 * STEPS:
        way = [*way[: 2 * STEPS], "…", *way[-STEPS:]]
    shown = " → ".join(name if name == "…" else f":{name}" for name in way)
    message = f":{way[0]} needs itself: {shown}"
    return Problem("cycle", message, hint, row.owner, at, notes=notes)
