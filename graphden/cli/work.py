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
  graphden work orders-worker orders.edn --processes 4 --grace 60

Ctrl-C or SIGTERM: the running handler finishes, what waits goes back to the queue at once. A
second one, or the end of the grace time, ends it at once; what was cut off is tried again."""

_GRACE_S = 25.0
"""Below the 30 s after which most who stop processes kill them."""
_LONGEST_GRACE_S = 86_400.0
_MOST_PROCESSES = 512


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("entry", metavar="ENTRY", help="the consumer row to run")
    add_paths(parser)
    add_arguments(parser)
    parser.add_argument(
        "--processes",
        metavar="N",
        type=_processes,
        default=1,
        help="work in so many processes; one that is killed is started again",
    )
    parser.add_argument(
        "--grace",
        metavar="SECONDS",
        type=_seconds,
        default=_GRACE_S,
        help="how long the running handler may take after a stop (default: 25)",
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Say when it starts to consume and when it stops; 0 after a clean stop."""
    refuse_file(arguments.entry, "work", arguments.paths)
    graph = load_graph(arguments.paths)
    values = read_arguments(arguments, graph)
    verify(graph, arguments.entry, values)
    in_database = "db" in graph.resolved(arguments.entry).effects

    def work() -> int:
        worker = _Worker(arguments.entry, as_json=arguments.json)
        with open_app(arguments, graph) as app, app.context() as context:
            worker.context = context
            attended(
                lambda: worker.consume(app, values, uses_database=in_database),
                [worker.stop, worker.cancel],
                grace_s=arguments.grace,
            )
        worker.say("stopped", "stopped")
        return 0

    if arguments.processes == 1:
        return work()
    from graphden.cli.supervising import Supervisor

    return Supervisor(work, as_json=arguments.json).keep(arguments.processes)


def _processes(text: str) -> int:
    """A number of processes, for argparse."""
    if text.isdecimal() and 1 <= int(text) <= _MOST_PROCESSES:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be 1 to {_MOST_PROCESSES}, not {text}")


def _seconds(text: str) -> float:
    """A span of time, for argparse."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if 0 <= seconds <= _LONGEST_GRACE_S:
        return seconds
    raise argparse.ArgumentTypeError(f"must be 0 to {_LONGEST_GRACE_S:,.0f}, not {text}")


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

    def stop(self, number: signal.Signals | None) -> None:
        name = "" if number is None else f"{number.name}: "
        self.say("stopping", f"{name}stopping after the running handler")
        self.context.request_stop()

    def cancel(self, number: signal.Signals | None) -> None:
        why = "the grace time is over" if number is None else f"{number.name} again"
        self.say("cancelled", f"{why}: ending now")
        self.context.cancel()

    def say(self, event: str, text: str, **details: object) -> None:
        """One line to standard output, at once."""
        if self._as_json:
            print_json({"event": event, **details})
        else:
            print(text, flush=True)
