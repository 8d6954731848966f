"""`graphden check`: every problem of the rows in some files."""

from __future__ import annotations

import argparse

from graphden.cli.opening import load_graph
from graphden.cli.output import print_json
from graphden.cli.parsing import add_json, add_paths
from graphden.cli.reporting import problem_record, report_problems
from graphden.errors import GraphError, Problem

EXAMPLE = "  graphden check orders.edn shared/"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_paths(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what is wrong; 1 when anything is."""
    found: tuple[Problem, ...]
    count = 0
    try:
        graph = load_graph(arguments.paths, needs_rows=True)
    except GraphError as error:
        found = error.problems
    else:
        found = graph.diagnostics
        own = [r for r in graph.program.rows.values() if r.package is None and not r.inline]
        count = len(own)
    if arguments.json:
        print_json(
            {
                "problems": [problem_record(p) for p in found if p.structural],
                "diagnostics": [problem_record(p) for p in found if not p.structural],
            }
        )
    else:
        report_problems(found)
        if not found:
            print(f"{count} {'row' if count == 1 else 'rows'}, no problems")
    return 1 if found else 0
