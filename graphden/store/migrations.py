"""Migrations: the numbered steps by which packages build their tables in the schema `graphden`.

Each step is one transaction, which also records the step, so that a step is done whole or not
at all. The transaction owns an advisory lock while it looks and works: of several processes
that migrate, one works and the others wait, and then find it done.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphden.errors import Span, UsageError
from graphden.run import Package
from graphden.store import migration_table as table
from graphden.store.connecting import connect
from graphden.store.migration_files import Migration, migrations_of
from graphden.store.migration_table import Progress, Row

if TYPE_CHECKING:
    import psycopg

    Database = psycopg.Connection[Any] | str
    Known = Mapping[str, Sequence[Migration]]  # by package


class State(StrEnum):
    """How a migration stands between the files and the database."""

    APPLIED = "applied"
    """The database has it, as the file says."""
    PENDING = "pending"
    """The database does not have it yet."""
    WAITING = "waiting"
    """As pending, until no process of the release before is left, who would break by it."""
    CHANGED = "changed"
    """The database has it, but the file was changed since."""
    UNKNOWN = "unknown"
    """The database has it, but the installed package does not: the package is too old."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A migration that a call has just applied, or taken back."""

    package: str
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class MigrationState:
    """One migration, its state, and when it was applied, if it was."""

    package: str
    number: int
    name: str
    state: State
    applied_at: datetime | None


_TO_APPLY = frozenset({State.PENDING, State.WAITING})
_PAUSE_SECONDS = 0.5


class _TableInUse(Exception):  # noqa: N818 - not an error: the step is tried again
    """A lock was not to be had in time; what the step did is undone."""

    def __init__(self, migration: Migration) -> None:
        super().__init__(str(migration))
        self.migration = migration


def migrate(
    connection_or_url: Database,
    packages: Sequence[Package],
    progress: Progress | None = None,
    *,
    post: bool = False,
) -> list[Applied]:
    """Apply what is pending, in the order of `packages` and of their numbers.

    The processes of the release before go on working. With `post` also what would break them
    is applied, which in a new database is always done. A table that another transaction uses
    is waited for a second at a time, so that those who come later are not held up for long.

    With nothing pending it costs one query. A connection must not be in a transaction. Raises
    UsageError: `schema-newer`, `migration-changed`, `migration-failed` (that migration left
    nothing, those before it stay), `migration-files`, and what `connect` raises.
    """
    known = _known(packages)
    say = progress or _silent
    done: list[Applied] = []
    with _connected(connection_or_url) as connection:
        rows = table.rows(connection)
        post_of = {name for name in known if post or all(row.package != name for row in rows)}
        while _due(known, rows, post_of):
            try:
                with table.step(connection, say) as rows:
                    pending = _due(known, rows, post_of)
                    for migration in pending[:1]:  # none when another process was faster
                        say(f"migrating: {migration}")
                        _execute(connection, migration, migration.up)
                        table.add(connection, migration)
            except _TableInUse as used:
                say(f"waiting for a transaction that uses what {used.migration} changes")
                time.sleep(_PAUSE_SECONDS)
                continue
            done += map(_outcome, pending[:1])
            rows = table.rows(connection)
    return done


def revert(
    connection_or_url: Database,
    package: Package,
    to: int,
    progress: Progress | None = None,
) -> list[Applied]:
    """Take the migrations of `package` above the number `to` back, the newest first.

    Raises what `migrate` raises, and UsageError `migration-one-way` when one has no way back;
    those taken back before it stay so.
    """
    known = _known([package])
    say = progress or _silent
    done: list[Applied] = []
    with _connected(connection_or_url) as connection:
        for migration in reversed(known[package.name][to:]):
            with table.step(connection, say) as rows:
                present = migration not in _pending(known, rows)
                if present:
                    say(f"taking back: {migration}")
                    _execute(connection, migration, _way_back(migration))
                    table.remove(connection, migration)
            if present:
                done.append(_outcome(migration))
    return done


def _due(known: Known, rows: Sequence[Row], post_of: Collection[str]) -> list[Migration]:
    """What is to be applied now: post migrations wait, unless of a package in `post_of` or
    before another one of theirs that does not.
    """
    pending = _pending(known, rows)
    last = {each.package: each.number for each in pending if not each.is_post}
    return [
        each
        for each in pending
        if each.package in post_of or each.number <= last.get(each.package, 0)
    ]


