"""`graphden serve`: keep the services running."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import threading
from uuid import UUID

from graphden.cli.attending import attended
from graphden.cli.opening import open_app
from graphden.cli.output import print_json
from graphden.cli.parsing import add_database, add_json

EXAMPLE = """\
  graphden serve
  graphden serve --processes 4

Ctrl-C or SIGTERM: instances finish what they have, within the grace. A second one ends them
at once."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--processes",
        metavar="N",
        type=_count,
        default=1,
        help="how many processes share the instances; by default 1",
    )
    parser.add_argument(
        "--grace-s",
        metavar="S",
        type=float,
        default=30.0,
        help="how long an instance may finish what it has; by default 30",
    )
    parser.add_argument("--member", type=UUID, help=argparse.SUPPRESS)
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Keep services running until told to stop; 0 after a clean stop."""
    _log_to_stderr()
    if arguments.member is not None:
        return _member(arguments)
    from graphden.services.executor import Executor

    with open_app(arguments) as app:
        database = app.database()
        command = [sys.executable, "-m", "graphden", "serve"]
        command += ["--grace-s", str(arguments.grace_s), "--member"]
        executor = Executor(
            command, database.url, count=arguments.processes, grace_s=arguments.grace_s
        )
        _say(
            arguments,
            "serving",
            f"serving, {database.describe()} (process {os.getpid()}; Ctrl-C stops it)",
            pid=os.getpid(),
        )
        attended(executor.run, [lambda _: executor.stop(), lambda _: executor.cancel()])
    _say(arguments, "stopped", "stopped")
    return 0


def _member(arguments: argparse.Namespace) -> int:
    """One of the processes that `serve` starts; ends when it does, however that ends."""
    from graphden.services import ServiceProcess

    with open_app(arguments) as app:
        url, grace_s = app.database().url, arguments.grace_s
        process = ServiceProcess(url, app.service_host, grace_s=grace_s, id_=arguments.member)

        def follow_parent() -> None:
            os.read(0, 1)
            process.stop()

        threading.Thread(target=follow_parent, daemon=True).start()
        stayed = attended(process.run, [lambda _: process.stop(), lambda _: process.cancel()])
    return 0 if stayed else 1


def _say(arguments: argparse.Namespace, event: str, text: str, **details: object) -> None:
    if arguments.json:
        print_json({"event": event, **details})
    else:
        print(text, flush=True)


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    log = logging.getLogger("graphden.services")
    log.addHandler(handler)
    log.propagate = False
    log.setLevel(logging.INFO)


def _count(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= 64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 64")
    return number
