"""Real processes that use an embedded server, told what to do line by line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

SCRIPT = """
import os, resource, subprocess, sys, time
from pathlib import Path
from graphden.errors import UsageError
from graphden.store import EmbeddedServer

server = None
print("ready", flush=True)
for line in sys.stdin:
    match line.split():
        case ["join", folder]:
            try:
                server = EmbeddedServer.join(Path(folder))
                print(server.url, flush=True)
            except UsageError as error:
                print(error.code, flush=True)
        case ["leave"]:
            server.close()
            print("left", flush=True)
        case ["limit", size]:
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
            print("limited", flush=True)
        case ["spawn"]:
            child = subprocess.Popen(["sleep", "600"], close_fds=False)
            print(child.pid, flush=True)
        case ["fork"]:
            if os.fork() == 0:
                print(os.getpid(), flush=True)
                time.sleep(600)
        case ["end"]:
            break
"""


class UserProcess:
    """A Python process of its own that joins and leaves on command."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert self.answer() == "ready"

    def tell(self, *words: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def ask(self, *words: object) -> str:
        self.tell(*words)
        return self.answer()

    def interrupt(self) -> None:
        """Ctrl-C: a signal to the whole group of processes."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End it in order, so that no server is left, however the test ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def user_process() -> Iterator[Callable[[], UserProcess]]:
    """Starts processes that use embedded servers; they end with the test."""
    started: list[UserProcess] = []

    def start() -> UserProcess:
        started.append(UserProcess())
        return started[-1]

    yield start
    for process in started:
        process.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for an embedded server of the test's own."""
    return tmp_path / "postgres"


@pytest.fixture
def started_at() -> Callable[[str], object]:
    """When the server at a URL started: equal answers mean the same server."""

    def ask(url: str) -> object:
        with psycopg.connect(url) as connection:
            return connection.execute("SELECT pg_postmaster_start_time()").fetchone()

    return ask


@pytest.fixture
def postmaster(folder: Path) -> Callable[[], int | None]:
    """The process of the server, as PostgreSQL's own file tells; None after a clean stop."""

    def ask() -> int | None:
        try:
            return int((folder / "data" / "postmaster.pid").read_text().split("\n")[0])
        except FileNotFoundError:
            return None

    return ask
