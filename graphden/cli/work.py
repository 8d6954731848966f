"""`graphden work`: a consumer, until it is told to stop."""

from __future__ import annotations

import argparse
import os
import signal

from graphden.app import App
from graphden.cli.arguments import add_arguments, read_arguments, verify
from graphden.cli.attending import attended
from graphden.cli.opening import load_graph, open_app, refuse_file
from graphden.cli.output import print_json
from graphden.cli.parsing import add_database, add_json, add_paths
from graphden.run import Context

EXAMPLE = """\
  graphden work orders-worker orders.edn

Ctrl-C or SIGTERM: the running handler finishes, what waits goes back to the queue. A second
one ends it at once."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("entry", metavar="ENTRY", help="the consumer row to run")
    add_paths(parser)
    add_arguments(parser)
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Say when it starts to consume and when it stops; 0 after a clean stop."""
    refuse_file(arguments.entry, "work", arguments.paths)
    graph = load_graph(arguments.paths)
    values = read_arguments(arguments, graph)
    verify(graph, arguments.entry, values)
    effects = graph.resolved(arguments.entry).effects
    worker = _Worker(arguments.entry, as_json=arguments.json)
    with open_app(arguments, graph) as app, app.context() as context:
        worker.context = context
        attended(
            lambda: worker.consume(app, values, uses_database="db" in effects),
            [worker.stop, worker.cancel],
        )
    worker.say("stopped", "stopped")
    return 0


class _Worker:
    """What the command says and does, event by event."""

    context: Context

    def __init__(self, entry: str, *, as_json: bool) -> None:
        self._entry = entry
        self._as_json = as_json

    def consume(self, app: App, values: dict[str, object], *, uses_database: bool) -> object:
        # Opened here, so that a database that is away ends the command rather than a turn.
        where = app.database().describe() if uses_database else "this process only"
        self.say(
            "consuming",
            f"consuming with :{self._entry}, {where} (process {os.getpid()}; Ctrl-C stops it)",
            entry=self._entry,
            database=where if uses_database else None,
            pid=os.getpid(),
        )
        return app.run(self._entry, values, context=self.context, save=False)

    def stop(self, number: signal.Signals) -> None:
        self.say("stopping", f"{number.name}: stopping after the running handler")
        self.context.request_stop()

    def cancel(self, number: signal.Signals) -> None:
        self.say("cancelled", f"{number.name} again: ending now")
        self.context.cancel()

    def say(self, event: str, text: str, **details: object) -> None:
        """One line to standard output, at once."""
        if self._as_json:
            print_json({"event": event, **details})
        else:
            print(text, flush=True)
