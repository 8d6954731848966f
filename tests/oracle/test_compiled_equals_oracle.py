"""Compiled rows do what LANGUAGE 5 to 7 say: same results, same errors, same effects."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping
from random import Random

from hypothesis import event, given
from hypothesis import strategies as st

from graphden import Graph, Trace
from graphden.compile import Compiled, emit, plan
from graphden.compile.spans import CHECKED, Variant
from graphden.compile.support import MISSING
from graphden.errors import RunError
from graphden.model.resolved import Program, ResolvedRow
from graphden.model.types import Callable, ListOf, Type
from graphden.run import Context, as_run_error
from graphden.run.lines import Lines, register
from graphden.stdlib.cells import Cell
from tests.oracle.evaluator import Oracle
from tests.oracle.making import Made
from tests.oracle.probe import Outcome, observe
from tests.oracle.programs import SCALARS, programs
from tests.oracle.wiring import program_of

randoms = st.integers(0, 2**32).map(Random)
_numbers = itertools.count(1)

RUN_TIME_CODES = {
    "argument-type",
    "invalid-argument",
    "thrown",
    "base-function-error",
    "contract-violation",
    "row-has-diagnostics",
}
"""What a program of `programs` may end in; given arguments are known and not missing."""


def parsed(rows: tuple[Made, ...]) -> Graph:
    return Graph.parse("\n".join(row.text for row in rows), file="rows.edn")


def value_for(type_: Type, random: Random) -> object:
    match type_:
        case ListOf():
            return random.choices(SCALARS, k=random.randint(0, 3))
        case Callable():
            return lambda *values: ["called with", *values]
    return random.choice(SCALARS)


def arguments_for(row: ResolvedRow, random: Random) -> dict[str, object]:
    return {
        name: value_for(parameter.type, random)
        for name, parameter in row.interface.items()
        if parameter.required or random.random() < 0.5
    }


def emitted(graph: Graph, row: ResolvedRow, name: str, variant: Variant = CHECKED) -> Compiled:
    checked = graph._checked
    planned = plan(graph.program, row.id)
    return emit(planned, checked.bodies, checked.contracts.guard, name, variant)


def compiled(
    graph: Graph,
    row: ResolvedRow,
    arguments: Mapping[str, object],
    variant: Variant = CHECKED,
    trace: Trace | None = None,
) -> Outcome:
    """The row run as compiled, whatever its types say: what is compared is evaluation. The
    traced variant takes a trace.
    """

    def run(context: Context) -> object:
        values = graph._entry(row).arguments(arguments)
        name = f"<graphden oracle {next(_numbers)}>"
        made = emitted(graph, row, name, variant)
        lines = Lines(name, made.lines)
        register(lines)
        surroundings = [context] if trace is None else [context, trace]
        try:
            return made.function(*surroundings, *values)
        except Exception as error:
            raise as_run_error(error) from error

    return observe(run)


def checked(graph: Graph, row: ResolvedRow, arguments: Mapping[str, object]) -> Outcome:
    """The row run as users run it."""
    return observe(lambda context: graph.run(row.id, arguments, context=context))


def evaluated(
    program: Program, graph: Graph, row: ResolvedRow, arguments: Mapping[str, object]
) -> Outcome:
    """The row run by the oracle, over the same arguments: a callable from Python looks what it
    is called with.
    """

    def run(context: Context) -> object:
        values = graph._entry(row).arguments(arguments)
        named = zip(row.interface, values, strict=True)
        given = {name: value for name, value in named if value is not MISSING}
        return Oracle(program, graph._checked.bodies, context).run(row.id, given)

    return observe(run)


def shown(outcome: Outcome) -> tuple[object, ...]:
    error = outcome.error
    failure = None if error is None else (error.code, comparable(error.data))
    return comparable(outcome.value), failure, comparable(outcome.notes)


def comparable(value: object) -> object:
    """Values such that == tells 1 from true, and takes one callable, or error, for another."""
    match value:
        case list() | tuple():
            return [comparable(item) for item in value]
        case Mapping():
            return {key: comparable(item) for key, item in value.items()}
        case RunError():
            return "error", value.code, comparable(value.data)
        case Cell():
            return "a cell", comparable(value.get())
        case _ if callable(value):
            return "a callable"
    return type(value).__name__, value


@given(programs, randoms)
def test_compiled_equals_the_oracle(rows: tuple[Made, ...], random: Random) -> None:
    """LANGUAGE 7: results, errors, and what has effects: how often, and in which order."""
    graph = parsed(rows)
    program = program_of(rows, graph)
    for row in rows:
        resolved = graph.resolved(row.name)
        arguments = arguments_for(resolved, random)
        found = compiled(graph, resolved, arguments)
        if found.error is not None and found.error.code == "argument-type":
            assert found.count == 0  # LANGUAGE 5.5: before anything runs
            continue
        assert shown(found) == shown(evaluated(program, graph, resolved, arguments))
        event("fails" if found.error else "succeeds")
        event(f"{min(found.count, 4)} effects")


@given(programs, randoms)
def test_what_checks_runs_as_it_would_unchecked(rows: tuple[Made, ...], random: Random) -> None:
    """LANGUAGE 8.5: a check where any flows into a type ends a run, and changes nothing else;
    a row without diagnostics never ends in an error of Python's types.
    """
    graph = parsed(rows)
    for row in rows:
        resolved = graph.resolved(row.name)
        arguments = arguments_for(resolved, random)
        found = checked(graph, resolved, arguments)
        code = found.error.code if found.error else "none"
        event(code)
        if found.error is not None and code == "base-function-error":
            assert not isinstance(found.error.__cause__, TypeError)
        if code not in {"row-has-diagnostics", "contract-violation"}:
            assert shown(found) == shown(compiled(graph, resolved, arguments))


@given(programs)
def test_what_a_row_leaves_open_is_what_its_bindings_say(rows: tuple[Made, ...]) -> None:
    """LANGUAGE 5.1 and 6.3, by the generator's own account of them."""
    graph = parsed(rows)
    for row in rows:
        assert set(graph.resolved(row.name).interface) == set(row.interface)


