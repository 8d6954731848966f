"""What the whole suite shares: hypothesis profiles, and databases. tests/README.md explains."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from graphden.store import EmbeddedServer

IN_CI = bool(os.environ.get("CI"))
SYSTEM_VARIABLE = "GRAPHDEN_TEST_SYSTEM_URL"
SYSTEM_DEFAULT = "postgresql://postgres@127.0.0.1:5432/test"
PATIENCE = 3  # seconds to connect to a server that is up

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=5_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if IN_CI else "dev"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out unless `-m` asks for them."""
    if "slow" in config.option.markexpr:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="session")
def embedded_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database on the embedded server, one server for the session."""
    with EmbeddedServer.join(tmp_path_factory.mktemp("embedded")) as server:
        yield server.url


@pytest.fixture(scope="session")
def system_url() -> str:
    """A database on the machine's PostgreSQL, where we may create others; skips without one."""
    url = os.environ.get(SYSTEM_VARIABLE, SYSTEM_DEFAULT)
    try:
        psycopg.connect(url, connect_timeout=PATIENCE).close()
    except psycopg.OperationalError as error:
        if SYSTEM_VARIABLE in os.environ or (IN_CI and port_is_open(url)):
            pytest.fail(f"the PostgreSQL of the system refuses the tests: {error}")
        pytest.skip(
            f"NOT TESTED on the system's PostgreSQL: {SYSTEM_DEFAULT} does not answer and "
            f"{SYSTEM_VARIABLE} is not set"
        )
    return url


@pytest.fixture(params=["embedded", "system"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A new empty database, once on the embedded server and once on the system's."""
    with new_database(request.getfixturevalue(f"{request.param}_url")) as url:
        yield url


@pytest.fixture
def fresh_database(request: pytest.FixtureRequest) -> Iterator[Callable[[str], str]]:
    """A function from "embedded" or "system" to the URL of a new empty database there."""
    with ExitStack() as opened:
        yield lambda server: opened.enter_context(
            new_database(request.getfixturevalue(f"{server}_url"))
        )


@contextmanager
def new_database(server_url: str) -> Iterator[str]:
    """A database of its own on the server at `server_url`, dropped afterwards."""
    name = f"graphden_test_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield make_conninfo(server_url, dbname=name)
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)


def port_is_open(url: str) -> bool:
    """Whether something listens where `url` points: then a failure to connect is a fault."""
    parts = conninfo_to_dict(url)
    host, port = str(parts.get("host", "127.0.0.1")), int(parts.get("port") or 5432)
    if host.startswith("/"):
        return Path(host, f".s.PGSQL.{port}").exists()
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError:
        return False
    return True
