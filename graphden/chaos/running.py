"""A run of chaos: processes that publish and handle, and faults in an order by a seed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graphden.app import App
from graphden.chaos.ledger import EVERYONE, Ledger, read_log, reckon
from graphden.chaos.log import Log
from graphden.chaos.member import CLAIM_MS, QUEUE
from graphden.errors import GraphdenError, RunError
from graphden.store import Scratch

Say = Callable[[str], None]

PATIENCE_S = 120.0
"""How long the queue may take to run empty when the faults are over."""

SHORTEST_S, LONGEST_S = 0.2, 1.5
"""Between two faults."""


class Chaos:
    """Workers, publishers and faults on a scratch database, for a number of seconds."""

    def __init__(
        self,
        database: Scratch,
        folder: Path,
        *,
        seed: int,
        workers: int = 3,
        publishers: int = 2,
        rate: float = 400.0,
        say: Say = lambda _: None,
    ) -> None:
        self._database = database
        self._path = folder / "chaos.log"
        self._log = Log(self._path)
        self._chance = random.Random(seed)
        self._kinds = ["worker"] * workers + ["publisher"] * publishers
        self._rate = rate / max(1, publishers)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._say = say

    def run(self, seconds: float) -> Ledger:
        """Do faults for so long, let the queue run empty, and reckon.

        Raises RunError `chaos-stuck` when it does not run empty.
        """
        with App.open(database_url=self._database.url) as app:
            app.database()
            with self._members():
                ends = time.monotonic() + seconds
                while time.monotonic() < ends:
                    time.sleep(self._chance.uniform(SHORTEST_S, LONGEST_S))
                    self._harm()
                    self._replace_dead()
                self._end_publishers()
                self._run_empty(app)
        self._log.close()
        return reckon(read_log(self._path), claim_s=CLAIM_MS / 1000)

    def _harm(self) -> None:
        faults = [
            self._kill,
            self._kill,
            self._freeze,
            self._ask_to_end,
            self._cut,
            self._read_only,
            self._hold,
        ]
        self._chance.choice(faults)()

    def _kill(self) -> None:
        process = self._any()
        process.kill()
        process.wait()
        self._note("killed", process.pid)

    def _freeze(self) -> None:
        """Longer than a claim lasts."""
        process = self._any("worker")
        began = time.time()
        process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(CLAIM_MS / 1000 * self._chance.uniform(1.1, 1.6))
        finally:
            process.send_signal(signal.SIGCONT)
        self._note("frozen", process.pid, began)

    def _ask_to_end(self) -> None:
        process = self._any()
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            raise RunError(
                "chaos-stuck", f"process {process.pid} did not end within 30 s of SIGTERM"
            ) from None
        self._note("asked to end", process.pid)

    def _cut(self) -> None:
        began = time.time()
        self._database.cut(self._chance.choice([0.3, 1.0]))
        self._note("cut off", EVERYONE, began)

    def _read_only(self) -> None:
        began = time.time()
        self._database.read_only(on=True)
        time.sleep(self._chance.uniform(0.5, 2.0))
        self._database.read_only(on=False)
        self._note("read-only", EVERYONE, began)

    def _hold(self) -> None:
        began = time.time()
        self._database.hold_snapshot()
        time.sleep(self._chance.uniform(0.5, 2.0))
        self._database.let_go()
        self._note("snapshot held", EVERYONE, began)

    def _note(self, what: str, process: int, began: float | None = None) -> None:
        until = time.time()
        self._log.write_fault(what, process, until if began is None else began, until)
        self._say(f"{what}: {'the database' if process == EVERYONE else f'process {process}'}")

    def _any(self, kind: str | None = None) -> subprocess.Popen[bytes]:
        chosen = [
            process
            for process, of in zip(self._processes, self._kinds, strict=True)
            if kind in {None, of}
        ]
        return self._chance.choice(chosen)

    @contextmanager
    def _members(self) -> Iterator[None]:
        self._processes = [self._start(kind) for kind in self._kinds]
        try:
            yield
        finally:
            for process in self._processes:
                process.terminate()
            for process in self._processes:
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                _let_go(process)

    def _start(self, kind: str) -> subprocess.Popen[bytes]:
        seed = str(self._chance.getrandbits(64))
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "graphden.chaos.member",
                kind,
                str(self._path),
                seed,
                str(self._rate),
            ],
            env={**os.environ, "GRAPHDEN_DATABASE_URL": self._database.url},
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def _replace_dead(self, kind: str | None = None) -> None:
        for index, process in enumerate(self._processes):
            if process.poll() is not None and kind in {None, self._kinds[index]}:
                _let_go(process)
                self._processes[index] = self._start(self._kinds[index])

    def _end_publishers(self) -> None:
        for index, kind in enumerate(self._kinds):
            if kind == "publisher":
                self._processes[index].terminate()
                self._processes[index].wait(30)
        self._say("the faults are over; the queue runs empty")

    def _run_empty(self, app: App) -> None:
        ends = time.monotonic() + PATIENCE_S
        while True:
            self._replace_dead("worker")
            try:
                found = [each for each in app.queues.list() if each["queue"] == QUEUE]
            except GraphdenError:  # the connection that was cut last
                continue
            waiting = {state: each[state] for each in found for state in _STATES}
            if not any(waiting.values()):
                return
            if time.monotonic() > ends:
                raise RunError("chaos-stuck", f"the queue did not run empty: {waiting}")
            time.sleep(0.1)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


_STATES = ("pending", "delayed", "claimed", "lapsed", "dead")
