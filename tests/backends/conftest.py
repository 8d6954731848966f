"""The backends under test, each behind the same face; `tests/backends` has one file a promise.

A test that asks for `queues` or `backend` runs on memory, on the embedded PostgreSQL and on the
system's; one that asks for `postgres` runs on the latter two. `queue` is a name that no other
test uses.
"""

from __future__ import annotations

import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

import graphden_memory
import graphden_postgres
from graphden.edn import Keyword
from graphden.errors import RunError
from graphden.run import Context, Package, Resources
from graphden.store import migrate
from graphden_memory.broker import broker
from graphden_postgres.connections import connections
from graphden_postgres.writing import LOST_SETTLEMENTS, writer

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

    def publish_many(
        self, queue: object, payloads: object, delay_ms: object = 0, keys: object = None
    ) -> list[uuid.UUID]:
        return self._call("publish-many", queue, payloads, delay_ms, keys)

    def take(
        self,
        queue: object,
        batch: object = 10,
        visibility_ms: object = 30_000,
        wait_ms: object = 0,
    ) -> list[dict[str, Any]]:
        records = () if self._prefix == "memory" else ("all",)
        return self._call("take", queue, batch, visibility_ms, wait_ms, *records)

    def take_one(self, queue: str, **limits: object) -> dict[str, Any]:
        """The only message that comes, waited for."""
        [message] = self.take(queue, **{"wait_ms": 1000 * PATIENCE, **limits})
        return message

    def ack(self, message: object) -> Keyword:
        """What became of the message: an ack that is accepted is written before the answer."""
        settlement = self.ack_soon(message)
        return self.written() if settlement == "accepted" else settlement

    def ack_soon(self, message: object) -> Keyword:
        """What the backend answers, which may write the ack a little later (QUEUES 3.7)."""
        return self._call("ack", message)

    def written(self) -> Keyword:
        """Write the acks that were accepted, now; what became of them."""
        lost = self.lost_settlements()
        _while_unavailable(writer(self.context).flush)
        return Keyword("lost" if self.lost_settlements() > lost else "done")

    def lost_settlements(self) -> int:
        """How many accepted acks came too late."""
        return self.context.resources.counts().get(LOST_SETTLEMENTS, 0)

    def nack(
        self,
        message: object,
        /,
        outcome: str = "failed",
        *,
        retry_ms: object = 0,
        max_attempts: object = 5,
        backoff: Callable[[int], object] | None = None,
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
        return self._call("nack", message, handling_error, retry_ms, max_attempts, backoff)

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

    def purge(
        self, queue: object, state: object = None, *, force: object = False
    ) -> dict[str, Any]:
        return self._call("purge", queue, state, force)

    def pause(self, queue: object) -> None:
        self._call("pause", queue)

    def resume(self, queue: object) -> None:
        self._call("resume", queue)

    def retain(self, queue: object, dead_ms: object = None) -> None:
        self._call("retain", queue, dead_ms)

    def listed(self, queue: str) -> dict[str, Any]:
        """The queue as operators see it in the list of all."""
        [found] = [each for each in self.list() if each["queue"] == queue]
        return found

    def lapse(self, queue: str, batch: int = 10) -> list[dict[str, Any]]:
        """Take and let the claim run out, as a worker that dies does."""
        if self._prefix == "memory":
            taken = self.take(queue, batch=batch, visibility_ms=1, wait_ms=1000 * PATIENCE)
        else:
            # A claim as short as that would be over before the take has its answer.
            taken = self.take(queue, batch=batch, visibility_ms=500, wait_ms=1000 * PATIENCE)
            void = b"UPDATE graphden.queue_lease SET deadline = now() WHERE token = %(t)s"
            pool = connections(self.context)
            for message in taken:
                pool.rows(void, {"t": message["token"]})
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

    def end_sessions(self, last_statement: str = "%") -> None:
        """End, from the server's side, sessions that idle after a statement; one at least."""
        end = (
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND state = 'idle' AND query LIKE %s"
        )
        until(lambda: self.ask(end, last_statement))

    def close(self) -> None:
        for resources in self._opened:
            resources.close()


def until(happened: Callable[[], object]) -> None:
    """Wait for an event that can only be asked for."""
    ends = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.002)


