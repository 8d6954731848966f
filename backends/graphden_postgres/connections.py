"""The connections of one App or Graph: opened when needed, used by one thread at a time.

Each *lane* keeps its own idle connections, so that renewing a claim never waits for, nor loses
its connection to, the work it protects (QUEUES 3.4).
"""

from __future__ import annotations

import os
import select
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import ConnStatus, TransactionStatus

from graphden.errors import RunError
from graphden.run import Context
from graphden_postgres.failures import explained
from graphden_postgres.statements import statement

Row = tuple[Any, ...]
Values = Mapping[str, object]

# What a URL leaves open. A peer that vanished is noticed within half a minute.
_SETTINGS: Final[Mapping[str, Any]] = {
    "fallback_application_name": "graphden",
    "connect_timeout": 10,
    "keepalives": 1,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}

_inherited: Final[list[object]] = []
"""Connections of a parent process: closing or collecting one would end the parent's session."""


class Lane(StrEnum):
    """What a connection is kept for."""

    WORK = "work"
    """Publishing, taking, settling, operating."""
    RENEW = "renew"
    """Extending claims."""


class Session(psycopg.Connection[Row]):
    """A connection whose statements share one cursor: what one gives is read before the next.

    Making a cursor for each would cost a tenth of a short statement.
    """

    _statements: psycopg.Cursor[Row] | None = None
    _poll: select.poll | None = None

    def run(self, text: bytes, values: Values) -> psycopg.Cursor[Row]:
        """Run one statement. Raises psycopg.Error."""
        if self._statements is None:
            self._statements = self.cursor()
        return self._statements.execute(text, values)

    def is_quiet(self) -> bool:
        """Whether it is alive while idle: a server that left has sent its goodbye."""
        if self.pgconn.status != ConnStatus.OK:
            return False
        if self._poll is None:
            self._poll = select.poll()
            self._poll.register(self.fileno(), select.POLLIN)
        return not self._poll.poll(0)


class Connections:
    """Idle connections by lane. After a fork the child starts with none of its parent's."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._idle: dict[Lane, list[Session]] = {lane: [] for lane in Lane}
        self._open: Counter[Lane] = Counter()
        self._closed = False

    def open(self) -> Session:
        """A new connection, the caller's own to close. Raises psycopg.Error."""
        try:
            settings = {**_SETTINGS, **conninfo_to_dict(self._url), "client_encoding": "utf8"}
            connection = Session.connect(autocommit=True, prepare_threshold=1, **settings)
        except psycopg.ProgrammingError:
            raise RunError(
                "queue-unavailable",
                "the database URL cannot be read",
                hint="Write it as postgresql://user@host:port/database.",
            ) from None
        connection.execute(statement("open_session"))
        return connection

    def reserve(self, lane: Lane) -> None:
        """Make sure that the lane has a connection, so that it will not need one when the
        server has none left. A failure is for the first use to report.
        """
        with self._lock:
            self._leave_parents()
            if self._open[lane] > 0 or self._closed:
                return
        with suppress(psycopg.Error), self.use(lane):
            pass

    @contextmanager
    def use(self, lane: Lane = Lane.WORK) -> Iterator[Session]:
        """A connection for this thread until the end of the `with`. Raises psycopg.Error."""
        connection = self._take_idle(lane)
        if connection is None:
            connection = self.open()
            with self._lock:
                self._open[lane] += 1
        try:
            yield connection
        finally:
            self._put_back(lane, connection)

    def rows(self, text: bytes, values: Values, lane: Lane = Lane.WORK) -> Sequence[Row]:
        """Run one statement, once. Raises psycopg.Error, or RunError for an unreadable URL."""
        with self.use(lane) as connection:
            cursor = connection.run(text, values)
            return cursor.fetchall() if cursor.description else []

    def ask(self, name: str, values: Values, lane: Lane = Lane.WORK) -> Sequence[Row]:
        """Run the statement NAME, once more when the connection broke: for what may repeat.

        Raises RunError `queue-unavailable`, `queue-not-migrated` or `queue-refused`.
        """
        try:
            try:
                return self.rows(statement(name), values, lane)
            except psycopg.OperationalError:
                return self.rows(statement(name), values, lane)
        except psycopg.Error as error:
            raise explained(error) from None

    def close(self) -> None:
        """Close what is idle; what is in use is closed when it comes back."""
        with self._lock:
            self._closed = True
            idle = [connection for lane in self._idle.values() for connection in lane]
            for lane in self._idle.values():
                lane.clear()
        if self._process == os.getpid():
            for connection in idle:
                connection.close()
        else:
            _inherited.extend(idle)

    def _take_idle(self, lane: Lane) -> Session | None:
        with self._lock:
            if self._closed:
                raise RunError("resource-closed", "the queue's connections were closed")
            self._leave_parents()
            idle = self._idle[lane]
            while idle:
                connection = idle.pop()
                if connection.is_quiet():
                    return connection
                self._open[lane] -= 1
                connection.close()
        return None

    def _put_back(self, lane: Lane, connection: Session) -> None:
        usable = connection.pgconn.transaction_status == TransactionStatus.IDLE
        with self._lock:
            if usable and not self._closed:
                self._idle[lane].append(connection)
                return
            self._open[lane] -= 1
        connection.close()

    def _leave_parents(self) -> None:
        """After a fork: forget, without closing, what the parent process still uses."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        for idle in self._idle.values():
            _inherited.extend(idle)
            idle.clear()
        self._open.clear()


def connections(context: Context) -> Connections:
    """The connections of this run's App or Graph."""
    resources = context.resources
    found = resources.get(
        "graphden_postgres.pool", lambda: Connections(str(resources.get("database-url")))
    )
    if not isinstance(found, Connections):
        raise TypeError(found)
    return found
