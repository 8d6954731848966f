"""`graphden types`: type rows, and the JSON Schema of one."""

from __future__ import annotations

import argparse

from graphden.cli.opening import load_graph
from graphden.cli.output import print_json
from graphden.cli.parsing import add_json, add_paths

EXAMPLE = "  graphden types order-shape orders.edn"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("row", metavar="ROW", help="a type row, by name")
    add_paths(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the JSON Schema of a type row; it is JSON with `--json` and without."""
    print_json(load_graph(arguments.paths).json_schema(arguments.row))
    return 0
