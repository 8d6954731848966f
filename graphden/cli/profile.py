"""`graphden profile`: the time per row of a real run."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from graphden.cli.arguments import add_arguments, read_arguments, verify
from graphden.cli.attending import attended
from graphden.cli.opening import Progress, load_branch, load_graph, open_app, refuse_file
from graphden.cli.output import Style, print_json, print_table
from graphden.cli.parsing import add_branch, add_database, add_json, add_paths, milliseconds
from graphden.cli.reporting import error_record, exit_code
from graphden.cli.traces import counted, duration, row_label, row_place
from graphden.errors import RunError, UsageError
from graphden.run import flame
from graphden.run.tracing import Trace

EXAMPLE = """\
  graphden profile double-each orders.edn --arg factor=3
  graphden profile double-each orders.edn --arg factor=3 --repeat 1000 --flame double.json"""

MOST = 50
"""Rows of the table."""

TOLD_S = 1.0
"""Seconds after which it is told how many runs are done."""


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
        "--repeat",
        metavar="N",
        type=_times,
        default=1,
        help="run it so often, one after another",
    )
    parser.add_argument(
        "--flame",
        metavar="FILE",
        type=_flame_file,
        help="write a flame graph: .json for speedscope, .folded or .txt for folded stacks",
    )
    parser.add_argument(
        "--timeout", metavar="MS", type=milliseconds, help="cancel the runs after so long"
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the rows that took most time of their own first. Runs that fail or are interrupted
    are told of as far as they came, and then of the error.
    """
    refuse_file(arguments.entry, "profile", arguments.paths)
    graph = load_branch(arguments) if arguments.branch else load_graph(arguments.paths)
    values = read_arguments(arguments, graph)
    verify(graph, arguments.entry, values)
    if arguments.flame is not None:
        _write(arguments.flame, "")  # what cannot be written is told before anything runs
    trace = Trace(limit=0)
    finished: list[object] = []
    failure: RunError | None = None
    with open_app(arguments, graph) as app, app.context() as context:
        if arguments.timeout is not None:
            context.set_deadline(arguments.timeout)

        def work() -> None:
            progress, told = Progress(), time.monotonic()
            for _ in range(arguments.repeat):
                app.run(arguments.entry, values, context=context, trace=trace)
                finished.append(None)
                if time.monotonic() - told >= TOLD_S:
                    progress(f"{len(finished):,} of {counted(arguments.repeat, 'run')}")
                    told = time.monotonic()

        try:
            attended(work, [lambda _signal: context.cancel()])
        except RunError as error:
            failure = error
    if arguments.flame is not None:
        _write(arguments.flame, _flame(trace, arguments.flame.suffix, arguments.entry))
    data = {"runs": len(finished), "rows": trace.data()["rows"]}
    if arguments.json:
        told = {} if failure is None else {"error": error_record(failure)}
        print_json({**told, "profile": data})
        return 0 if failure is None else exit_code(failure)
    _print(data, arguments.repeat)
    if failure is not None:
        raise failure
    return 0


def _print(profile: dict[str, Any], wanted: int) -> None:
    rows, runs = profile["rows"], profile["runs"]
    own = sum(row["own_ns"] for row in rows)
    told = counted(runs, "run") if runs == wanted else f"{runs} of {counted(wanted, 'run')}"
    each = f", {duration(own / runs)} each" if runs == wanted > 1 else ""
    print(f"{told}: {duration(own)} in {counted(len(rows), 'row')}{each}")
    print_table(
        ["row", "calls", f"{'own':>8}", f"{'%':>5}", f"{'total':>8}", "place"],
        [
            [
                row_label(row),
                row["calls"],
                f"{duration(row['own_ns']):>8}",
                f"{100 * row['own_ns'] / max(own, 1):5.1f}",
                f"{duration(row['total_ns']):>8}",
                row_place(row),
            ]
            for row in rows[:MOST]
        ],
    )
    if len(rows) > MOST:
        left = sum(row["own_ns"] for row in rows[MOST:])
        more = f"… and {counted(len(rows) - MOST, 'row')} more, {duration(left)}: see --json"
        print(Style(sys.stdout)("dim", more))


def _flame(trace: Trace, suffix: str, entry: str) -> str:
    if suffix == ".json":
        return json.dumps(flame.speedscope(trace, entry))
    return "".join(f"{line}\n" for line in flame.folded(trace))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            "unwritable-file", f"{path} cannot be written: {error.strerror}"
        ) from error


def _times(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of runs, from 1")
    return int(text)


def _flame_file(text: str) -> Path:
    path = Path(text)
    if path.suffix not in {".json", ".folded", ".txt"}:
        raise argparse.ArgumentTypeError(
            f"{text!r} ends in none of .json (speedscope), .folded, .txt (folded stacks)"
        )
    return path
