"""From errors of the database to errors that rows can act upon. None of them shows the URL."""

from __future__ import annotations

import re
from typing import Final

import psycopg

from graphden.errors import RunError

UNAVAILABLE: Final = "queue-unavailable"

_READ_ONLY: Final = "25006"
_MISSING_SCHEMA: Final = frozenset({"3F000", "42P01", "42883", "42703"})

# The only part of a failed connection's text that cannot hold a piece of a mistyped URL.
_CONNECTING: Final = re.compile(r"^.*connection to server .* failed: (.+)$", re.MULTILINE)


def is_unavailable(error: BaseException) -> bool:
    """Whether the database may answer the statement later: it is gone, full or read-only."""
    if isinstance(error, RunError):
        return error.code == UNAVAILABLE
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return True
    return isinstance(error, psycopg.Error) and error.sqlstate == _READ_ONLY


def explained(error: psycopg.Error) -> RunError:
    """`error` as a RunError: `queue-unavailable`, `queue-not-migrated` or `queue-refused`.

    The cause stays attached when the server itself gave it.
    """
    if is_unavailable(error):
        found = RunError(
            UNAVAILABLE,
            f"the queue's database cannot be used now: {_reason(error)}",
            hint="Check that the server runs and takes connections; then try again.",
            data={"sqlstate": error.sqlstate},
        )
    elif error.sqlstate in _MISSING_SCHEMA:
        found = RunError(
            "queue-not-migrated",
            f"the queue's tables are missing or of another release: {_reason(error)}",
            hint="Run `graphden db migrate`.",
            data={"sqlstate": error.sqlstate},
        )
    else:
        found = RunError(
            "queue-refused",
            f"the queue's database refused: {_reason(error)}",
            data={"sqlstate": error.sqlstate},
        )
    if error.sqlstate is not None:
        found.__cause__ = error
    return found


def _reason(error: psycopg.Error) -> str:
    if error.diag.message_primary:
        return error.diag.message_primary
    connecting = _CONNECTING.findall(str(error))
    if connecting:
        return str(connecting[-1]).strip()
    broke = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return "the connection broke" if broke else type(error).__name__
