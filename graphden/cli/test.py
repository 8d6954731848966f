"""`graphden test`: rows that pass when they run."""

from __future__ import annotations

import argparse
from typing import Any

from graphden.cli.opening import load_graph
from graphden.cli.output import print_json
from graphden.cli.parsing import add_json, add_paths
from graphden.cli.reporting import error_record, report
from graphden.edn import write
from graphden.edn.budget import TooLong
from graphden.testing import TestOutcome, is_test, not_run

EXAMPLE = "  graphden test orders.edn tests/ -k total"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_paths(parser)
    parser.add_argument(
        "-k",
        dest="filter",
        metavar="TEXT",
        default="",
        help="only rows with this in their name",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the tests; 1 when one fails, or when there is none."""
    graph = load_graph(arguments.paths, needs_rows=True)
    outcomes: list[TestOutcome] = []
    for outcome in graph.test(arguments.filter):
        outcomes.append(outcome)
        if not arguments.json:
            _tell(outcome)
    failed = sum(outcome.error is not None for outcome in outcomes)
    passed = len(outcomes) - failed
    resolved = [graph.program.resolved[row.id] for row in graph.rows]
    chosen = [each for each in resolved if arguments.filter in each.id]
    left = not_run(chosen, graph.program)
    if arguments.json:
        print_json(
            {
                "tests": [_record(each) for each in outcomes],
                "passed": passed,
                "failed": failed,
                "not_run": [{"row": row, "needs": needs} for row, needs in left.items()],
            }
        )
        return 1 if failed or not outcomes else 0
    for row, needs in left.items():
        print(f"not run: {row} needs {' '.join(f':{name}' for name in needs)}")
    if outcomes:
        print(f"{passed} passed, {failed} failed")
    elif count := sum(map(is_test, resolved)):
        tests = "1 test" if count == 1 else f"{count} tests"
        print(f"no tests: of {tests}, none has {arguments.filter} in its name")
    else:
        print("no tests: they are rows in a namespace such as :orders.tests, with all given")
    return 1 if failed or not outcomes else 0


def _tell(outcome: TestOutcome) -> None:
    word = "passed" if outcome.error is None else "FAILED"
    print(f"{word}  {outcome.row}  {outcome.ms:.1f} ms", flush=True)
    if outcome.error is not None:
        for side, value in outcome.sides.items():
            print(f"  {side + ':':<10} {_written(value)}")
        report(outcome.error, as_json=False)


def _written(value: object) -> str:
    """A value as text; of one that is too long to write, that it is: other tests go on."""
    try:
        return write(value, lossy=True)
    except TooLong as problem:
        return f"#<{problem.message}>"


def _record(outcome: TestOutcome) -> dict[str, Any]:
    sides = {side: _written(value) for side, value in outcome.sides.items()}
    error = None if outcome.error is None else error_record(outcome.error)
    return {"row": outcome.row, "ms": outcome.ms, "error": error, **sides}
