"""A session that does a process's statements in one thread, holds its locks, and hears what is
notified; other threads may end its wait.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from graphden.errors import UsageError
from graphden.store.connecting import connect
from graphden.store.statements import statement

if TYPE_CHECKING:
    import psycopg

Row = tuple[Any, ...]


class SessionLostError(Exception):
    """The connection broke, and with it all locks; the next statement opens another one."""


class Watch:
    """A connection to the database at `url`, under a name that others see.

    It listens to what the statement `listen` says.
    """

    def __init__(self, url: str, name: str, listen: str) -> None:
        self._url = url
        self._name = name
        self._listen = listen
        self._connection: psycopg.Connection[Row] | None = None
        self._heard = False
        self._ear, self._waker = socket.socketpair()
        self._ear.setblocking(False)
        self._waker.setblocking(False)

    def rows(self, name: str, values: Mapping[str, object] | None = None) -> Sequence[Row]:
        """What the statement NAME gives. Raises SessionLostError when the connection breaks, or
        cannot be opened.
        """
        import psycopg

        try:
            cursor = self._opened().execute(statement(name), values)
            return cursor.fetchall() if cursor.description else []
        except (psycopg.OperationalError, psycopg.InterfaceError, UsageError) as error:
            self._drop()
            raise SessionLostError(str(error)) from error

    def wait(self, seconds: float) -> bool:
        """Wait until something is notified, `wake` is called, or so long; False when only time
        has passed. Raises SessionLostError.
        """
        import psycopg

        try:
            connection = self._opened()
            if self._notified(connection):
                return True
            with selectors.DefaultSelector() as selector:
                selector.register(connection.fileno(), selectors.EVENT_READ)
                selector.register(self._ear, selectors.EVENT_READ)
                ready = {key.fileobj for key, _ in selector.select(max(0.0, seconds))}
            woken = self._ear in ready
            if woken:
                self._ear.recv(4096)
            return self._notified(connection) or woken
        except (psycopg.OperationalError, psycopg.InterfaceError, UsageError) as error:
            self._drop()
            raise SessionLostError(str(error)) from error

    def wake(self) -> None:
        """End the wait; from any thread, and also the next one when none is now."""
        with suppress(BlockingIOError):  # so many that it is awake anyway
            self._waker.send(b"!")

    def close(self) -> None:
        """End the session, and with it its locks."""
        self._drop()
        self._ear.close()
        self._waker.close()

    def _notified(self, connection: psycopg.Connection[Row]) -> bool:
        connection.pgconn.consume_input()
        while connection.pgconn.notifies():
            self._heard = True
        heard, self._heard = self._heard, False
        return heard

    def _opened(self) -> psycopg.Connection[Row]:
        if self._connection is None:
            connection = connect(self._url)
            try:
                connection.execute(
                    "SELECT set_config('application_name', %s, false)", [self._name]
                )
                connection.execute(statement(self._listen))
                connection.add_notify_handler(self._hear)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self._heard = True  # what was notified before nobody heard
        return self._connection

    def _hear(self, _notify: object) -> None:
        self._heard = True

    def _drop(self) -> None:
        found, self._connection = self._connection, None
        if found is not None:
            found.close()
