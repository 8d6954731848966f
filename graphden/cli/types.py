"""`graphden types`: type rows, and the JSON Schema of one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from graphden.cli.opening import load_graph
from graphden.cli.output import print_json, print_table, short_path
from graphden.cli.parsing import add_json, add_paths
from graphden.engine import Graph
from graphden.model.rows import RowKind

EXAMPLE = """\
  graphden types order-shape orders.edn
  graphden types orders.edn"""

_WIDTH = 60
"""How much of a type is listed; `--json` has all of it."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "row",
        metavar="ROW",
        nargs="?",
        help="a type row; without one they are listed (:orders, where a folder has the name)",
    )
    add_paths(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the JSON Schema of a type row, with `--json` or without, or list all of them."""
    row, paths = arguments.row, arguments.paths
    if row is not None and (row.endswith(".edn") or Path(row).exists()):
        row, paths = None, [row, *paths]
    graph = load_graph(paths)
    if row is not None:
        print_json(graph.json_schema(row))
        return 0
    listed = _listed(graph)
    if arguments.json:
        print_json({"types": listed})
    else:
        print_table(
            ("row", "type", "place"),
            [
                (each["row"], _cut(each["type"]), f"{short_path(each['file'])}:{each['line']}")
                for each in listed
            ],
        )
    return 0


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def _listed(graph: Graph) -> list[dict[str, Any]]:
    """The type rows that may be named from outside, the packages' after one's own."""
    rows = [
        row
        for row in graph.program.rows.values()
        if row.kind is RowKind.TYPE and not row.private and not row.inline
    ]
    return [
        {
            "row": row.name,
            "id": row.id,
            "type": str(graph.program.types[row.id]),
            "description": row.description or None,
            "file": row.span.file,
            "line": row.span.line,
            "column": row.span.column,
        }
        for row in sorted(rows, key=lambda row: row.package is not None)
    ]
