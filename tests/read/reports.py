"""Rows as text in; problems, interfaces and values out."""

from __future__ import annotations

from graphden import Graph, GraphError
from graphden.errors import Problem


def problems_of(text: str) -> tuple[Problem, ...]:
    """Every problem of the rows in `text`, structural ones and diagnostics."""
    try:
        return Graph.parse(text, file="rows.edn").diagnostics
    except GraphError as error:
        return error.problems


def report(text: str) -> list[tuple[str, str, str]]:
    """Each problem as its code, its row, and the piece of the text that it points at."""
    return [(p.code, p.row, pointed_at(text, p)) for p in problems_of(text)]


def only(text: str) -> Problem:
    """The problem of rows that have exactly one."""
    found = problems_of(text)
    assert len(found) == 1, [(p.code, str(p.span), p.message) for p in found]
    return found[0]


def pointed_at(text: str, problem: Problem) -> str:
    """What a problem's span covers; of several lines the first."""
    span = problem.span
    assert span is not None, problem
    line = text.split("\n")[span.line - 1]
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return line[span.column - 1 : end]


def interface(text: str, row: str) -> dict[str, str]:
    """The arguments of a row: `type`, with `?` when it may be left out, and a known default."""
    found = {}
    for parameter in Graph.parse(text).interface(row):
        default = f" = {parameter.default!r}" if parameter.default_known else ""
        found[parameter.name] = f"{parameter.type}{'' if parameter.required else '?'}{default}"
    return found


def run(text: str, row: str, **arguments: object) -> object:
    """What a row gives; `delay_ms` stands for `:delay-ms`."""
    given = {name.replace("_", "-"): value for name, value in arguments.items()}
    return Graph.parse(text, file="rows.edn").run(row, given)
