"""The embedded PostgreSQL among several processes, and when some of them are killed."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from graphden.store import EmbeddedServer
from graphden.store.locks import FileLock

Postmaster = Callable[[], int | None]
StartedAt = Callable[[str], object]


def kill_server(folder: Path, process: int | None) -> None:
    """SIGKILL to the postmaster; returns when all processes of the server are gone."""
    assert process is not None
    os.kill(process, signal.SIGKILL)
    lock = FileLock(folder / "server.lock")
    lock.own()
    lock.release()


def test_two_processes_that_join_at_the_same_moment_share_one_server(
    folder: Path, user_process, started_at: StartedAt, postmaster: Postmaster
) -> None:
    first, second = user_process(), user_process()
    first.tell("join", folder)
    second.tell("join", folder)
    assert started_at(first.answer()) == started_at(second.answer())
    assert first.ask("leave") == "left"
    assert postmaster() is not None
    assert second.ask("leave") == "left"
    assert postmaster() is None


def test_a_process_that_ends_without_closing_leaves(
    folder: Path, user_process, postmaster: Postmaster
) -> None:
    process = user_process()
    process.ask("join", folder)
    process.tell("end")
    process.process.wait()
    assert postmaster() is None


def test_the_last_one_stops_the_server_after_another_was_killed(
    folder: Path, user_process, postmaster: Postmaster
) -> None:
    killed, last = user_process(), user_process()
    killed.ask("join", folder)
    last.ask("join", folder)
    killed.kill()
    assert postmaster() is not None
    assert last.ask("leave") == "left"
    assert postmaster() is None


def test_a_server_left_by_killed_users_only_is_used_and_stopped_by_the_next(
    folder: Path, user_process, started_at: StartedAt, postmaster: Postmaster
) -> None:
    killed = user_process()
    first_start = started_at(killed.ask("join", folder))
    killed.kill()
    with EmbeddedServer.join(folder) as server:
        assert started_at(server.url) == first_start
    assert postmaster() is None


def test_a_killed_server_comes_back_at_the_next_join_with_all_that_was_committed(
    folder: Path, postmaster: Postmaster
) -> None:
    with EmbeddedServer.join(folder) as server:
        cut = psycopg.connect(server.url, autocommit=True)
        cut.execute("CREATE TABLE kept AS SELECT 1 AS answer")
        cut.execute("BEGIN; INSERT INTO kept VALUES (2)")
        kill_server(folder, postmaster())
        cut.close()
        with (
            EmbeddedServer.join(folder) as again,
            psycopg.connect(again.url) as connection,
        ):
            assert connection.execute("SELECT answer FROM kept").fetchall() == [(1,)]
    assert postmaster() is None


def test_the_number_of_a_killed_server_may_be_that_of_another_process_now(
    folder: Path, postmaster: Postmaster
) -> None:
    with EmbeddedServer.join(folder):
        kill_server(folder, postmaster())
    account = (folder / "data").stat().st_uid  # PostgreSQL looks at its own account only
    user = account if os.geteuid() == 0 else None
    other = subprocess.Popen(["sleep", "600"], user=user)
    try:
        for path in (
            folder / "data" / "postmaster.pid",
            folder / "socket" / ".s.PGSQL.5432.lock",
        ):
            _, _, rest = path.read_text().partition("\n")
            path.write_text(f"{other.pid}\n{rest}")
        with EmbeddedServer.join(folder):
            assert postmaster() not in {None, other.pid}
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize("content", ["", "half"])
def test_a_process_file_cut_by_a_crash_does_not_keep_it_from_starting(
    folder: Path, postmaster: Postmaster, content: str
) -> None:
    with EmbeddedServer.join(folder):
        kill_server(folder, postmaster())
    (folder / "data" / "postmaster.pid").write_text(content)
    with EmbeddedServer.join(folder):
        assert postmaster() is not None


def test_ctrl_c_in_the_terminal_of_the_starter_does_not_reach_the_server(
    folder: Path, user_process, started_at: StartedAt
) -> None:
    starter, other = user_process(), user_process()
    start = started_at(starter.ask("join", folder))
    url = other.ask("join", folder)
    starter.interrupt()
    assert started_at(url) == start


@pytest.mark.parametrize("way", ["spawn", "fork"])
def test_a_child_that_outlives_its_killed_parent_holds_nothing(
    folder: Path, user_process, postmaster: Postmaster, way: str
) -> None:
    parent, last = user_process(), user_process()
    parent.ask("join", folder)
    last.ask("join", folder)
    child = int(parent.ask(way))
    try:
        parent.kill()
        assert last.ask("leave") == "left"
        assert postmaster() is None
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_forked_child_that_closes_does_not_leave_for_its_parent(
    folder: Path, started_at: StartedAt
) -> None:
    with EmbeddedServer.join(folder) as server:
        start = started_at(server.url)
        child = os.fork()
        if child == 0:
            server.close()
            os._exit(0)
        os.waitpid(child, 0)
        assert started_at(server.url) == start


def test_a_forked_child_can_join_for_itself(
    folder: Path, started_at: StartedAt, postmaster: Postmaster
) -> None:
    told, tell = os.pipe()
    wait, end = os.pipe()
    server = EmbeddedServer.join(folder)
    child = os.fork()
    if child == 0:
        os.close(end)
        own = EmbeddedServer.join(folder)
        os.write(tell, b"!")
        os.read(wait, 1)
        own.close()
        os._exit(0)
    os.close(wait)
    os.read(told, 1)
    server.close()
    running_for_child = postmaster() is not None
    os.close(end)
    os.waitpid(child, 0)
    os.close(told)
    os.close(tell)
    assert running_for_child
    assert postmaster() is None


def test_a_full_disk_while_the_data_are_made_leaves_nothing_half_made(
    folder: Path, user_process
) -> None:
    poor = user_process()
    assert poor.ask("limit", 100_000) == "limited"  # bytes a file may have
    assert poor.ask("join", folder) == "embedded-create"
    assert list(folder.glob("data*")) == []
    with EmbeddedServer.join(folder):
        assert (folder / "data" / "PG_VERSION").exists()


def test_a_starter_killed_while_the_data_are_made_harms_nobody(
    folder: Path, user_process, postmaster: Postmaster
) -> None:
    starter = user_process()
    starter.tell("join", folder)
    while not list(folder.glob("data.new-*")):
        os.sched_yield()
    starter.kill()
    with EmbeddedServer.join(folder) as server, psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert postmaster() is None
