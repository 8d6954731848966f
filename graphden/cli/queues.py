"""`graphden queues`: what lies in queues, and what operators do about it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any
from uuid import UUID

from graphden.app import Maps
from graphden.cli.opening import open_app
from graphden.cli.output import print_json, print_table
from graphden.cli.parsing import Parser, actions, add_database, add_json
from graphden.edn import to_json

EXAMPLE = """\
  graphden queues
  graphden queues show orders --state dead
  graphden queues requeue 2f1e…"""

_STATES = ("pending", "delayed", "claimed", "lapsed", "dead")
_NOT_DONE = frozenset({"refused", "missing"})
_PAYLOAD_WIDTH = 60


def configure(parser: Parser) -> None:
    """Add the arguments of the command; without an action it lists."""
    add_json(parser)
    add_database(parser)
    chosen = actions(parser)
    listing = chosen.add_parser("list", help="every queue, with its counts (the default)")
    show = chosen.add_parser("show", help="the messages of a queue")
    show.add_argument("queue", metavar="QUEUE")
    show.add_argument("--state", choices=_STATES, help="only messages in this state")
    show.add_argument("--limit", metavar="N", type=int, default=100, help="by default 100")
    requeue = chosen.add_parser("requeue", help="give dead messages a new life")
    delete = chosen.add_parser("delete", help="delete messages that no consumer holds")
    for parser_ in (requeue, delete):
        parser_.add_argument("ids", metavar="ID", nargs="+", type=_message_id)
    for parser_ in (listing, show, requeue, delete):
        add_json(parser_, inherited=True)
        add_database(parser_, inherited=True)


def run(arguments: argparse.Namespace) -> int:
    """Do the action; 1 when a message could not be requeued or deleted."""
    with open_app(arguments) as app:
        match arguments.action:
            case "show":
                found = app.queues.messages(
                    arguments.queue, state=arguments.state, limit=arguments.limit
                )
                return _print(arguments, "messages", found, _print_messages)
            case "requeue":
                return _change(arguments, app.queues.requeue(arguments.ids))
            case "delete":
                return _change(arguments, app.queues.delete(arguments.ids))
        return _print(arguments, "queues", app.queues.list(), _print_queues)


def _print_queues(_arguments: argparse.Namespace, found: Maps) -> None:
    if not found:
        print("no queues")
        return
    titles = ("QUEUE", "PENDING", "DELAYED", "CLAIMED", "LAPSED", "DEAD", "OLDEST")
    print_table(
        titles,
        [
            (queue["queue"], *(queue[state] for state in _STATES), _age(queue["oldest-ms"]))
            for queue in found
        ],
    )


def _print_messages(arguments: argparse.Namespace, found: Maps) -> None:
    if not found:
        print(f"no {arguments.state or ''} messages in {arguments.queue}".replace("  ", " "))
        return
    titles = ("ID", "STATE", "ATTEMPTS", "DUE", "PAYLOAD", "ERROR")
    print_table(
        titles,
        [
            (
                message["id"],
                message["state"],
                message["attempts"],
                message["due"],
                _short(to_json(message["payload"])),
                _error(message["error"]),
            )
            for message in found
        ],
    )


def _print_results(_arguments: argparse.Namespace, found: Maps) -> None:
    for each in found:
        reason = f": {each['reason']}" if each["reason"] else ""
        print(f"{each['id']}  {each['result'].text}{reason}")


def _print(
    arguments: argparse.Namespace,
    key: str,
    found: Maps,
    for_people: Callable[[argparse.Namespace, Maps], None],
) -> int:
    if arguments.json:
        print_json({key: found})
    else:
        for_people(arguments, found)
    return 0


def _change(arguments: argparse.Namespace, found: Maps) -> int:
    _print(arguments, "results", found, _print_results)
    return 1 if any(each["result"] in _NOT_DONE for each in found) else 0


def _error(error: dict[str, Any] | None) -> str | None:
    if error is None:
        return None
    place = f" ({error['place']})" if error["place"] else ""
    return f"{error['type']}: {error['message']}{place}"


def _age(milliseconds: float | None) -> str | None:
    if milliseconds is None:
        return None
    for size, unit in ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")):
        if milliseconds >= size:
            return f"{milliseconds / size:.0f} {unit}"
    return f"{milliseconds:.0f} ms"


def _short(text: str) -> str:
    return text if len(text) <= _PAYLOAD_WIDTH else f"{text[: _PAYLOAD_WIDTH - 1]}…"


def _message_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not the id of a message") from None