def _while_unavailable(write: Callable[[], None]) -> None:
    """Write, as the backend does: again and again while the database is away."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            return write()
        except (psycopg.OperationalError, RunError):
            assert time.monotonic() < ends, "the database did not come back"
            time.sleep(0.01)


EXECUTE = b"E\0\0\0\x09\0\0\0\0\0"
"""What a client of PostgreSQL sends to run a statement, other than to prepare one."""


class Proxy:
    """The network between a user and the server, which a test can cut.

    `cut_request` loses the next statement that a client runs; `cut_answer` loses the server's
    answer to it, after it was done, and runs a function in between. `hold_answer` runs one at
    each answer before it goes on, until that says True.
    """

    def __init__(self, server: str | tuple[str, int]) -> None:
        self._server = server
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._cut_request = False
        self._cut_answer: Callable[[], object] | None = None
        self._hold_answer: Callable[[], bool] | None = None
        self._executing = False
        self._is_up = True
        self._refused = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_request(self) -> None:
        self._cut_request = True

    def cut_answer(self, between: Callable[[], object] = lambda: None) -> None:
        self._cut_answer = between

    def hold_answer(self, between: Callable[[], bool]) -> None:
        self._hold_answer = between

    def is_armed(self) -> bool:
        """Whether a cut that was asked for has not happened."""
        return self._cut_request or self._cut_answer is not None

    def down(self) -> None:
        """Break all connections and let nobody in."""
        self._is_up = False
        for pair in self._pairs:
            _hang_up(*pair)

    def up(self) -> None:
        self._is_up = True

    def wait_until_refused(self) -> None:
        """Return when somebody has tried in vain to connect."""
        until(lambda: self._refused > 0)

    def close(self) -> None:
        self.down()
        _hang_up(self._listening)
        self._listening.close()
        for pair in self._pairs:
            for end in pair:
                end.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            family = socket.AF_UNIX if isinstance(self._server, str) else socket.AF_INET
            server = socket.socket(family)
            self._pairs.append((client, server))
            if not self._is_up:
                _hang_up(client)
                self._refused += 1
                continue
            server.connect(self._server)
            threading.Thread(target=self._ask, args=(client, server), daemon=True).start()
            threading.Thread(target=self._answer, args=(client, server), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := client.recv(65_536):
                self._executing = EXECUTE in said
                if self._cut_request and self._executing:
                    self._cut_request = False
                    break
                server.sendall(said)
        _hang_up(client, server)

    def _answer(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := server.recv(65_536):
                if self._executing and (between := self._cut_answer) is not None:
                    self._cut_answer = None
                    between()
                    break
                if self._executing and (hold := self._hold_answer) is not None and hold():
                    self._hold_answer = None
                client.sendall(said)
        _hang_up(client, server)


def _hang_up(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


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
def proxy(postgres_url: str) -> Iterator[Proxy]:
    """A network to the server of `postgres` that can be cut."""
    parts = conninfo_to_dict(postgres_url)
    host, port = str(parts["host"]), int(parts.get("port") or 5432)
    found = Proxy(f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, port))
    yield found
    found.close()
    assert not found.is_armed(), "the test cut nothing"


@pytest.fixture
def remote(postgres_url: str, proxy: Proxy) -> Iterator[Queues]:
    """A user whose every connection goes through `proxy`."""
    url = make_conninfo(
        postgres_url, host="127.0.0.1", port=proxy.port, sslmode="disable", gssencmode="disable"
    )
    found = Backend(url)
    yield found.user()
    found.close()


@pytest.fixture
def another_user() -> Iterator[Callable[[str], Queues]]:
    """Makes a user of the database at a URL."""
    with ExitStack() as opened:

        def user(url: str) -> Queues:
            found = Backend(url)
            opened.callback(found.close)
            return found.user()

        yield user


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
