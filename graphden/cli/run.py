"""`graphden run`: the value of a row."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphden.cli.arguments import add_arguments, read_arguments, verify
from graphden.cli.attending import attended
from graphden.cli.opening import load_branch, load_graph, open_app, refuse_file
from graphden.cli.output import print_json
from graphden.cli.parsing import add_branch, add_database, add_json, add_paths, milliseconds
from graphden.cli.reporting import error_record, exit_code, report
from graphden.cli.traces import report_trace
from graphden.edn import JsonProblem, to_json, write
from graphden.engine import Graph
from graphden.errors import GraphdenError, RunError, UsageError

if TYPE_CHECKING:  # few runs are traced, or saved
    from uuid import UUID

    from graphden.run.tracing import Trace

EXAMPLE = """\
  graphden run double-each orders.edn --arg factor=3
  graphden run greet --args '{"name": "Ada"}' --json
  graphden run double-each orders.edn --arg factor=3 --trace --values
  graphden run order-placed --args '{"payload": {"sku": "tea"}}' --save"""

_LIMIT_S = 10.0
"""How long a saved run is waited for, unless --timeout says."""


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
        "--timeout",
        metavar="MS",
        type=milliseconds,
        help="cancel the run after so long; with --save it goes on without you (10,000)",
    )
    parser.add_argument(
        "--save", action="store_true", help="record the run, for `graphden executions`"
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

    The id of a saved run is printed to standard error before it runs, and stands in the JSON as
    `execution`. One that is not over in time goes on: then the code is 1, without a value.
    """
    refuse_file(arguments.entry, "run", arguments.paths)
    trace = _trace(arguments)
    graph = load_branch(arguments) if arguments.branch else load_graph(arguments.paths)
    values = read_arguments(arguments, graph)
    verify(graph, arguments.entry, values)
    if arguments.save:
        return _saved(arguments, graph, values, trace)
    return _answer(arguments, graph, values, trace)


def _saved(
    arguments: argparse.Namespace,
    graph: Graph,
    values: Mapping[str, object],
    trace: Trace | None,
) -> int:
    from uuid import uuid4

    from graphden.cli.detaching import detachable

    execution = uuid4()
    print(f"execution {execution}", file=sys.stderr, flush=True)

    def work() -> int:
        try:
            return _answer(arguments, graph, values, trace, execution)
        except GraphdenError as error:
            if arguments.json:
                print_json({"error": error_record(error), "execution": execution})
            else:
                report(error, as_json=False)
            return exit_code(error)

    limit_s = _LIMIT_S if arguments.timeout is None else arguments.timeout / 1000
    code = detachable(work, limit_s)
    if code is not None:
        return code
    if arguments.json:
        print_json({"execution": execution, "status": "pending"})
    print(
        f"it goes on: graphden executions show {execution}, or cancel it there",
        file=sys.stderr,
    )
    return 1


def _answer(
    arguments: argparse.Namespace,
    graph: Graph,
    values: Mapping[str, object],
    trace: Trace | None,
    execution: UUID | None = None,
) -> int:
    extra = {} if execution is None else {"execution": execution}
    try:
        value = _value(arguments, graph, values, trace, execution)
    except RunError as error:
        if trace is None or not arguments.json:
            raise
        print_json({"error": error_record(error), "trace": trace.data(), **extra})
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
    if execution is not None:
        answer += f', "execution": "{execution}"'
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
    execution: UUID | None,
) -> object:
    timeout_ms = arguments.timeout if execution is None else None
    with open_app(arguments, graph) as app, app.context() as context:
        return attended(
            lambda: app.run(
                arguments.entry,
                values,
                timeout_ms=timeout_ms,
                context=context,
                trace=trace,
                execution_id=execution,
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
