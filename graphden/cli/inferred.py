"""The inferred types of everything a row reaches, as plain data.

Each row stands there once for each of its types: a row that takes anything may be used with
ints here and with texts there. What the data looks like is what `graphden show --types --json`
prints, and stays as it is.
"""

from __future__ import annotations

from typing import Any

from graphden.check import Typed, Unproved
from graphden.check.findings import shown
from graphden.cli.describing import place_record, written
from graphden.cli.reporting import problem_record
from graphden.engine import Graph
from graphden.model.plan import GuardKey
from graphden.model.resolved import Use, Wrap


def inferred(graph: Graph, name: str) -> dict[str, Any]:
    """The types of the row `name`, first, and of all it reaches, in the order of reading.

    `references` of a row are the numbers of others in the list; `repeated` are those whose
    types have come before. Raises RunError `unknown-row`, …
    """
    start = graph.resolved(name, private=True)
    rows: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    ahead: list[tuple[list[dict[str, Any]], str, str, Typed]] = [
        ([], "value", start.id, graph.inference.row(start.id))
    ]
    while ahead:
        references, used_as, row_id, typed = ahead.pop()
        number = numbers.setdefault(id(typed), len(rows))
        repeated = number < len(rows)
        references.append({"number": number, "as": used_as, "repeated": repeated})
        if repeated:
            continue
        rows.append(_row(graph, row_id, typed))
        below = rows[-1]["references"]
        for source, types in sorted(typed.references, key=_where, reverse=True):
            how = "callable" if isinstance(source, Wrap) else "value"
            ahead.append((below, how, source.target, types))
    diagnostics = [problem_record(each) for each in graph.diagnostics_of(start.id)]
    return {"rows": rows, "diagnostics": diagnostics}


def _where(reference: tuple[Use | Wrap, Typed]) -> tuple[str, int, int]:
    span = reference[0].place.span
    return span.file, span.line, span.column


def _row(graph: Graph, row_id: str, typed: Typed) -> dict[str, Any]:
    resolved = graph.program.resolved[row_id]
    standing = graph.inference.row(row_id)
    return {
        "row": written(resolved.row),
        "id": row_id,
        "kind": resolved.row.kind.value,
        **place_record(resolved.row.span),
        "arguments": [
            {"name": name, "type": shown(typed.parameters[name]), "required": each.required}
            for name, each in resolved.interface.items()
        ],
        "result": shown(typed.result),
        # A row is compiled once, for all who use it.
        "checks": [
            _check(key, shown(expected), standing.reasons[key])
            for key, expected in standing.guards.items()
        ],
        "references": [],
    }


def _check(key: GuardKey, expected: str, why: Unproved) -> dict[str, Any]:
    match key:
        case ("result",):
            checked = "result"
        case ("slot", name, index):
            checked = f"item {index} of :{name}"
        case (*_, name):
            checked = f":{name}"
    return {
        "checked": checked,
        "expected": expected,
        "comes": why.what,
        "of_type": shown(why.actual),
        **place_record(why.place.span),
    }
