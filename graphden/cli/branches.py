"""`graphden branches`: list, create and delete branches."""

from __future__ import annotations

import argparse
from typing import Any

from graphden.cli.opening import open_app
from graphden.cli.output import print_json, print_table
from graphden.cli.parsing import Parser, actions, add_database, add_json
from graphden.store import Branch

EXAMPLE = """\
  graphden branches
  graphden branches create trial --of main
  graphden branches delete trial"""


def configure(parser: Parser) -> None:
    """Add the arguments of the command; without an action it lists."""
    add_json(parser)
    add_database(parser)
    chosen = actions(parser)
    listing = chosen.add_parser("list", help="every branch and its revision (the default)")
    create = chosen.add_parser("create", help="make a branch")
    create.add_argument("name", metavar="BRANCH")
    create.add_argument("--of", metavar="B", help="begin with the revision of this branch")
    delete = chosen.add_parser("delete", help="delete a branch; revisions stay")
    delete.add_argument("name", metavar="BRANCH")
    for parser_ in (listing, create, delete):
        add_json(parser_, inherited=True)
        add_database(parser_, inherited=True)


def run(arguments: argparse.Namespace) -> int:
    """Do the action."""
    with open_app(arguments) as app:
        match arguments.action:
            case "create":
                made = app.branches.create(arguments.name, arguments.of)
                if arguments.json:
                    print_json(_record(made))
                else:
                    start = "" if made.revision is None else f" at {made.revision[:12]}"
                    print(f"new branch {made.name}{start}")
                return 0
            case "delete":
                app.branches.delete(arguments.name)
                if arguments.json:
                    print_json({"deleted": arguments.name})
                else:
                    print(f"deleted branch {arguments.name}")
                return 0
        found = app.branches.list()
    if arguments.json:
        print_json({"branches": [_record(each) for each in found]})
    elif not found:
        print("no branches")
    else:
        print_table(
            ("BRANCH", "REVISION", "MOVED", "MESSAGE"),
            [
                (each.name, each.revision and each.revision[:12], each.moved_at, each.message)
                for each in found
            ],
        )
    return 0


def _record(branch: Branch) -> dict[str, Any]:
    return {
        "branch": branch.name,
        "revision": branch.revision,
        "moved-at": branch.moved_at,
        "message": branch.message,
    }