def status(connection_or_url: Database, packages: Sequence[Package]) -> list[MigrationState]:
    """How every migration of `packages` stands, those that only the database has included."""
    known = _known(packages)
    with _connected(connection_or_url) as connection:
        rows = table.rows(connection)
    recorded = {_key(row): row for row in rows if row.package in known}
    states = [
        _state(migration, recorded.pop(_key(migration), None))
        for migration in chain.from_iterable(known.values())
    ]
    return states + [
        MigrationState(row.package, row.number, row.name, State.UNKNOWN, row.applied_at)
        for row in recorded.values()
    ]


def _known(packages: Sequence[Package]) -> dict[str, tuple[Migration, ...]]:
    return {package.name: migrations_of(package) for package in packages}


def _pending(known: Known, rows: Sequence[Row]) -> list[Migration]:
    """The migrations that the database does not have. Refuses a database that is ahead."""
    for row in rows:
        newest = len(known.get(row.package, ()))
        if row.package in known and row.number > newest:
            raise UsageError(
                "schema-newer",
                f"the database has migration {row.number:04} {row.name} of {row.package}, "
                f"but the installed {row.package} knows only {newest:04}",
                hint=f"Upgrade the distribution that brings {row.package}: a newer one has "
                "used this database.",
            )
    recorded = {_key(row): row for row in rows}
    states = {
        migration: _state(migration, recorded.get(_key(migration))).state
        for migration in chain.from_iterable(known.values())
    }
    for migration, state in states.items():
        if state is State.CHANGED:
            raise UsageError(
                "migration-changed",
                f"migration {migration} was applied to this database in another form",
                hint=f"Restore {migration.up} as it was, and put what is new into a further "
                "migration.",
            )
    return [migration for migration, state in states.items() if state in _TO_APPLY]


def _state(migration: Migration, row: Row | None) -> MigrationState:
    if row is None:
        state = State.WAITING if migration.is_post else State.PENDING
    elif row.checksum != migration.checksum:
        state = State.CHANGED
    else:
        state = State.APPLIED
    applied_at = None if row is None else row.applied_at
    return MigrationState(
        migration.package, migration.number, migration.name, state, applied_at
    )


def _execute(connection: psycopg.Connection[Any], migration: Migration, file: Path) -> None:
    """Run the statements of `file`; an error names the line. Commits inside are refused."""
    import psycopg
    from psycopg.pq import TransactionStatus

    text = file.read_text(encoding="utf-8")
    try:
        connection.execute(table.LIMIT_WAITING)
        connection.execute(text.encode())
    except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
        raise _TableInUse(migration) from None
    except psycopg.Error as error:
        raise UsageError(
            "migration-failed",
            f"migration {migration} failed, nothing of it was kept: {error}",
            hint="Mend what the database names, and start again.",
            span=_span(file, text, error.diag.statement_position),
        ) from error
    if connection.info.transaction_status is not TransactionStatus.INTRANS:
        raise UsageError(
            "migration-failed",
            f"migration {migration} ends the transaction that it runs in",
            hint=f"Take COMMIT and ROLLBACK out of {file}.",
        )


def _span(file: Path, text: str, position: str | None) -> Span | None:
    """The place in `file` at `position`, which counts characters from 1."""
    if position is None:
        return None
    before = text[: int(position) - 1]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Span(str(file), line, column, line, column + 1)


def _way_back(migration: Migration) -> Path:
    if migration.down is None:
        raise UsageError(
            "migration-one-way",
            f"migration {migration} has no way back",
            hint=f"Restore a backup, or write {migration.up.stem}.down.sql beside it.",
        )
    return migration.down


@contextmanager
def _connected(connection_or_url: Database) -> Iterator[psycopg.Connection[Any]]:
    """The given connection, left open, or one of our own."""
    if isinstance(connection_or_url, str):
        with connect(connection_or_url) as connection:
            yield connection
    else:
        yield connection_or_url


def _key(step: Migration | Row) -> tuple[str, int]:
    return step.package, step.number


def _outcome(migration: Migration) -> Applied:
    return Applied(migration.package, migration.number, migration.name)


def _silent(_message: str) -> None:
    pass
