"""`graphden eject`: a row as a Python module."""

from __future__ import annotations

import argparse
from pathlib import Path

from graphden.cli.opening import load_graph, refuse_file
from graphden.cli.output import print_json
from graphden.cli.parsing import add_json, add_paths
from graphden.errors import UsageError

EXAMPLE = """\
  graphden eject with-tax rows.edn
  graphden eject orders-worker orders.edn -o orders_worker.py && python orders_worker.py"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("row", metavar="ROW", help="the row to write as Python")
    add_paths(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write into this file instead of the terminal"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the module or write it; `--json` gives the row, and the Python or the file."""
    refuse_file(arguments.row, "eject", arguments.paths)
    graph = load_graph(arguments.paths)
    text = graph.eject(arguments.row)
    row = graph.resolved(arguments.row).id
    if arguments.output is None:
        if arguments.json:
            print_json({"row": row, "python": text})
        else:
            print(text, end="")
        return 0
    try:
        Path(arguments.output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            "unwritable-file",
            f"{arguments.output} cannot be written: {error.strerror}",
            hint="Name a file in a folder that is there and may be written to.",
        ) from error
    if arguments.json:
        print_json({"row": row, "file": arguments.output})
    return 0
