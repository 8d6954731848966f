"""`graphden doctor`: each finding provoked, on both servers (QUEUES 8.3)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from graphden import App
from graphden.store import Symptom, doctor, examine
from graphden.store.doctor import of_queues


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with App.open(database_url=database_url) as opened:
        opened.database()
        yield opened


@pytest.fixture
def other(app: App, database_url: str) -> Iterator[psycopg.Connection[Any]]:
    with closing(psycopg.connect(database_url, autocommit=True)) as connection:
        yield connection


def findings(app: App, **asked: float) -> tuple[Symptom, ...]:
    """What is found, but for autovacuum being off on the server of the tests."""
    found = app.doctor(**asked)
    return tuple(each for each in found if each.hint != "Set autovacuum to on.")


def codes(found: tuple[Symptom, ...]) -> list[str]:
    return [each.code for each in found]


def test_nothing_is_wrong_with_a_new_database(app: App) -> None:
    assert findings(app) == ()


def test_an_old_transaction(app: App, other: psycopg.Connection[Any]) -> None:
    with other.transaction():
        other.execute("SELECT 1 FROM graphden.service")
        [found] = findings(app, old_transaction_s=0)
        assert findings(app, old_transaction_s=3600) == ()
    assert found.code == "old-transaction"
    assert f"the session {other.info.backend_pid}" in found.message
    assert "idle in transaction" in found.message


def test_indexes_that_are_missing_foreign_and_invalid(
    app: App, other: psycopg.Connection[Any]
) -> None:
    other.execute("DROP INDEX graphden.service_instance_process")
    other.execute("CREATE INDEX mine ON graphden.service (row)")
    other.execute(
        "UPDATE pg_index SET indisvalid = false"
        " WHERE indexrelid = 'graphden.service_instance_service'::regclass"
    )
    found = {each.code: each for each in findings(app)}
    assert sorted(found) == ["index-foreign", "index-invalid", "index-missing"]
    assert "service_instance_process" in found["index-missing"].message
    assert found["index-foreign"].hint == "Unless it is needed: DROP INDEX graphden.mine"
    assert "REINDEX INDEX CONCURRENTLY graphden.service_instance_service" in (
        found["index-invalid"].hint
    )


def test_bloat_and_a_table_without_autovacuum(
    app: App, other: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "DEAD_ROWS", 500)
    other.execute("ALTER TABLE graphden.row_text SET (autovacuum_enabled = false)")
    other.execute(
        "INSERT INTO graphden.row_text SELECT sha256(n::text::bytea), ''"
        " FROM generate_series(1, 1000) AS n"
    )
    other.execute("DELETE FROM graphden.row_text")
    other.execute("ANALYZE graphden.row_text")
    ends = time.monotonic() + 20
    while "bloat" not in codes(found := findings(app)):  # statistics arrive a little later
        assert time.monotonic() < ends
    assert codes(found) == ["autovacuum-off", "bloat"]
    assert "1000 dead row versions beside 0 rows" in found[1].message
    other.execute("ALTER TABLE graphden.row_text RESET (autovacuum_enabled)")
    other.execute("VACUUM ANALYZE graphden.row_text")
    while codes(findings(app)):
        assert time.monotonic() < ends


@pytest.mark.parametrize(("by", "said"), [(3600.0, "ahead of"), (-3600.0, "behind")])
def test_a_clock_that_is_wrong(app: App, database_url: str, by: float, said: str) -> None:
    examined = examine(database_url, [], now=lambda: time.time() + by)
    [found] = [each for each in examined if each.code == "clock-skew"]
    assert f"3600 s {said} the database's" in found.message


def test_settings_that_lose_what_was_published(
    app: App, other: psycopg.Connection[Any]
) -> None:
    name = other.info.dbname
    statement = psycopg.sql.SQL("ALTER DATABASE {} SET synchronous_commit = off")
    other.execute(statement.format(psycopg.sql.Identifier(name)))
    [found] = findings(app)
    assert (found.code, found.hint) == ("not-durable", "Set synchronous_commit to on.")


def test_a_notification_that_is_not_heard(
    app: App, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind a pooler in transaction mode: what listens is another session."""
    monkeypatch.setattr(doctor, "HEARING_S", 0.2)
    real = doctor.statement
    monkeypatch.setattr(
        doctor, "statement", lambda name: real(name) if name != "listen_doctor" else b"SELECT 1"
    )
    assert codes(findings(app)) == ["not-heard"]


def test_queues_that_wait_and_the_dead() -> None:
    fine = {"queue": "a", "pending": 5, "claimed": 1, "oldest-ms": 900_000, "dead": 0}
    waits = fine | {"queue": "b", "claimed": 0}
    dead = fine | {"queue": "c", "pending": 0, "oldest-ms": None, "dead": 2}
    found = list(of_queues([fine, waits, dead]))
    assert [(each.code, each.message) for each in found] == [
        (
            "queue-waits",
            "5 messages of b wait, the oldest for 15 minutes, and nobody handles one",
        ),
        ("queue-dead", "2 messages of c are dead"),
    ]


def test_services_that_do_not_run(app: App) -> None:
    rows = "{:name :tick :parent :loop-until-stopped :args {:body :stopping?}}"
    app.branches.push("main", {"a.edn": rows})
    app.services.create("tick", "main")
    app.services.create("tick", "main", enabled=False)
    assert codes(findings(app)) == ["service-down"]
    app.branches.delete("main")
    [found] = findings(app)
    assert found.code == "service-broken"
    assert found.message == "the service of :tick: branch main has no revision"
