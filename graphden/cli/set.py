"""`graphden set`: one binding of a row on a branch."""

from __future__ import annotations

import argparse

from graphden.cli.opening import open_app
from graphden.cli.parsing import add_branch, add_database, add_json
from graphden.cli.pushing import report_pushed

EXAMPLE = """\
  graphden set orders-nack max-attempts 5 --branch main
  graphden set greet name '"Ada"' --branch main
  graphden set orders-worker handler :ship-order --branch trial"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("row", metavar="ROW", help="the row, private ones included")
    parser.add_argument("slot", metavar="SLOT", help="the slot that the row itself binds")
    parser.add_argument("value", metavar="EDN", help="what stands behind it, as in a file")
    add_branch(parser, "the branch that gets a revision with the change")
    parser.add_argument("-m", "--message", metavar="TEXT", help='by default "set ROW SLOT"')
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Store the revision and print its id; refused by the rules that files have."""
    with open_app(arguments) as app:
        pushed = app.branches.set(
            arguments.branch,
            arguments.row,
            arguments.slot,
            arguments.value,
            message=arguments.message,
        )
    report_pushed(pushed, as_json=arguments.json)
    return 0
