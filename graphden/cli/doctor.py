"""`graphden doctor`: what makes queues slow or stuck."""

from __future__ import annotations

import argparse
import sys

from graphden.cli.opening import open_app
from graphden.cli.output import Style, print_json
from graphden.cli.parsing import add_database, add_json

EXAMPLE = """\
  graphden doctor
  graphden doctor --old-transaction-s 10 --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--old-transaction-s",
        metavar="S",
        type=float,
        default=60.0,
        help="a transaction that is open for so long is told; by default 60",
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print each finding and what to do; 1 when there is one."""
    with open_app(arguments) as app:
        where = app.database().describe()
        found = app.doctor(old_transaction_s=arguments.old_transaction_s)
    if arguments.json:
        print_json(
            {
                "findings": [
                    {"code": each.code, "message": each.message, "hint": each.hint}
                    for each in found
                ]
            }
        )
        return 1 if found else 0
    style = Style(sys.stdout)
    for each in found:
        print(f"{style('yellow', each.code)}: {each.message}")
        print(f"  {style('cyan', 'hint')}: {each.hint}")
    if not found:
        print(f"nothing is wrong with {where}")
    return 1 if found else 0
