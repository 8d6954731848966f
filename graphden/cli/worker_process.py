"""A `graphden work` process of one's own: started, listened to, stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

from graphden.errors import RunError

PATIENCE = 20.0
"""Seconds until what is waited for counts as failed."""


class WorkerProcess:
    """A worker in the folder of its rows. What it logs comes line by line from `line`."""

    def __init__(self, entry: str, folder: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "graphden", "work", entry, "--json"],
            cwd=folder,
            env={**environment, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._events: SimpleQueue[str | None] = SimpleQueue()
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=_forward, args=each, daemon=True)
            for each in (
                (self._process.stdout, self._events),
                (self._process.stderr, self._lines),
            )
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def wait_for(self, event: str) -> dict[str, Any]:
        """The event of that name, once it comes. Raises RunError `worker-failed` otherwise."""
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                line = self._events.get(timeout=max(0.0, ends - time.monotonic()))
            except Empty:
                raise self._failure(f"did not say {event} within {PATIENCE:g} s") from None
            if line is None:
                raise self._failure(f"ended before it said {event}")
            said: dict[str, Any] = json.loads(line)
            if said.get("event") == event:
                return said
            if "error" in said:
                raise self._failure(f"failed: {said['error']['message']}")

    def line(self, timeout: float) -> str | None:
        """The next line that it logged; None when none comes within `timeout` seconds.

        Raises RunError `worker-failed` when the process has ended.
        """
        try:
            line = self._lines.get(timeout=timeout)
        except Empty:
            return None
        if line is None:
            raise self._failure("ended by itself")
        return line

    def stop(self) -> int:
        """Ask it to stop, as an operator would; its exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=PATIENCE)

    def close(self) -> None:
        """End it, however it is."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _failure(self, what: str) -> RunError:
        return RunError("worker-failed", f"the worker process {self.pid} {what}")


@contextmanager
def worker(entry: str, folder: Path, database_url: str | None) -> Iterator[WorkerProcess]:
    """A worker over the rows in `folder`, ended at the end of the `with`.

    Its database is the one at the URL, which travels in the environment since other users of
    the machine may read command lines, else the one embedded in the folder.
    """
    environment = {k: v for k, v in os.environ.items() if k != "GRAPHDEN_DATABASE_URL"}
    if database_url is not None:
        environment["GRAPHDEN_DATABASE_URL"] = database_url
    process = WorkerProcess(entry, folder, environment)
    try:
        yield process
    finally:
        process.close()


def _forward(stream: IO[str], lines: SimpleQueue[str | None]) -> None:
    for line in stream:
        lines.put(line.rstrip("\n"))
    lines.put(None)
