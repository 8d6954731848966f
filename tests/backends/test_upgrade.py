"""QUEUES 8.2: an upgrade works under running workers of the release before.

`release_one/` keeps statements as the first schema's processes send them. The test speaks them
over prepared connections, while the migrations since then are applied.
"""

from __future__ import annotations

import shutil
import threading
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

import graphden_postgres
from graphden.run import Functions, Package
from graphden.store import migrate

HERE = Path(__file__).parent
MESSAGES = 400


def statement(name):
    return (HERE / "release_one" / f"{name}.sql").read_text()


CLAIM = sql.SQL(statement("claim")).format(limit=sql.Literal(5)).as_string()


class OldProcess:
    """A publisher and consumer of the first release."""

    def __init__(self, url):
        self.connection = psycopg.connect(url, autocommit=True, prepare_threshold=1)
        self.connection.execute(statement("open_session"))

    def publish(self, queue, payload):
        values = {
            "id": uuid4(), "queue": queue, "payload": payload, "delay_ms": 0.0,
            "trace_id": None, "parent_execution_id": None, "key": None, "digest": None,
            "key_lifetime_ms": 86_400_000,
        }  # fmt: skip
        return self.connection.execute(statement("publish"), values).fetchall()[0][0]

    def handle(self, queue):
        """Claim and settle some messages; their ids."""
        token = uuid4()
        values = {"token": token, "queue": queue, "wait_ms": 1.0}
        self.connection.execute(statement("mark_idle"), values)
        values = {
            "queue": queue, "token": token, "visibility_ms": 30_000.0, "consumer": "old",
            "finished": [],
        }  # fmt: skip
        ids = [row[0] for row in self.connection.execute(CLAIM, values)]
        for message_id in ids:
            settled = self.connection.execute(
                statement("ack"), {"id": message_id, "token": token}
            ).fetchall()
            assert settled[0][0] == "done"
        return ids


@contextmanager
def old_process(url):
    old = OldProcess(url)
    with closing(old.connection):
        yield old


@pytest.fixture(params=["embedded", "system"])
def first_release(tmp_path, request):
    """The URL of a database with the first schema only."""
    first = tmp_path / "migrations"
    first.mkdir()
    folder = graphden_postgres.package.migrations
    shutil.copy(folder / "0001_queues.sql", first)
    package = Package("graphden_postgres", first, Functions(), migrations=first)
    server = request.getfixturevalue(f"{request.param}_url")
    name = f"graphden_upgrade_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = make_conninfo(server, dbname=name)
        migrate(url, [package])
        yield url
        drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
        connection.execute(drop)


def test_8_2_processes_of_the_release_before_go_on_while_the_schema_is_brought_up_to_date(
    first_release, background
):
    handled, published, halfway = [], [], threading.Event()
    last = threading.Event()

    def publish():
        with old_process(first_release) as old:
            for number in range(MESSAGES):
                published.append(old.publish("orders", str(number)))
                if number == MESSAGES // 4:
                    halfway.set()
            last.set()

    def consume():
        with old_process(first_release) as old:
            while (ids := old.handle("orders")) or not last.is_set():
                handled.extend(ids)

    working = [background(publish), background(consume)]
    assert halfway.wait(20)
    applied = migrate(first_release, [graphden_postgres.package])
    for each in working:
        each.result(timeout=30)
    assert [step.number for step in applied] == [*range(2, len(applied) + 2)]
    assert applied
    assert handled == published
    assert len(handled) == MESSAGES


def test_8_2_old_and_new_processes_share_queues_after_it(first_release, another_user):
    with old_process(first_release) as old:
        before = old.publish("orders", "1")
        migrate(first_release, [graphden_postgres.package])
        user = another_user(first_release)
        new = user.publish("orders", 2)
        keyed = user.publish("orders", 3, key="k")
        after = old.publish("orders", "4")
        assert [m["id"] for m in user.take("orders", batch=2)] == [before, new]
        assert old.handle("orders") == [keyed, after]
