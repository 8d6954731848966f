"""`graphden queues top`: the queues as a live table."""

from __future__ import annotations

import sys
import threading
from datetime import datetime
from itertools import count

from graphden.app import App
from graphden.cli.output import Style, print_json
from graphden.cli.queue_tables import print_queues
from graphden.errors import RunError

_CLEAR = "\x1b[H\x1b[2J"


def top(app: App, *, every_ms: float, times: int | None, as_json: bool) -> int:
    """Print the queues again and again, `times` times or until Ctrl-C.

    In a terminal each table takes the place of the one before; elsewhere they follow each
    other, and as JSON each is a line. A database that was there and went away is waited for.
    """
    in_place = sys.stdout.isatty() and not as_json
    try:
        for number in count(1):
            _print(app, in_place=in_place, as_json=as_json, is_first=number == 1)
            if number == times:
                break
            threading.Event().wait(every_ms / 1000)
    except KeyboardInterrupt:
        pass
    return 0


def _print(app: App, *, in_place: bool, as_json: bool, is_first: bool) -> None:
    try:
        found = app.queues.list()
    except RunError as error:
        if is_first or error.code != "queue-unavailable":
            raise
        print(f"error: {error.message}", file=sys.stderr, flush=True)
        return
    if as_json:
        print_json({"queues": found})
        return
    if in_place:
        sys.stdout.write(_CLEAR)
    elif not is_first:
        print()
    print(Style(sys.stdout)("dim", f"{datetime.now().astimezone():%H:%M:%S}  Ctrl-C ends"))
    print_queues(found)
    sys.stdout.flush()
