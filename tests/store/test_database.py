"""Opening a database: which one, what is refused, and that no secret is ever shown."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from graphden.errors import UsageError
from graphden.run import Functions, Package
from graphden.store import open_database


def protocol(kind: bytes, body: bytes) -> bytes:
    """A message of PostgreSQL's protocol; its length counts itself."""
    return kind + (len(body) + 4).to_bytes(4, "big") + body


AUTHENTICATED = protocol(b"R", bytes(4))
READY = protocol(b"Z", b"I")
OLD_SERVER = AUTHENTICATED + protocol(b"S", b"server_version\x0013.22\x00") + READY
WRONG_PASSWORD = protocol(b"E", b"SFATAL\0C28P01\0Mpassword refused: abc\0\0")


@pytest.fixture
def package(tmp_path: Path) -> Package:
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / "0001_first.sql").write_text("CREATE TABLE item (id int);")
    return Package("shop", rows=folder, functions=Functions(), migrations=folder)


@pytest.fixture
def false_server() -> Iterator[Callable[[bytes], int]]:
    """Listens and gives one answer to whoever connects; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve(answer: bytes) -> None:
            client, _ = server.accept()
            with client:
                client.recv(10_000)
                client.sendall(answer)
                client.recv(10_000)

        threads: list[threading.Thread] = []

        def start(answer: bytes) -> int:
            threads.append(threading.Thread(target=serve, args=[answer]))
            threads[0].start()
            return int(server.getsockname()[1])

        yield start
        threads[0].join()


def refused(url: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        open_database(url)
    return caught.value


@pytest.mark.postgres
def test_an_opened_database_has_the_schema_of_the_packages(
    database_url: str, package: Package
) -> None:
    with (
        open_database(database_url, packages=[package]) as database,
        psycopg.connect(database.url) as connection,
    ):
        assert connection.execute("SELECT count(*) FROM graphden.item").fetchone() == (0,)


@pytest.mark.postgres
def test_the_variable_names_the_database(
    system_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", system_url)
    with open_database() as database:
        assert database.url == system_url
        assert database.describe().startswith("PostgreSQL 1")


@pytest.mark.postgres
def test_the_argument_wins_over_the_variable(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", "postgresql://127.0.0.1:1/nowhere")
    with open_database(database_url) as database:
        assert database.url == database_url


def test_without_a_url_the_project_has_its_own(
    tmp_path: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRAPHDEN_DATABASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    with open_database(packages=[package], progress=said.append) as database:
        assert database.describe().startswith("embedded PostgreSQL 18.")
        assert database.describe().endswith(" in .graphden/postgres")
    assert said[-1] == "migrating: shop 0001 first"
    assert not (tmp_path / ".graphden" / "postgres" / "data" / "postmaster.pid").exists()


def test_a_failure_after_the_start_stops_the_embedded_server(
    tmp_path: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRAPHDEN_DATABASE_URL", raising=False)
    assert package.migrations is not None
    (package.migrations / "0001_first.sql").write_text("nonsense")
    with pytest.raises(UsageError, match="syntax error"):
        open_database(project=tmp_path, packages=[package])
    assert not (tmp_path / ".graphden" / "postgres" / "data" / "postmaster.pid").exists()


def test_an_old_server_is_refused(false_server: Callable[[bytes], int]) -> None:
    error = refused(f"postgresql://u@127.0.0.1:{false_server(OLD_SERVER)}/d?sslmode=disable")
    assert error.code == "database-version"
    assert "is PostgreSQL 13.22; Graphden needs 14 or newer" in error.message


def test_nobody_at_home(tmp_path: Path) -> None:
    error = refused(f"postgresql://u@/shop?host={tmp_path}")
    assert error.code == "database-unreachable"
    assert f"{tmp_path}/shop" in error.message
    assert "No such file or directory" in error.message


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("postgresql://u:hunter2@127.0.0.1:1/d", "database-unreachable"),
        ("host=127.0.0.1 port=1 password=hunter2", "database-unreachable"),
        ("postgresql://u:x@hunter2@127.0.0.1:1/d", "database-url"),
        ("postgresql://u:1/hunter2@127.0.0.1:1/d", "database-url"),
        ("postgresql://u:1?hunter2@127.0.0.1:1/d", "database-url"),
        ("postgresql://u:1#hunter2@127.0.0.1:1/d", "database-url"),
        ("postgresql://u:%zzhunter2@127.0.0.1:1/d", "database-url"),
        ("postgresql://u:x@127.0.0.1:1/d?hunter2", "database-url"),
        ("postgresql+psycopg://u:hunter2@127.0.0.1:1/d", "database-url"),
        ("password=x hunter2", "database-url"),
        ("hunter2", "database-url"),
    ],
)
def test_no_error_shows_a_password_or_carries_it_along(url: str, code: str) -> None:
    error = refused(url)
    assert error.code == code
    shown = "".join(traceback.format_exception(error)) + error.hint + repr(error)
    assert "hunter2" not in shown.replace(repr(url), "").replace(url, "")
    assert error.__cause__ is None
    assert error.__context__ is None


def test_what_the_server_says_is_cleaned_of_the_password(
    false_server: Callable[[bytes], int],
) -> None:
    port = false_server(WRONG_PASSWORD)
    error = refused(f"postgresql://u:abc@127.0.0.1:{port}/d?sslmode=disable")
    assert error.code == "database-unreachable"
    assert "password refused: ***" in error.message


@pytest.mark.postgres
def test_a_database_is_shown_without_its_password(system_url: str) -> None:
    url = psycopg.conninfo.make_conninfo(system_url, password="hunter2")
    with open_database(url) as database:
        assert "hunter2" not in database.describe() + repr(database)


def test_importing_the_store_does_not_import_psycopg() -> None:
    code = "import graphden.store, sys; print('psycopg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"False\n"
