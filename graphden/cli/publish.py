"""`graphden publish`: a message into a queue."""

from __future__ import annotations

import argparse

from graphden.cli.arguments import read_json
from graphden.cli.opening import open_app
from graphden.cli.output import print_json
from graphden.cli.parsing import add_database, add_json, milliseconds

EXAMPLE = """  graphden publish orders '{"sku": "tea", "qty": 2}' --delay-ms 500"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("queue", metavar="QUEUE", help="the name of the queue")
    parser.add_argument("payload", metavar="JSON", help="what the message carries")
    parser.add_argument(
        "--delay-ms",
        metavar="N",
        type=milliseconds,
        default=0,
        help="when it may be taken, from now",
    )
    parser.add_argument(
        "--key",
        metavar="K",
        help="the same key again, within a day, stores nothing and prints the first id",
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the message's id: then it is durable."""
    payload = read_json(arguments.payload, "the message")
    with open_app(arguments) as app:
        message_id = app.publish(
            arguments.queue, payload, delay_ms=arguments.delay_ms, key=arguments.key
        )
    if arguments.json:
        print_json({"id": message_id})
    else:
        print(message_id)
    return 0
