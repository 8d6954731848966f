"""`graphden queues`: what lies in queues, and what operators do about it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from uuid import UUID

from graphden.app import App
from graphden.cli.opening import open_app
from graphden.cli.output import print_json
from graphden.cli.parsing import (
    Parser,
    actions,
    add_action,
    add_database,
    add_json,
    milliseconds,
)
from graphden.cli.queue_tables import STATES, print_messages, print_queues, print_results
from graphden.cli.queue_top import top
from graphden.errors import UsageError
from graphden.queues import Maps

EXAMPLE = """\
  graphden queues
  graphden queues messages orders --state dead
  graphden queues requeue 2f1e…
  graphden queues messages orders --state dead --ids | graphden queues requeue -"""

_NOT_DONE = frozenset({"refused", "missing"})
_FOR_EVER = "for-ever"


def configure(parser: Parser) -> None:
    """Add the arguments of the command; without an action it lists."""
    add_json(parser)
    add_database(parser)
    chosen = actions(parser)
    add_action(
        chosen,
        "list",
        "every queue, with its counts (the default)",
        "  graphden queues list --json",
    )
    messages = add_action(
        chosen,
        "messages",
        "the messages of a queue, oldest first",
        """\
  graphden queues messages orders
  graphden queues messages orders --state dead --limit 1000 --json""",
    )
    messages.add_argument("queue", metavar="QUEUE")
    messages.add_argument("--state", choices=STATES, help="only messages in this state")
    messages.add_argument("--limit", metavar="N", type=int, default=100, help="by default 100")
    messages.add_argument("--ids", action="store_true", help="print only ids, one a line")
    requeue = add_action(
        chosen,
        "requeue",
        "give dead messages a new life: pending, attempts 0",
        """\
  graphden queues requeue 2f1e…
  graphden queues messages orders --state dead --ids | graphden queues requeue -""",
    )
    delete = add_action(
        chosen,
        "delete",
        "delete messages that no consumer holds",
        "  graphden queues delete 2f1e… 9c03…",
    )
    for by_id in (requeue, delete):
        by_id.add_argument(
            "ids", metavar="ID", nargs="+", help="or - to read them from the input"
        )
    purge = add_action(
        chosen,
        "purge",
        "delete what is in a queue, of one state or all",
        """\
  graphden queues purge orders --state dead
  graphden queues purge orders --force""",
    )
    purge.add_argument("queue", metavar="QUEUE")
    purge.add_argument("--state", choices=STATES, help="only messages in this state")
    purge.add_argument(
        "--force",
        action="store_true",
        help="also what consumers hold: settling it then changes nothing",
    )
    for action, summary in (
        ("pause", "hand out nothing of a queue until it is resumed, also after restarts"),
        ("resume", "hand out the messages of a paused queue again"),
    ):
        add_action(chosen, action, summary, f"  graphden queues {action} orders").add_argument(
            "queue", metavar="QUEUE"
        )
    retain = add_action(
        chosen,
        "retain",
        "how long the dead messages of a queue stay",
        f"""\
  graphden queues retain orders 604800000
  graphden queues retain orders {_FOR_EVER}""",
    )
    retain.add_argument("queue", metavar="QUEUE")
    retain.add_argument(
        "dead_ms",
        metavar="MS",
        type=_time_to_keep,
        help=f"milliseconds, or {_FOR_EVER}, as each queue begins",
    )
    live = add_action(
        chosen,
        "top",
        "every queue, again and again, until Ctrl-C",
        """\
  graphden queues top
  graphden queues top --every-ms 5000 --times 3 --json""",
    )
    live.add_argument(
        "--every-ms", metavar="N", type=milliseconds, default=1000.0, help="by default 1000"
    )
    live.add_argument("--times", metavar="N", type=_times, help="end after so many")


def run(arguments: argparse.Namespace) -> int:
    """Do the action; 1 when a message could not be requeued or deleted."""
    if arguments.action in {"requeue", "delete"}:
        arguments.ids = list(_ids(arguments.ids))
    with open_app(arguments) as app:
        match arguments.action:
            case "messages":
                return _messages(arguments, app)
            case "requeue":
                return _change(arguments, app.queues.requeue(arguments.ids))
            case "delete":
                return _change(arguments, app.queues.delete(arguments.ids))
            case "purge":
                return _purge(arguments, app)
            case "pause" | "resume" | "retain":
                return _set(arguments, app)
            case "top":
                return top(
                    app,
                    every_ms=arguments.every_ms,
                    times=arguments.times,
                    as_json=arguments.json,
                )
        found = app.queues.list()
    if arguments.json:
        print_json({"queues": found})
    else:
        print_queues(found)
    return 0


def _messages(arguments: argparse.Namespace, app: App) -> int:
    state, queue = arguments.state, arguments.queue
    found = app.queues.messages(queue, state=state, limit=arguments.limit)
    if arguments.json:
        ids = [message["id"] for message in found]
        print_json({"ids": ids} if arguments.ids else {"messages": found})
    elif arguments.ids:
        for message in found:
            print(message["id"])
    elif found:
        print_messages(found)
    else:
        print(f"no {state} messages in {queue}" if state else f"no messages in {queue}")
    return 0


def _change(arguments: argparse.Namespace, found: Maps) -> int:
    if arguments.json:
        print_json({"results": found})
    else:
        print_results(found)
    return 1 if any(each["result"] in _NOT_DONE for each in found) else 0


def _purge(arguments: argparse.Namespace, app: App) -> int:
    result = app.queues.purge(arguments.queue, arguments.state, force=arguments.force)
    if arguments.json:
        print_json(result)
    else:
        held = f", {result['held']} held by consumers stay" if result["held"] else ""
        print(f"{arguments.queue}: {result['purged']} purged{held}")
    return 0


def _set(arguments: argparse.Namespace, app: App) -> int:
    queue = arguments.queue
    match arguments.action:
        case "pause":
            app.queues.pause(queue)
            said = "paused"
        case "resume":
            app.queues.resume(queue)
            said = "resumed"
        case _:
            app.queues.retain(queue, arguments.dead_ms)
            kept = "for ever" if arguments.dead_ms is None else f"{arguments.dead_ms:,.0f} ms"
            said = f"dead messages stay {kept}"
    if arguments.json:
        [found] = [each for each in app.queues.list() if each["queue"] == queue]
        print_json({"queue": found})
    else:
        print(f"{queue}: {said}")
    return 0


def _ids(words: Iterable[str]) -> Iterable[UUID]:
    """The ids that were given; `-` stands for those in the input, one a line."""
    for word in words:
        for text in sys.stdin.read().split() if word == "-" else [word]:
            try:
                yield UUID(text)
            except ValueError:
                raise UsageError(
                    "bad-argument",
                    f"{text!r} is not the id of a message",
                    hint="graphden queues messages QUEUE shows them.",
                ) from None


def _time_to_keep(text: str) -> float | None:
    return None if text == _FOR_EVER else milliseconds(text)


def _times(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of times")
    return int(text)
