"""Whether a learner's file passes an exercise, and if not, what was seen and what expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphden import checked
from graphden.edn import Keyword, equal, write
from graphden.engine import Graph
from graphden.errors import GraphError, Problem, RunError, Span
from graphden.learn.checks import Check, Runs, Stands, Tests
from graphden.learn.course import Exercise

PATIENCE_MS = 10_000
"""How long a row may run: a learner's may have no end."""

Run: TypeAlias = Callable[[Graph, str, Mapping[str, Any]], object]
"""Gives the value of a graph's row with arguments. Raises RunError."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is not as it should be. `code` is that of the problem or failed run, or
    `wrong-value`, `wrong-shape`, `no-failure`, `no-tests`, `nothing-caught`; `saw` and
    `expected` are texts.
    """

    code: str
    message: str
    hint: str = ""
    row: str = ""
    span: Span | None = None
    saw: str = ""
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What checking came to: the `problems` of the rows, or else what is `wrong` by the first
    check that does not hold, for those behind it build on that.
    """

    problems: tuple[Problem, ...] = ()
    wrong: tuple[Wrong, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the exercise is solved."""
        return not self.problems and not self.wrong

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all that is wrong."""
        return (*(each.code for each in self.problems), *(each.code for each in self.wrong))


def run_in_graph(graph: Graph, row: str, arguments: Mapping[str, Any]) -> object:
    """Run a row without a database, for `PATIENCE_MS` at most."""
    return graph.run(row, arguments, timeout_ms=PATIENCE_MS)


def check(
    exercise: Exercise, text: str, *, file: str | None = None, run: Run = run_in_graph
) -> Report:
    """Check the learner's `text`; `file` names it in places.

    `run` runs rows: with one of an App, they see queues and services.
    """
    texts = {exercise_file(exercise, name): own for name, own in exercise.others.items()}
    texts[file or exercise.file] = text
    broken = {each.broken for each in exercise.checks if isinstance(each, Tests)}
    for name in broken - {None}:
        del texts[exercise_file(exercise, str(name))]
    try:
        graph = Graph(checked.check(texts))
    except GraphError as error:
        return Report(error.problems)
    if graph.diagnostics:
        return Report(graph.diagnostics)
    for each in exercise.checks:
        wrong = tuple(_wrong(each, exercise, graph, run))
        if wrong:
            return Report(wrong=wrong)
    return Report()


def exercise_file(exercise: Exercise, name: str) -> str:
    """How places name a file that an exercise brings."""
    return f"{exercise.name}/{name}"


def _wrong(check: Check, exercise: Exercise, graph: Graph, run: Run) -> Iterator[Wrong]:
    match check:
        case Runs():
            yield from _runs(check, graph, run)
        case Stands():
            yield from _stands(check, graph)
        case Tests(broken=None, say=say):
            outcomes = list(graph.test())
            if not outcomes:
                yield Wrong("no-tests", say or "there is no row that is a test")
            for outcome in outcomes:
                if outcome.error is not None:
                    yield _failed(outcome.error, say or f":{outcome.row}")
        case Tests(broken=str() as broken, say=say):
            changed = {exercise_file(exercise, name): None for name in exercise.others}
            texts = {exercise_file(exercise, broken): exercise.others[broken]}
            if all(each.passed for each in graph.edited({**changed, **texts}).test()):
                yield Wrong(
                    "nothing-caught",
                    say or "no test fails when the rows are wrong",
                    saw="all tests pass",
                    expected="a test that fails",
                )


def _runs(check: Runs, graph: Graph, run: Run) -> Iterator[Wrong]:
    asked = f":{check.row}"
    if check.arguments:
        given = {Keyword(name): value for name, value in check.arguments.items()}
        asked += f" with {write(given, lossy=True)}"
    expected = write(check.gives, lossy=True)
    if check.fails is not None:
        expected = f"it fails with {check.fails}"
    try:
        value = run(graph, check.row, check.arguments)
    except RunError as error:
        if error.code != check.fails:
            yield _failed(error, check.say or asked, expected)
        return
    saw = write(value, lossy=True, most=500)
    if check.fails is not None:
        said = check.say or f"{asked} does not fail"
        yield Wrong("no-failure", said, row=check.row, saw=saw, expected=expected)
    elif not equal(value, check.gives):
        said = check.say or f"{asked} gives another value"
        yield Wrong("wrong-value", said, row=check.row, saw=saw, expected=expected)


def _failed(error: RunError, said: str = "", expected: str = "") -> Wrong:
    """A run that failed; one of a row that is not there says so itself."""
    row = error.row or ""
    if error.code in ("unknown-row", "private-row"):
        return Wrong(error.code, error.message, error.hint)
    message = f"{said} fails: {error.message}" if said else error.message
    saw = f"it fails with {error.code}" if expected else ""
    return Wrong(error.code, message, error.hint, row, error.span, saw, expected)


def _stands(check: Stands, graph: Graph) -> Iterator[Wrong]:
    try:
        resolved = graph.resolved(check.row)
    except RunError as error:
        yield _failed(error)
        return
    parents = tuple(each.rpartition("/")[2] for each in resolved.parents)
    aspects: tuple[tuple[str, Any, Any], ...] = (
        ("leaves open", check.open, tuple(each.name for each in graph.interface(resolved.id))),
        ("is derived from", check.parents, parents),
        ("has the effects", check.effects, resolved.effects),
    )
    for verb, wanted, found in aspects:
        if wanted is not None and wanted != found:
            yield Wrong(
                "wrong-shape",
                check.say or f":{check.row} {verb} something else",
                row=check.row,
                span=resolved.row.span,
                saw=_listed(found),
                expected=_listed(wanted),
            )


def _listed(names: Any) -> str:
    ordered = sorted(names) if isinstance(names, frozenset) else names
    return " ".join(f":{name}" for name in ordered) or "nothing"
