"""What makes a database slow or unsafe for queues (QUEUES 8.3): each finding says what is seen
and what to do.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from graphden.run import Package
from graphden.store.connecting import connect
from graphden.store.migration_files import migrations_of
from graphden.store.statements import statement

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

OLD_TRANSACTION_S = 60.0
"""A transaction that is open for so long keeps what queues delete from being removed."""

SKEW_S = 2.0
"""Clocks further apart than that confuse people; deadlines are the server's alone."""

HEARING_S = 3.0
"""How long a notification may take."""

_UNVACUUMED = "what is deleted stays on the disk, and every claim reads past it"

DEAD_ROWS = 20_000
"""Fewer dead row versions are no bloat, whatever their share."""

_MADE = re.compile(
    r"\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?"
    r"(?:graphden\.)?(\w+)\s+ON\s+graphden\.(\w+)",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    r"\bDROP\s+INDEX\s+(?:IF\s+EXISTS\s+)?(?:graphden\.)?(\w+)", re.IGNORECASE
)
_TABLE_DROPPED = re.compile(
    r"\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?graphden\.(\w+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Symptom:
    """Something that is, or will be, wrong: a stable code, what is seen, what to do."""

    code: str
    message: str
    hint: str


def examine(
    url: str,
    packages: Sequence[Package],
    *,
    old_transaction_s: float = OLD_TRANSACTION_S,
    now: Callable[[], float] = time.time,
) -> tuple[Symptom, ...]:
    """What is wrong with the database at `url`, whose schema the packages' migrations made.

    `now` is the clock of this machine, in seconds since 1970. Raises UsageError as `connect`.
    """
    with closing(connect(url)) as connection:
        return (
            *_settings(connection, now),
            *_hearing(connection, url),
            *_old_transactions(connection, old_transaction_s),
            *_indexes(connection, packages),
            *_tables(connection),
        )


def _settings(connection: Connection, now: Callable[[], float]) -> Iterator[Symptom]:
    before = now()
    [row] = connection.execute(statement("read_settings"))
    after = now()
    fsync, synchronous, autovacuum, most, used, server = row
    for name, value in (("fsync", fsync), ("synchronous_commit", synchronous)):
        if value == "off":
            yield Symptom(
                "not-durable",
                f"{name} is off: what was published last is lost when the server crashes",
                f"Set {name} to on.",
            )
    if autovacuum == "off":
        yield Symptom(
            "autovacuum-off",
            f"autovacuum is off on this server: {_UNVACUUMED}",
            "Set autovacuum to on.",
        )
    if used >= 0.9 * most:
        yield Symptom(
            "connections-used-up",
            f"{used} of {most} connections are in use",
            "Raise max_connections, or run fewer processes; a worker needs three.",
        )
    skew = max(before - server, server - after)
    if skew > SKEW_S:
        ahead = "behind" if server > after else "ahead of"
        yield Symptom(
            "clock-skew",
            f"the clock of this machine is {skew:.0f} s {ahead} the database's",
            "Deadlines go by the database's clock and are right; set this machine's, so that "
            "logs and times that rows read are.",
        )


def _hearing(connection: Connection, url: str) -> Iterator[Symptom]:
    word = uuid4().hex
    with closing(connect(url)) as ear:
        ear.execute(statement("listen_doctor"))
        connection.execute(statement("notify_doctor"), {"word": word})
        heard = any(
            notification.payload == word
            for notification in ear.notifies(timeout=HEARING_S, stop_after=1)
        )
    if not heard:
        yield Symptom(
            "not-heard",
            f"a notification was not heard within {HEARING_S:g} s: idle workers find messages "
            "only by polling",
            "Connect to the server itself, or to a pooler in session mode; one in transaction "
            "mode swallows LISTEN.",
        )


def _old_transactions(connection: Connection, older_s: float) -> Iterator[Symptom]:
    found = connection.execute(statement("find_old_transactions"), {"older_s": older_s})
    for who, age_s in found:
        held = "is inactive" if age_s is None else f"has a transaction open for {age_s:.0f} s"
        yield Symptom(
            "old-transaction",
            f"{who} {held}: nothing that queues have deleted since is removed",
            "End it, or let it commit; set idle_in_transaction_session_timeout.",
        )


def _indexes(connection: Connection, packages: Sequence[Package]) -> Iterator[Symptom]:
    expected = _expected_indexes(packages)
    present: set[str] = set()
    for name, table, valid, _unique, size, of_constraint in connection.execute(
        statement("list_indexes")
    ):
        present.add(name)
        if not valid:
            yield Symptom(
                "index-invalid",
                f"the index {name} of graphden.{table} is invalid: it costs, and is not used",
                f"REINDEX INDEX CONCURRENTLY graphden.{name}",
            )
        if name not in expected and not of_constraint:
            yield Symptom(
                "index-foreign",
                f"the index {name} of graphden.{table} ({size / 1e6:.1f} MB) is not "
                "Graphden's: each message pays for it",
                f"Unless it is needed: DROP INDEX graphden.{name}",
            )
    for name in sorted(expected.keys() - present):
        yield Symptom(
            "index-missing",
            f"the index {name} of graphden.{expected[name]} is missing",
            "Restore it as the migration says that made it: graphden db status lists them.",
        )


def _expected_indexes(packages: Sequence[Package]) -> dict[str, str]:
    """The indexes that the migrations leave behind, and their tables."""
    found: dict[str, str] = {}
    for package in packages:
        for migration in migrations_of(package):
            text = re.sub(r"--[^\n]*", "", migration.up.read_text("utf-8"))
            for name in _DROPPED.findall(text):
                found.pop(name, None)
            for table in _TABLE_DROPPED.findall(text):
                found = {name: of for name, of in found.items() if of != table}
            found.update(_MADE.findall(text))
    return found


def _tables(connection: Connection) -> Iterator[Symptom]:
    for name, live, dead, size, vacuumed_s, unvacuumed in connection.execute(
        statement("list_table_health")
    ):
        if unvacuumed:
            yield Symptom(
                "autovacuum-off",
                f"autovacuum is off for graphden.{name}: {_UNVACUUMED}",
                f"ALTER TABLE graphden.{name} RESET (autovacuum_enabled)",
            )
        if dead >= DEAD_ROWS and dead > 2 * live:
            when = "never" if vacuumed_s is None else f"{vacuumed_s:.0f} s ago"
            yield Symptom(
                "bloat",
                f"graphden.{name} holds {dead} dead row versions beside {live} rows, in "
                f"{size / 1e6:.1f} MB; last vacuum: {when}",
                f"VACUUM graphden.{name}; if that removes nothing, an old transaction is open.",
            )


WAITING_MS = 300_000
"""A message that could be taken for so long waits for a worker that is not there."""


def of_queues(queues: Iterable[Mapping[str, Any]]) -> Iterator[Symptom]:
    """What is wrong with queues, as operators' lists of them tell (QUEUES 8.1)."""
    for queue in queues:
        name, waits = queue["queue"], queue["oldest-ms"] or 0
        if queue["pending"] and not queue["claimed"] and waits >= WAITING_MS:
            yield Symptom(
                "queue-waits",
                f"{queue['pending']} messages of {name} wait, the oldest for "
                f"{waits / 60_000:.0f} minutes, and nobody handles one",
                "Start a worker: graphden work ROW, or graphden serve. Or is the queue paused? "
                "graphden queues",
            )
        if queue["dead"]:
            yield Symptom(
                "queue-dead",
                f"{queue['dead']} messages of {name} are dead",
                f"graphden queues show {name} --state dead tells why; requeue or delete them.",
            )
