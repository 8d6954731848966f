"""Every way in which a row can be run: each kind of its code, with what its types prove and
without, and by the oracle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from graphden import Graph, Trace
from graphden.compile.spans import CHECKED, PLAIN, TRACED
from graphden.model.resolved import ResolvedRow
from graphden.run import Context
from tests.oracle.making import Made
from tests.oracle.probe import Outcome, observe
from tests.oracle.programs import program
from tests.oracle.test_compiled_equals_oracle import (
    arguments_for,
    compiled,
    evaluated,
    parsed,
    shown,
)
from tests.oracle.wiring import program_of

NOTING = frozenset(("tick", "clock", "roll"))
"""The base functions that note each of their calls, and fail only by what they are given."""

UNCHECKED = frozenset(("row-has-diagnostics", "contract-violation"))
"""How runs end that would go on if the types were not looked at."""


@dataclass
class Tally:
    """What was run, and where two ways came to something else."""

    programs: int = 0
    rows: int = 0
    runs: int = 0
    effects: int = 0
    spans: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compare_seed(seed: int, tally: Tally) -> None:
    """Run every row of the program of a seed in every way."""
    compare(program(seed, 3 + seed % 6), Random(seed), tally)


def compare(rows: tuple[Made, ...], random: Random, tally: Tally) -> None:
    """Run every row of a program in every way."""
    graph = parsed(rows)
    program = program_of(rows, graph)
    tally.programs += 1
    for row in rows:
        tally.rows += 1
        resolved = graph.resolved(row.name)
        arguments = arguments_for(resolved, random)
        plain = compiled(graph, resolved, arguments, PLAIN)
        if plain.error is not None:
            tally.errors[plain.error.code] += 1
            if plain.error.code == "argument-type":
                continue
        trace = Trace()
        outcomes = {
            "the oracle": evaluated(program, graph, resolved, arguments),
            "checked": compiled(graph, resolved, arguments, CHECKED),
            "traced": compiled(graph, resolved, arguments, TRACED, trace),
        }
        typed = as_users_run_it(graph, resolved, arguments)
        error = typed["typed, plain"].error
        if error is None or error.code not in UNCHECKED:
            outcomes |= typed
        elif len({repr(shown(each)) for each in typed.values()}) > 1:
            tally.differences.append(f"{row.name}: typed ways differ\n{graph_text(rows)}")
        tally.runs += 1 + len(outcomes)
        tally.effects += plain.count
        tally.spans += len(trace.spans)
        for way, outcome in outcomes.items():
            if shown(outcome) != shown(plain):
                found = f"{row.name} as {way}: {shown(outcome)}, plain: {shown(plain)}"
                tally.differences.append(f"{found}\n{graph_text(rows)}")
        if flaw := flaw_of(trace, plain):
            tally.differences.append(f"{row.name}: {flaw}\n{graph_text(rows)}")


def as_users_run_it(
    graph: Graph, row: ResolvedRow, arguments: Mapping[str, object]
) -> dict[str, Outcome]:
    """With all that the types prove, as `Graph.run` compiles it."""

    def plainly(context: Context) -> object:
        alone = Graph._function
        values = graph._entry(row).arguments(arguments)
        return graph._entry(row).shown(alone(graph, row, PLAIN)(context, *values))

    def traced(context: Context) -> object:
        return graph.run(row.id, arguments, context=context, trace=Trace(values=True))

    return {
        "typed, plain": observe(plainly),
        "typed, checked": observe(
            lambda context: graph.run(row.id, arguments, context=context)
        ),
        "typed, traced": observe(traced),
    }


def flaw_of(trace: Trace, outcome: Outcome) -> str:
    """What is wrong with the trace of a run; nothing, when it tells what happened."""
    for span in trace.spans:
        if span.ended_ns is None:
            return f"the span of {span.row} has no end"
        if span.parent is not None and span.parent.started_ns > span.started_ns:
            return f"the span of {span.row} begins before the one around it"
        if span.parent is not None and span.parent.ended_ns < span.ended_ns:
            return f"the span of {span.row} ends after the one around it"
    names = [span.function.rpartition("/")[2] for span in trace.spans if span.error is None]
    noting = Counter(name for name in names if name in NOTING)
    if noting != Counter(function for function, _ in outcome.notes if function in NOTING):
        return f"spans {noting}, effects {outcome.notes}"
    calls = Counter((span.row, span.place) for span in trace.spans)
    if calls != Counter({(row.row, row.place): row.calls for row in trace.rows}):
        return f"spans {calls}, times {trace.rows}"
    if any(not 0 <= row.own_ns <= row.total_ns for row in trace.rows):
        return f"times {trace.rows}"
    outermost = [span.error for span in trace.spans if span.parent is None]
    code = None if outcome.error is None else outcome.error.code
    if outermost != [code]:
        return f"the outermost spans ended with {outermost}, the run with {code}"
    return ""


def graph_text(rows: tuple[Made, ...]) -> str:
    return "\n".join(row.text for row in rows)
