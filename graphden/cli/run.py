"""`graphden run`: the value of a row."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphden.cli.arguments import add_arguments, read_arguments, verify
from graphden.cli.attending import attended
from graphden.cli.opening import load_branch, load_graph, open_app, refuse_file
from graphden.cli.output import print_json
from graphden.cli.parsing import add_branch, add_database, add_json, add_paths, milliseconds
from graphden.cli.reporting import error_record, exit_code
from graphden.cli.traces import report_trace
from graphden.edn import JsonProblem, to_json, write
from graphden.engine import Graph
from graphden.errors import RunError, UsageError

if TYPE_CHECKING:  # few runs are traced
    from graphden.run.tracing import Trace

EXAMPLE = """\
  graphden run double-each orders.edn --arg factor=3
  graphden run greet --args '{"name": "Ada"}' --json
  graphden run double-each orders.edn --arg factor=3 --trace --values"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("entry", metavar="ENTRY", help="the row to run")
    add_paths(parser)
    add_branch(
        parser,
        "take the rows from this branch, or revision, of the database",
        required=False,
    )
    add_arguments(parser)
    parser.add_argument(
        "--timeout", metavar="MS", type=milliseconds, help="cancel the run after so long"
    )
    parser.add_argument(
        "--trace",
        action="store_true",
        help="show which rows were evaluated, inside each other, and how long each took",
    )
    parser.add_argument(
        "--values", action="store_true", help="with --trace: and what each gave, secrets hidden"
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the value: as EDN, or with `--json` as {"value": …}. A trace goes to standard error
    as a tree, or into the JSON as `trace`, also when the run fails.
    """
    refuse_file(arguments.entry, "run", arguments.paths)
    trace = _trace(arguments)
    graph = load_branch(arguments) if arguments.branch else load_graph(arguments.paths)
    values = read_arguments(arguments, graph)
    verify(graph, arguments.entry, values)
    try:
        value = _value(arguments, graph, values, trace)
    except RunError as error:
        if trace is None or not arguments.json:
            raise
        print_json({"error": error_record(error), "trace": trace.data()})
        return exit_code(error)
    finally:
        if trace is not None and not arguments.json:
            report_trace(trace.data())
    if not arguments.json:
        print(write(value, lossy=True))
        return 0
    answer = f'"value": {_json(arguments.entry, value)}'
    if trace is not None:
        answer += f', "trace": {to_json(trace.data())}'
    print(f"{{{answer}}}")
    return 0


def _trace(arguments: argparse.Namespace) -> Trace | None:
    if not arguments.trace:
        if arguments.values:
            raise UsageError("wrong-use", "--values is of a trace", hint="Add --trace.")
        return None
    from graphden.run.tracing import Trace

    return Trace(values=arguments.values)


def _value(
    arguments: argparse.Namespace,
    graph: Graph,
    values: Mapping[str, object],
    trace: Trace | None,
) -> object:
    with open_app(arguments, graph) as app, app.context() as context:
        return attended(
            lambda: app.run(
                arguments.entry,
                values,
                timeout_ms=arguments.timeout,
                context=context,
                trace=trace,
            ),
            [lambda _signal: context.cancel()],
        )


def _json(entry: str, value: object) -> str:
    try:
        return to_json(value)
    except JsonProblem as problem:
        raise RunError(
            "invalid-argument",
            f"the value of :{entry} has no form in JSON: {problem}",
            hint=problem.hint or "Without --json it is printed as EDN.",
        ) from problem