@given(programs, randoms)
def test_what_loads_runs_or_fails_with_a_documented_code(
    rows: tuple[Made, ...], random: Random
) -> None:
    """LANGUAGE 9.3; and the error points into the file, at a row that exists (9.2)."""
    graph = parsed(rows)
    for row in rows[-2:]:
        resolved = graph.resolved(row.name)
        error = checked(graph, resolved, arguments_for(resolved, random)).error
        if error is not None:
            assert error.code in RUN_TIME_CODES
            assert error.row in {made.name for made in rows}
            assert error.span is not None
            assert error.span.file == "rows.edn"


@given(programs)
def test_the_same_rows_give_the_same_code(rows: tuple[Made, ...]) -> None:
    def written(graph: Graph, row: ResolvedRow) -> str:
        return ast.dump(emitted(graph, row, "<rows>").source)

    one, other = parsed(rows), parsed(rows)
    for row in rows[-2:]:
        assert written(one, one.resolved(row.name)) == written(other, other.resolved(row.name))


def test_the_oracle_is_no_yes_man() -> None:
    """It counts for itself: an effect in a callable runs anew in each call, elsewhere once."""
    graph = Graph.parse("""
        {:name :t :parent :tick :args {:tag 1}}
        {:name :each :parent :map :args {:func :t :coll [1 2 3]}}
        {:name :both :parent :pair :args {:left :t :right :t}}
    """)

    assert evaluated(graph.program, graph, graph.resolved("each"), {}).tags == [1, 1, 1]
    assert evaluated(graph.program, graph, graph.resolved("both"), {}).tags == [1]
