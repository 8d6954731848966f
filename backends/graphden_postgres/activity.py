"""How many messages this process takes: counted here, told to the database once a second."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import Final

import psycopg

from graphden.errors import RunError
from graphden.run import Context
from graphden_postgres.connections import Connections, connections
from graphden_postgres.statements import statement

_SECONDS: Final = 1.0


class Activity:
    """The counts of one App or Graph. A hint for operators: a process that dies loses some."""

    def __init__(self, pool: Connections) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()
        self._noted = float("-inf")

    def took(self, queue: str, count: int) -> None:
        """Messages were taken from a queue."""
        with self._lock:
            self._taken[queue] += count

    def note(self, *, now: bool = False) -> None:
        """Tell the database, when it is time. Raises psycopg.Error or RunError."""
        with self._lock:
            if not self._taken or not (now or time.monotonic() - self._noted >= _SECONDS):
                return
            taken, self._taken = self._taken, Counter()
            self._noted = time.monotonic()
        values = {
            "queues": list(taken),
            "taken": list(taken.values()),
            "consumer": f"{socket.gethostname()}:{os.getpid()}",
        }
        self._pool.rows(statement("note_activity"), values)

    def close(self) -> None:
        """Tell the rest, if the database is there."""
        with suppress(psycopg.Error, RunError):
            self.note(now=True)


def activity(context: Context) -> Activity:
    """The counts of this run's App or Graph."""
    pool = connections(context)
    found = context.resources.get("graphden_postgres.activity", lambda: Activity(pool))
    if not isinstance(found, Activity):
        raise TypeError(found)
    return found
