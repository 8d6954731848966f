"""What the database remembers of migrations: the table `graphden.migration`, and its lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphden.errors import UsageError
from graphden.store.migration_files import Migration

if TYPE_CHECKING:
    import psycopg

Progress = Callable[[str], None]

READ = """
SELECT package, number, name, checksum, applied_at FROM graphden.migration
ORDER BY package, number"""
ADD = """
INSERT INTO graphden.migration (package, number, name, checksum) VALUES (%s, %s, %s, %s)"""
REMOVE = "DELETE FROM graphden.migration WHERE package = %s AND number = %s"
BEGIN = """
SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;
SET LOCAL search_path TO graphden, pg_temp"""
LIMIT_WAITING = "SET LOCAL lock_timeout = '1s'"
TRY_LOCK = (
    "SELECT pg_try_advisory_xact_lock(7454127468667233646)"  # the text 'graphden' as a number
)
LOCK = "SELECT pg_advisory_xact_lock(7454127468667233646)"
EXISTS = "SELECT to_regclass('graphden.migration') IS NOT NULL"
MAKE = """
DO $$ BEGIN
    IF to_regnamespace('graphden') IS NULL THEN CREATE SCHEMA graphden; END IF;
END $$;
CREATE TABLE graphden.migration (
    package    text        NOT NULL,
    number     int         NOT NULL,
    name       text        NOT NULL,
    checksum   text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (package, number)
)"""


@dataclass(frozen=True, slots=True)
class Row:
    """A migration that the database has."""

    package: str
    number: int
    name: str
    checksum: str
    applied_at: datetime


def rows(connection: psycopg.Connection[Any]) -> list[Row]:
    """What the database has; nothing where even the table is missing."""
    from psycopg import errors

    try:
        with _reading(connection):
            return _read(connection)
    except errors.UndefinedTable:
        return []


@contextmanager
def step(connection: psycopg.Connection[Any], progress: Progress) -> Iterator[list[Row]]:
    """One transaction, alone among all migrators of the database, and what the database has.

    The table is made when it is missing. Names without a schema mean `graphden` inside.
    Raises UsageError `migration-failed` when the database refuses to begin or to commit.
    """
    import psycopg

    try:
        with connection.transaction():
            connection.execute(BEGIN)
            if not _answer(connection, TRY_LOCK):
                progress("waiting for another process that migrates the database")
                connection.execute(LOCK)
            if not _answer(connection, EXISTS):
                connection.execute(MAKE)
            yield _read(connection)
    except psycopg.Error as error:
        raise UsageError(
            "migration-failed",
            f"the schema graphden cannot be brought up to date: {error}",
            hint="The database user must be allowed to create in this database.",
        ) from error


def add(connection: psycopg.Connection[Any], migration: Migration) -> None:
    """Remember that `migration` was applied, in the transaction that applied it."""
    values = (migration.package, migration.number, migration.name, migration.checksum)
    connection.execute(ADD, values)


def remove(connection: psycopg.Connection[Any], migration: Migration) -> None:
    """Forget `migration`, in the transaction that took it back."""
    connection.execute(REMOVE, (migration.package, migration.number))


def _read(connection: psycopg.Connection[Any]) -> list[Row]:
    from psycopg.rows import tuple_row

    with connection.cursor(row_factory=tuple_row) as cursor:
        return [Row(*values) for values in cursor.execute(READ)]


def _answer(connection: psycopg.Connection[Any], question: str) -> bool:
    from psycopg.rows import scalar_row

    with connection.cursor(row_factory=scalar_row) as cursor:
        return bool(cursor.execute(question).fetchone())


def _reading(connection: psycopg.Connection[Any]) -> AbstractContextManager[object]:
    """A transaction only where the connection would open one and leave it open."""
    return nullcontext() if connection.autocommit else connection.transaction()
