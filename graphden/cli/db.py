"""`graphden db`: the database's schema."""

from __future__ import annotations

import argparse

from graphden.cli.opening import open_app
from graphden.cli.output import print_json, print_table
from graphden.cli.parsing import Parser, actions, add_action, add_database, add_json
from graphden.store import State

EXAMPLE = """\
  graphden db status
  graphden db migrate --database-url postgresql://me@db.example/shop"""


_FINE = frozenset({State.APPLIED, State.WAITING})


def configure(parser: Parser) -> None:
    """Add the arguments of the command."""
    add_json(parser)
    add_database(parser)
    chosen = actions(parser)
    chosen.required = True
    migrate = add_action(
        chosen,
        "migrate",
        "apply the migrations that are pending",
        """\
  graphden db migrate
  graphden db migrate --post""",
    )
    migrate.add_argument(
        "--post",
        action="store_true",
        help="also those that wait until no process of the release before runs",
    )
    add_action(
        chosen,
        "status",
        "how every migration stands; changes nothing",
        "  graphden db status --json",
    )


def run(arguments: argparse.Namespace) -> int:
    """Do the action; `status` gives 1 unless all that is due is applied as it is written."""
    with open_app(arguments) as app:
        if arguments.action == "migrate":
            applied = [
                {"package": a.package, "number": a.number, "name": a.name}
                for a in app.migrate(post=arguments.post)
            ]
            if arguments.json:
                print_json({"applied": applied})
            else:
                for each in applied:
                    print(f"applied {each['package']} {each['number']:04} {each['name']}")
                print("the database is up to date")
            return 0
        found = app.database_status()
    if arguments.json:
        migrations = [
            {
                "package": m.package,
                "number": m.number,
                "name": m.name,
                "state": m.state.value,
                "applied-at": m.applied_at,
            }
            for m in found.migrations
        ]
        print_json({"database": found.description, "migrations": migrations})
    else:
        print(found.description)
        rows = [(m.package, f"{m.number:04}", m.name, m.state.value) for m in found.migrations]
        print_table(("PACKAGE", "NUMBER", "NAME", "STATE"), rows)
    return 0 if all(m.state in _FINE for m in found.migrations) else 1
