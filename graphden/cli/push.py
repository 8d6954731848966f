"""`graphden push`: files of rows as a new revision of a branch."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from graphden.cli.opening import check_files, open_app
from graphden.cli.parsing import add_branch, add_database, add_json, add_paths
from graphden.cli.pushing import report_pushed
from graphden.engine import Graph

EXAMPLE = """\
  graphden push orders.edn --branch main --message "retry three times"
  graphden push . --branch trial"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_paths(parser)
    add_branch(parser, "the branch that gets the revision; made when there is none")
    parser.add_argument("-m", "--message", metavar="TEXT", default="", help="what is new in it")
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Store the files, all or none of them, and print the revision's id."""
    graph = Graph(check_files(arguments.paths))
    texts = {
        _name(file, arguments.paths): read.text for file, read in sorted(graph.files.items())
    }
    with open_app(arguments) as app:
        pushed = app.branches.push(arguments.branch, texts, message=arguments.message)
    report_pushed(pushed, as_json=arguments.json)
    return 0


def _name(file: str, paths: Sequence[str]) -> str:
    """A file's name in the revision: from the current folder down, or, when it lies elsewhere,
    from the folder that was named.
    """
    path, here = Path(os.path.abspath(file)), Path.cwd()  # noqa: PTH100 - links stay as named
    if path.is_relative_to(here):
        return path.relative_to(here).as_posix()
    for given in paths:
        top = Path(os.path.abspath(given))  # noqa: PTH100
        if top.is_dir() and path.is_relative_to(top):
            return path.relative_to(top.parent).as_posix()
    return path.name
