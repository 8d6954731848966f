"""`graphden services`: what should run, and what does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from graphden.app import App
from graphden.cli.opening import open_app
from graphden.cli.output import print_json, print_table
from graphden.cli.parsing import Parser, actions, add_branch, add_database, add_json
from graphden.services import Instance, Kind, Restart, Service
from graphden.services.troubles import trouble_of
from graphden.services.values import LIVE

EXAMPLE = """\
  graphden services
  graphden services create orders-worker --branch main --singleton
  graphden services create mailer --branch main --pool 4 --restart on-failure
  graphden services disable 5f2c
  graphden services delete 5f2c"""


def configure(parser: Parser) -> None:
    """Add the arguments of the command; without an action it lists."""
    add_json(parser)
    add_database(parser)
    chosen = actions(parser)
    listing = chosen.add_parser("list", help="services, and what runs of them (the default)")
    create = chosen.add_parser("create", help="make a service of a row, and print its id")
    create.add_argument("row", metavar="ROW", help="a row that runs on, such as a consumer")
    add_branch(create, "the branch whose revisions it follows")
    kinds = create.add_mutually_exclusive_group()
    kinds.add_argument(
        "--singleton", action="store_true", help="one instance in all (the default)"
    )
    kinds.add_argument("--pool", metavar="N", type=int, help="N of them, spread over processes")
    kinds.add_argument("--per-process", action="store_true", help="one in each process")
    create.add_argument(
        "--restart",
        choices=[each.value for each in Restart],
        default=Restart.ALWAYS.value,
        help="what follows when an instance ends by itself; by default always",
    )
    create.add_argument("--disabled", action="store_true", help="do not run it yet")
    parsers = [listing, create]
    for name, purpose in (
        ("enable", "let it run"),
        ("disable", "let its instances finish what they have, and end"),
        ("delete", "delete a service that has no instance"),
    ):
        changed = chosen.add_parser(name, help=purpose)
        changed.add_argument("service", metavar="ID", help="the id, or the beginning of it")
        parsers.append(changed)
    for parser_ in parsers:
        add_json(parser_, inherited=True)
        add_database(parser_, inherited=True)


def run(arguments: argparse.Namespace) -> int:
    """Do the action."""
    with open_app(arguments) as app:
        match arguments.action:
            case "create":
                made = _create(app, arguments)
                if arguments.json:
                    print_json(_service(made))
                else:
                    print(made.id)
            case "enable" | "disable":
                change = getattr(app.services, arguments.action)
                changed = change(arguments.service)
                if arguments.json:
                    print_json(_service(changed))
                else:
                    print(f"{arguments.action}d :{changed.row} ({changed.id})")
            case "delete":
                gone = app.services.get(arguments.service)
                app.services.delete(gone.id)
                if arguments.json:
                    print_json({"deleted": gone.id})
                else:
                    print(f"deleted the service of :{gone.row}")
            case _:
                _list(app, as_json=arguments.json)
    return 0


def _create(app: App, arguments: argparse.Namespace) -> Service:
    kind = Kind.SINGLETON
    if arguments.pool is not None:
        kind = Kind.POOL
    elif arguments.per_process:
        kind = Kind.PER_PROCESS
    return app.services.create(
        arguments.row,
        arguments.branch,
        kind,
        slots=1 if arguments.pool is None else arguments.pool,
        restart=Restart(arguments.restart),
        enabled=not arguments.disabled,
    )


def _list(app: App, *, as_json: bool) -> None:
    services, instances = app.services.list(), app.services.instances()
    running = [each for each in instances if each.state in LIVE and not each.lost]
    if as_json:
        print_json(
            {
                "services": [_service(each) for each in services],
                "instances": [_instance(each) for each in running],
            }
        )
        return
    if not services:
        print("no services")
        return
    print_table(
        ("SERVICE", "ROW", "BRANCH", "KIND", "RESTART", "ENABLED", "RUNS", "REVISION", "ERROR"),
        [
            (
                str(each.id)[:8],
                each.row,
                each.branch,
                f"pool of {each.slots}" if each.kind is Kind.POOL else each.kind.value,
                each.restart.value,
                "yes" if each.enabled else "no",
                sum(instance.service == each.id for instance in running),
                each.revision and each.revision[:12],
                _trouble(each, instances),
            )
            for each in services
        ],
    )
    if running:
        print()
        _print_instances(running, {each.id: each.row for each in services})


def _print_instances(running: Sequence[Instance], rows: dict[Any, str]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("INSTANCE", "OF", "STATE", "PROCESS", "HOST", "REVISION", "SINCE", "BEAT", "RESTARTS"),
        [
            (
                str(each.id)[:8],
                rows.get(each.service),
                each.state.value,
                each.pid,
                each.host,
                each.revision[:12],
                each.started_at,
                f"{max(0.0, (now - each.heartbeat_at).total_seconds()):.0f} s ago",
                each.restarts,
            )
            for each in running
        ],
    )


def _trouble(service: Service, instances: Sequence[Instance]) -> str | None:
    """What is wrong with a service, in a line: that of its branch, or the last error."""
    errors = [e.last_error for e in instances if e.service == service.id and e.last_error]
    return trouble_of(service) or (errors[-1] if errors else None)


def _service(service: Service) -> dict[str, Any]:
    return {
        "service": service.id,
        "row": service.row,
        "branch": service.branch,
        "kind": service.kind.value,
        "slots": service.slots,
        "restart": service.restart.value,
        "enabled": service.enabled,
        "revision": service.revision,
        "broken": service.broken,
        "broken-error": service.broken_error,
        "created-by": service.created_by,
        "created-at": service.created_at,
    }


def _instance(instance: Instance) -> dict[str, Any]:
    return {
        "instance": instance.id,
        "service": instance.service,
        "slot": instance.slot,
        "state": instance.state.value,
        "process": instance.process,
        "pid": instance.pid,
        "host": instance.host,
        "revision": instance.revision,
        "started-at": instance.started_at,
        "heartbeat-at": instance.heartbeat_at,
        "restarts": instance.restarts,
        "last-error": instance.last_error,
    }
