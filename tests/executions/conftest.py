"""Apps over a database of the test's own, the network to it, processes that can be killed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from graphden import App, Graph
from tests.backends.conftest import Proxy

PATIENCE = 20.0
"""Seconds until what a test waits for counts as never happening."""

ROWS = """
{:name :double :parent :mul :args {:nums [2 {:as :number}]}}
{:name :quotient :parent :div :args {:nums [{:as :number} {:as :by}]}}
{:name :hand-over :parent :add :args {:nums [1 :quotient] :number 1}}
{:name :order-placed :parent :queue-publish :args {:queue "orders"}}
{:name :same :parent :identity}
{:name :long :parent :sleep :args {:ms 600000}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHDEN_DATABASE_URL", raising=False)
    return tmp_path


@pytest.fixture
def graph() -> Graph:
    return Graph.parse(ROWS, file="rows.edn")


@pytest.fixture
def app(graph: Graph, database_url: str) -> Iterator[App]:
    with App.open([graph], database_url=database_url) as opened:
        yield opened


@pytest.fixture
def proxy(database_url: str) -> Iterator[Proxy]:
    """A network to the database that can be cut."""
    parts = conninfo_to_dict(database_url)
    host, port = str(parts["host"]), int(parts.get("port") or 5432)
    found = Proxy(f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, port))
    yield found
    found.close()


@pytest.fixture
def remote(graph: Graph, database_url: str, proxy: Proxy) -> Iterator[App]:
    """An App whose every connection goes through `proxy`."""
    url = make_conninfo(
        database_url, host="127.0.0.1", port=proxy.port, sslmode="disable", gssencmode="disable"
    )
    with App.open([graph], database_url=url) as opened:
        yield opened


@pytest.fixture
def ask(database_url: str) -> Callable[..., list[tuple[object, ...]]]:
    """Rows from a connection of the test's own."""

    def rows(statement: str, *values: object) -> list[tuple[object, ...]]:
        with psycopg.connect(database_url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    return rows


@pytest.fixture
def process(folder: Path, database_url: str) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `graphden` with these words over ROWS; it is ended with the test."""
    (folder / "rows.edn").write_text(ROWS, "utf-8")
    started: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "graphden", *words],
                cwd=folder,
                env={"GRAPHDEN_DATABASE_URL": database_url, "PATH": ""},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start
    for each in started:
        each.kill()
        each.communicate()


def until(happened: Callable[[], object]) -> None:
    """Wait for an event that can only be asked for."""
    ends = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.01)
