"""Programs as data, to be rewritten; and all that is to be seen of a graph.

The programs are those of `tests.oracle.programs`: inheritance, renames, defaults, feeds, inline
rows, callables with captures, effects. No keyword in them is data, and no argument has the name
of a row of theirs, so a keyword that names a row is a reference to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from graphden import Graph, GraphError
from graphden.edn import Keyword, read, write
from graphden.errors import Problem
from graphden.run.tracing import Trace
from tests.oracle.making import Made
from tests.oracle.probe import Outcome, observe
from tests.oracle.programs import program
from tests.oracle.test_compiled_equals_oracle import arguments_for, shown

Row: TypeAlias = dict[str, object]

randoms = st.integers(0, 2**32).map(Random)
programs = st.builds(program, st.integers(0, 2**32), st.integers(3, 7)).map(
    lambda made: [data(row) for row in made]
)


def data(made: Made) -> Row:
    [form] = read(made.text, "made")
    value = form.value
    assert isinstance(value, dict)
    return value


def text_of(rows: list[Row]) -> str:
    return "\n".join(map(write, rows))


def name_of(row: Row) -> str:
    name = row["name"]
    assert isinstance(name, Keyword)
    return name.text


def mapped(value: object, change: Callable[[Keyword], Keyword]) -> object:
    """The value with each keyword in it, keys of maps excepted, changed."""
    match value:
        case Keyword():
            return change(value)
        case list():
            return [mapped(each, change) for each in value]
        case Mapping():
            return {key: mapped(each, change) for key, each in value.items()}
    return value


def parsed(text: str) -> Graph | tuple[Problem, ...]:
    """The graph, or what refuses it."""
    try:
        return Graph.parse(text, file="rows.edn")
    except GraphError as error:
        return error.problems


def ran(graph: Graph, row: str, random: Random, trace: Trace | None = None) -> Outcome:
    resolved = graph.resolved(row)
    arguments = arguments_for(resolved, random)
    return observe(
        lambda context: graph.run(resolved.row.id, arguments, context=context, trace=trace)
    )


def seen(graph: Graph, row: str, seed: int) -> tuple[object, ...]:
    """What a row has open and what its run comes to, effects and their order included."""
    interface = [
        (each.name, str(each.type), each.required, each.default)
        for each in graph.interface(row)
    ]
    outcome = ran(graph, row, Random(seed))
    if outcome.error is not None and outcome.error.code == "row-has-diagnostics":
        return interface, outcome.error.code  # which are shown by graph.diagnostics
    return interface, shown(outcome)
