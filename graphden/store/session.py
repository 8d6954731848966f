"""One connection that is opened when it is needed, and anew after it broke."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from graphden.errors import UsageError
from graphden.store.connecting import connect
from graphden.store.statements import statement

if TYPE_CHECKING:
    import psycopg

Row = tuple[Any, ...]

AWAY: Final = "database-unreachable"
_READ_ONLY: Final = "25006"

_inherited: Final[list[object]] = []
"""Connections of a parent process: closing or collecting one would end the parent's session."""


class Session:
    """A connection to the database at `url`, used by one thread at a time.

    With `owner` it holds that number's advisory lock from its opening on: others see by it that
    this process lives.
    """

    def __init__(self, url: str, owner: int | None = None) -> None:
        self._url = url
        self._owner = owner
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._connection: psycopg.Connection[Row] | None = None

    def rows(self, name: str, values: Mapping[str, object]) -> Sequence[Row]:
        """Run the statement NAME, which may be repeated: once more when the connection that
        was open has broken.

        Raises UsageError `database-unreachable` when the database is away or read-only: it is
        not known then whether the statement was done.
        """
        with self._lock:
            self._leave_parents()
            was_open = self._connection is not None
            try:
                return self._run(name, values)
            except UsageError:
                if not was_open:
                    raise
            return self._run(name, values)

    def close(self) -> None:
        """End the session, and with it the lock. It opens again when it is used again."""
        with self._lock:
            self._leave_parents()
            self._drop()

    def _run(self, name: str, values: Mapping[str, object]) -> Sequence[Row]:
        import psycopg

        try:
            cursor = self._opened().execute(statement(name), values)
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            broke = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
            if not broke and error.sqlstate != _READ_ONLY:
                raise
            self._drop()
            reason = error.diag.message_primary or "the connection broke"
        raise UsageError(
            AWAY,
            f"the database cannot be used now: {reason}",
            hint="Check that the server runs and takes connections; then try again.",
        )

    def _opened(self) -> psycopg.Connection[Row]:
        if self._connection is None:
            self._connection = connect(self._url)
            if self._owner is not None:
                self._connection.execute(statement("hold_owner"), {"owner": self._owner})
        return self._connection

    def _drop(self) -> None:
        found, self._connection = self._connection, None
        if found is not None:
            found.close()

    def _leave_parents(self) -> None:
        """After a fork: forget, without closing, what the parent process still uses."""
        if self._process != os.getpid():
            self._process = os.getpid()
            _inherited.append(self._connection)
            self._connection = None
