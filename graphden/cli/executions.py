"""`graphden executions`: what ran, what came of it, what it caused."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from graphden.cli.arguments import add_arguments, read_arguments
from graphden.cli.attending import attended
from graphden.cli.opening import load_graph, open_app
from graphden.cli.output import Style, print_json, print_table
from graphden.cli.parsing import Parser, actions, add_database, add_json, add_paths
from graphden.edn import JsonProblem, to_json, write
from graphden.errors import RunError

if TYPE_CHECKING:  # whoever asks for help does not wait for the store
    from graphden.app import App

EXAMPLE = """\
  graphden executions --status failed
  graphden executions show 6f1ceb24-8f4e-4b0e-9f0c-0c5a0f7d8d11
  graphden executions rerun 6f1ceb24-8f4e-4b0e-9f0c-0c5a0f7d8d11 orders.edn --arg factor=4
  graphden executions prune --older-than 30d --status succeeded"""

_STATUSES = ("pending", "succeeded", "failed", "cancelled")
_KINDS = ("run", "handling", "operator")
_AGE = re.compile(r"(\d{1,9})([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def configure(parser: Parser) -> None:
    """Add the arguments of the command; without an action it lists."""
    _add_filters(parser)
    add_json(parser)
    add_database(parser)
    chosen = actions(parser)
    listing = chosen.add_parser("list", help="the latest, newest first (the default)")
    _add_filters(listing, inherited=True)
    show = chosen.add_parser("show", help="one, and what it caused, as a tree")
    message = chosen.add_parser("message", help="what happened to a message, in order")
    cancel = chosen.add_parser("cancel", help="ask for a pending run to be cancelled")
    rerun = chosen.add_parser("rerun", help="run the row again with the same arguments")
    trace = chosen.add_parser("trace", help="which rows a traced run evaluated")
    prune = chosen.add_parser("prune", help="forget those that ended long ago")
    for parser_ in (show, message, cancel, rerun, trace):
        parser_.add_argument("id", metavar="ID", type=_id)
    add_paths(rerun)
    add_arguments(rerun)
    prune.add_argument(
        "--older-than",
        metavar="AGE",
        type=_age,
        required=True,
        help="since the end, as 90s, 15m, 12h or 30d",
    )
    prune.add_argument(
        "--status",
        dest="statuses",
        action="append",
        choices=_STATUSES[1:],
        help="only those of this status; may be repeated",
    )
    for parser_ in (listing, show, message, cancel, rerun, trace, prune):
        add_json(parser_, inherited=True)
        add_database(parser_, inherited=True)


def run(arguments: argparse.Namespace) -> int:
    """Do the action; 1 when a run is not as it was asked for: not cancelled, not traced."""
    if arguments.action == "rerun":
        return _rerun(arguments)
    with open_app(arguments) as app:
        match arguments.action:
            case "show":
                return _show(arguments, app)
            case "message":
                return _message(arguments, app)
            case "cancel":
                return _cancel(arguments, app)
            case "trace":
                return _trace(arguments, app)
            case "prune":
                return _prune(arguments, app)
        return _list(arguments, app)


def _list(arguments: argparse.Namespace, app: App) -> int:
    from graphden.cli.stories import execution_record, moment, took

    found = app.executions.list(
        status=arguments.status,
        kind=arguments.kind,
        entry=arguments.entry,
        limit=arguments.limit,
    )
    if arguments.json:
        print_json({"executions": [execution_record(each) for each in found]})
    elif not found:
        print("no executions")
    else:
        titles = ("STARTED", "ID", "KIND", "STATUS", "ENTRY", "TOOK", "ERROR")
        print_table(
            titles,
            [
                (
                    moment(each.started),
                    each.id,
                    each.kind.value,
                    each.status.value,
                    each.entry,
                    took(each),
                    each.error and each.error.code,
                )
                for each in found
            ],
        )
    return 0


def _show(arguments: argparse.Namespace, app: App) -> int:
    from graphden.cli.stories import drawn, story_record

    story = app.executions.show(arguments.id)
    if arguments.json:
        print_json(story_record(story))
    else:
        print("\n".join(drawn(story, Style(sys.stdout))))
    return 0


def _message(arguments: argparse.Namespace, app: App) -> int:
    from graphden.cli.stories import drawn_steps, execution_record

    found = app.executions.of_messages([arguments.id])
    if arguments.json:
        print_json({"executions": [execution_record(each) for each in found]})
    elif not found:
        print(f"nothing is recorded of message {arguments.id}")
    else:
        print("\n".join(drawn_steps(found, Style(sys.stdout))))
    return 0


def _cancel(arguments: argparse.Namespace, app: App) -> int:
    from graphden.cli.stories import execution_record

    found = app.executions.cancel(arguments.id)
    if arguments.json:
        print_json(execution_record(found))
    elif found.cancel_by and found.ended is None:
        print("asked: it ends at its next check")
    else:
        print(f"it has ended before: {found.status.value}")
    return 0 if found.cancel_by else 1


def _trace(arguments: argparse.Namespace, app: App) -> int:
    from graphden.cli.traces import drawn

    found = app.executions.trace(arguments.id)
    if arguments.json:
        print_json({"trace": found})
    elif found is None:
        print("it was not traced: run it with --trace --save", file=sys.stderr)
    else:
        print("\n".join(drawn(found, Style(sys.stdout))))
    return 0 if found is not None else 1


def _prune(arguments: argparse.Namespace, app: App) -> int:
    gone = app.executions.prune(arguments.older_than, arguments.statuses or _STATUSES[1:])
    if arguments.json:
        print_json({"pruned": gone})
    else:
        print(f"forgot {gone:,} execution{'' if gone == 1 else 's'}")
    return 0


def _rerun(arguments: argparse.Namespace) -> int:
    from uuid import uuid4

    graph = load_graph(arguments.paths)
    new = uuid4()
    with open_app(arguments, graph) as app:
        arguments.entry = app.executions.get(arguments.id).entry
        values = read_arguments(arguments, graph) if arguments.entry else {}
        print(f"execution {new}", file=sys.stderr, flush=True)
        with app.context() as context:
            value = attended(
                lambda: app.executions.rerun(
                    arguments.id, values, execution_id=new, context=context
                ),
                [lambda _signal: context.cancel()],
            )
    if not arguments.json:
        print(write(value, lossy=True))
        return 0
    try:
        print(f'{{"value": {to_json(value)}, "execution": "{new}"}}')
    except JsonProblem as problem:
        raise RunError(
            "invalid-argument",
            f"the value of :{arguments.entry} has no form in JSON: {problem}",
            hint=problem.hint or "Without --json it is printed as EDN.",
        ) from problem
    return 0


def _add_filters(parser: argparse.ArgumentParser, *, inherited: bool = False) -> None:
    nothing = argparse.SUPPRESS if inherited else None
    parser.add_argument("--status", choices=_STATUSES, default=nothing, help="of one status")
    parser.add_argument("--kind", choices=_KINDS, default=nothing, help="of one kind")
    parser.add_argument("--entry", metavar="ROW", default=nothing, help="of one row")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=int,
        default=argparse.SUPPRESS if inherited else 100,
        help="by default 100",
    )


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an execution's id") from None


def _age(text: str) -> timedelta:
    found = _AGE.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no age such as 90s, 15m, 12h or 30d")
    try:
        return timedelta(**{_UNITS[found[2]]: int(found[1])})
    except OverflowError:
        raise argparse.ArgumentTypeError(f"{text!r} is older than time") from None
