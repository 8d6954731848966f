"""`graphden log`: the revisions of a branch."""

from __future__ import annotations

import argparse
import sys

from graphden.cli.opening import open_app
from graphden.cli.output import Style, print_json
from graphden.cli.parsing import add_branch, add_database, add_json
from graphden.cli.pushing import revision_record

EXAMPLE = "  graphden log --branch main --limit 5"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_branch(parser, "the branch, or the beginning of a revision's id")
    parser.add_argument("--limit", metavar="N", type=int, help="only the newest N")
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the revisions, the newest first."""
    with open_app(arguments) as app:
        found = app.branches.log(arguments.branch, arguments.limit)
    if arguments.json:
        print_json({"revisions": [revision_record(each) for each in found]})
        return 0
    style = Style(sys.stdout)
    for each in found:
        when = each.pushed_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        files = f"{len(each.trees)} {'file' if len(each.trees) == 1 else 'files'}"
        print(f"{style('yellow', each.short_id)}  {when}  {each.pushed_by}  {files}")
        if each.message:
            print(f"    {each.message}")
    return 0
