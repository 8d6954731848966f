"""The backends under test, each behind the same face; `tests/backends` has one file a promise.

A test that asks for `queues` or `backend` runs on memory, on the embedded PostgreSQL and on the
system's; one that asks for `postgres` runs on the latter two. `queue` is a name that no other
test uses.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

import graphden_memory
import graphden_postgres
from graphden.edn import Keyword
from graphden.run import Context, Package, Resources
from graphden.store import migrate
from graphden_memory.broker import broker

PATIENCE = 10.0
"""Seconds until what a test waits for counts as never happening."""


class Queues:
    """One user of a backend: what rows can call, as methods."""

    def __init__(self, package: Package, prefix: str, context: Context) -> None:
        self.context = context
        self._package = package
        self._prefix = prefix

    def _call(self, verb: str, *arguments: object) -> Any:
        body = self._package.functions.get(f"{self._prefix}-{verb}")
        assert body is not None
        return body.function(*arguments, context=self.context)

    def publish(
        self, queue: object, payload: object = None, delay_ms: object = 0, key: object = None
    ) -> uuid.UUID:
        return self._call("publish", queue, payload, delay_ms, key)

    def take(
        self,
        queue: object,
        batch: object = 10,
        visibility_ms: object = 30_000,
        wait_ms: object = 0,
    ) -> list[dict[str, Any]]:
        return self._call("take", queue, batch, visibility_ms, wait_ms)

    def take_one(self, queue: str, **limits: object) -> dict[str, Any]:
        """The only message that comes, waited for."""
        [message] = self.take(queue, **{"wait_ms": 1000 * PATIENCE, **limits})
        return message

    def ack(self, message: object) -> Keyword:
        return self._call("ack", message)

    def nack(
        self,
        message: object,
        /,
        outcome: str = "failed",
        *,
        retry_ms: object = 0,
        max_attempts: object = 5,
        **error: object,
    ) -> Keyword:
        handling_error = {
            Keyword("outcome"): Keyword(outcome),
            Keyword("type"): "thrown",
            Keyword("message"): "it failed",
            Keyword("place"): None,
            Keyword("delay-ms"): None,
            **{Keyword(name.replace("_", "-")): value for name, value in error.items()},
        }
        return self._call("nack", message, handling_error, retry_ms, max_attempts)

    def extend(self, message: object, visibility_ms: object = 30_000) -> Keyword:
        return self._call("extend", message, visibility_ms)

    def list(self) -> list[dict[str, Any]]:
        return self._call("list")

    def counts(self, queue: str) -> dict[str, int]:
        """How many messages of the queue are in each state that any is in."""
        [found] = [counts for counts in self.list() if counts["queue"] == queue]
        states = ("pending", "delayed", "claimed", "lapsed", "dead")
        return {state: found[state] for state in states if found[state]}

    def messages(
        self, queue: object, state: object = None, limit: object = 100
    ) -> list[dict[str, Any]]:
        return self._call("messages", queue, state, limit)

    def requeue(self, *ids: object) -> list[dict[str, Any]]:
        return self._call("requeue", list(ids))

    def delete(self, *ids: object) -> list[dict[str, Any]]:
        return self._call("delete", list(ids))

    def lapse(self, queue: str, batch: int = 10) -> list[dict[str, Any]]:
        """Take and let the claim run out, as a worker that dies does."""
        taken = self.take(queue, batch=batch, visibility_ms=1, wait_ms=1000 * PATIENCE)
        until(lambda: "claimed" not in self.counts(queue))
        return taken


class Backend:
    """A backend and the place its messages are kept in."""

    def __init__(self, url: str | None) -> None:
        self.url = url
        self._shared = Resources()
        self._opened = [self._shared]

    def user(self) -> Queues:
        """Another user; on PostgreSQL with connections of its own, as another process has."""
        if self.url is None:
            return Queues(graphden_memory.package, "memory", Context(self._shared))
        resources = Resources()
        resources.provide("database-url", lambda: self.url)
        self._opened.append(resources)
        return Queues(graphden_postgres.package, "queue", Context(resources))

    def wait_until_idle(self, queue: str, count: int = 1) -> None:
        """Return when `count` takes wait for work of the queue."""
        until(lambda: self._idle(queue) >= count)

    def _idle(self, queue: str) -> int:
        if self.url is None:
            found = broker(Context(self._shared)).queues.get(queue)
            return 0 if found is None else len(found.waiters)
        return self.ask(
            "SELECT count(*) FROM graphden.queue_idle JOIN graphden.queue ON id = queue_id "
            "WHERE name = %s",
            queue,
        )[0][0]

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows from a connection of the test's own, which speaks SQL to the database."""
        assert self.url is not None
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        for resources in self._opened:
            resources.close()


def until(happened: Callable[[], object]) -> None:
    """Wait for an event that can only be asked for."""
    ends = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.002)


@contextmanager
def migrated_database(server_url: str) -> Iterator[str]:
    """A new database with the tables of the queues."""
    name = f"graphden_queues_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            url = make_conninfo(server_url, dbname=name)
            migrate(url, [graphden_postgres.package])
            yield url
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)


@pytest.fixture(scope="session", params=["embedded", "system"])
def postgres_url(request: pytest.FixtureRequest) -> Iterator[str]:
    with migrated_database(request.getfixturevalue(f"{request.param}_url")) as url:
        yield url


@pytest.fixture(scope="session", params=["memory", "embedded", "system"])
def place(request: pytest.FixtureRequest) -> Iterator[str | None]:
    if request.param == "memory":
        yield None
        return
    with migrated_database(request.getfixturevalue(f"{request.param}_url")) as url:
        yield url


@pytest.fixture
def backend(place: str | None) -> Iterator[Backend]:
    """Each backend in turn."""
    found = Backend(place)
    yield found
    found.close()


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Backend]:
    """PostgreSQL only, on each server in turn."""
    found = Backend(postgres_url)
    yield found
    found.close()


@pytest.fixture
def queues(backend: Backend) -> Queues:
    return backend.user()


@pytest.fixture
def queue() -> str:
    return f"queue-{uuid.uuid4()}"


@pytest.fixture
def background() -> Iterator[Callable[..., Future[Any]]]:
    """Runs a function in a thread; the test waits for its future."""
    with ThreadPoolExecutor(max_workers=16) as threads:
        yield threads.submit
