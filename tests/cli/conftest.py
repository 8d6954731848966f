"""The command line under test: called in this process, or as a process of its own.

`run` calls `main` here, in a folder of the test's own, and gives code, output and errors.
`Process` is a real `graphden` process whose lines are waited for. `tools` brings base functions
that only tests need, as an installed foreign package would.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

import pytest

from graphden.cli import main

PATIENCE = 20.0
"""Seconds until what a test waits for counts as never happening."""

TOOLS_ROWS = """
{:namespace :test.tools}
{:name :pass-gate
 :description "Opens a pipe for reading: blocks, in plain Python, until a test opens it too."
 :args {:path :text} :return-type :null :effects #{:io}}
{:name :kill-worker :args {} :return-type :null :effects #{:process}}
{:name :spin-until
 :description "Computes, without ever waiting, until the file is there."
 :args {:path :text} :return-type :null :effects #{:io}}
"""

TOOLS_PYTHON = """
import os, signal
from pathlib import Path
from graphden.run import Functions, Package

functions = Functions()

@functions.add("pass-gate")
def pass_gate(path):
    with open(path) as gate:
        gate.read()

@functions.add("kill-worker")
def kill_worker():
    os.kill(os.getpid(), signal.SIGKILL)

@functions.add("spin-until")
def spin_until(path):
    while not Path(path).exists():
        sum(range(1_000))

package = Package("graphden_test_tools", Path(__file__).parent / "tool_rows", functions)
"""


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty, without settings from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHDEN_DATABASE_URL", raising=False)
    return tmp_path


@pytest.fixture
def rows(folder: Path) -> Callable[..., Path]:
    """Write rows into a file of the current folder."""

    def write(text: str, name: str = "rows.edn") -> Path:
        path = folder / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Call the command line in this process."""

    def call(*words: str) -> Result:
        code = main(words)
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return call


class Process:
    """A `graphden` process. Its lines are waited for, never guessed."""

    def __init__(self, words: tuple[str, ...], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "graphden", *words],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.out: SimpleQueue[str | None] = SimpleQueue()
        self.err: SimpleQueue[str | None] = SimpleQueue()
        self.threads = [
            threading.Thread(target=forward, args=(self.process.stdout, self.out)),
            threading.Thread(target=forward, args=(self.process.stderr, self.err)),
        ]
        for thread in self.threads:
            thread.start()

    def event(self, name: str) -> dict[str, Any]:
        """The JSON line of that event, waited for."""
        while True:
            line = next_line(self.out)
            assert line is not None, f"ended before {name}: {self.rest(self.err)}"
            said = json.loads(line)
            if said.get("event") == name:
                return said

    def said(self) -> str:
        """The next line of its output, waited for."""
        line = next_line(self.out)
        assert line is not None, f"ended: {self.rest(self.err)}"
        return line

    def logged(self, text: str) -> str:
        """The logged line that holds `text`, waited for."""
        while True:
            line = next_line(self.err)
            assert line is not None, f"ended before it logged {text}"
            if text in line:
                return line

    def rest(self, lines: SimpleQueue[str | None]) -> list[str]:
        """The lines that are left, until the process has closed them."""
        found = []
        while (line := next_line(lines)) is not None:
            found.append(line)
        return found

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def ended(self) -> int:
        """The exit code, waited for."""
        return self.process.wait(timeout=PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self.threads:
            thread.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


def forward(stream: IO[str], lines: SimpleQueue[str | None]) -> None:
    for line in stream:
        lines.put(line.rstrip("\n"))
    lines.put(None)


def next_line(lines: SimpleQueue[str | None]) -> str | None:
    try:
        return lines.get(timeout=PATIENCE)
    except Empty:
        pytest.fail("no line came")


@pytest.fixture
def start(tools: dict[str, str]) -> Iterator[Callable[..., Process]]:
    """Start `graphden` processes; they end with the test."""
    started: list[Process] = []

    def begin(*words: str, **environment: str) -> Process:
        started.append(Process(words, {**tools, **environment}))
        return started[-1]

    yield begin
    for process in started:
        process.close()


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which a package with the tools of tests is installed."""
    place = tmp_path_factory.mktemp("tools")
    (place / "tool_rows").mkdir()
    (place / "tool_rows" / "tools.edn").write_text(TOOLS_ROWS)
    (place / "graphden_test_tools.py").write_text(TOOLS_PYTHON)
    about = place / "graphden_test_tools-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: graphden-test-tools\nVersion: 1"
    )
    (about / "entry_points.txt").write_text(
        "[graphden.backends]\ngraphden_test_tools = graphden_test_tools:package\n"
    )
    path = os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path}


@pytest.fixture
def gate(folder: Path) -> Callable[[], None]:
    """A pipe `gate` that `pass-gate` waits at; call it to let one through."""
    path = folder / "gate"
    os.mkfifo(path)

    def open_it() -> None:
        path.write_text("go")

    return open_it


def until(happened: Callable[[], object]) -> None:
    """Wait for an event that can only be asked for."""
    ends = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.005)


@pytest.fixture(name="until")
def until_fixture() -> Callable[[Callable[[], object]], None]:
    return until
