"""`graphden run`: the value of a row."""

from __future__ import annotations

import argparse

from graphden.cli.arguments import add_arguments, read_arguments, verify
from graphden.cli.attending import attended
from graphden.cli.opening import load_graph, open_app, refuse_file
from graphden.cli.parsing import add_database, add_json, add_paths, milliseconds
from graphden.edn import JsonProblem, to_json, write
from graphden.errors import RunError

EXAMPLE = """\
  graphden run double-each orders.edn --arg factor=3
  graphden run greet --args '{"name": "Ada"}' --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("entry", metavar="ENTRY", help="the row to run")
    add_paths(parser)
    add_arguments(parser)
    parser.add_argument(
        "--timeout", metavar="MS", type=milliseconds, help="cancel the run after so long"
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the value: as EDN, or with `--json` as {"value": …}."""
    refuse_file(arguments.entry, "run", arguments.paths)
    graph = load_graph(arguments.paths)
    values = read_arguments(arguments, graph)
    verify(graph, arguments.entry, values)
    with open_app(arguments, graph) as app, app.context() as context:
        value = attended(
            lambda: app.run(
                arguments.entry, values, timeout_ms=arguments.timeout, context=context
            ),
            [lambda _signal: context.cancel()],
        )
    if not arguments.json:
        print(write(value, lossy=True))
        return 0
    try:
        text = to_json(value)
    except JsonProblem as problem:
        raise RunError(
            "invalid-argument",
            f"the value of :{arguments.entry} has no form in JSON: {problem}",
            hint=problem.hint or "Without --json it is printed as EDN.",
        ) from problem
    print(f'{{"value": {text}}}')
    return 0
