"""The processes of `graphden serve`: started, watched, replaced when they die."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from graphden.errors import UsageError
from graphden.services.reconcile import pause_s
from graphden.store import Session

log = logging.getLogger("graphden.services")

STEADY_S = 60.0
"""A process that lived so long is replaced at once."""

MARGIN_S = 2.0
"""How long after the grace a process that still lives is killed."""


@dataclass(slots=True)
class _Place:
    """One of the processes, and when the next one may begin in its place."""

    process: subprocess.Popen[bytes] | None = None
    id: UUID = field(default_factory=uuid4)
    began: float = 0.0
    due: float = 0.0
    deaths: int = 0


class Executor:
    """Keeps `count` processes of `command`, each of which is told its id as the last argument.

    The URL of the database travels in their environment, where other users cannot read it.
    """

    def __init__(self, command: Sequence[str], url: str, *, count: int, grace_s: float) -> None:
        self._command = list(command)
        self._url = url
        self._grace_s = grace_s
        self._places = [_Place() for _ in range(count)]
        self._session = Session(url)
        self._wake = threading.Event()
        self._stopping = False

    def run(self) -> None:
        """Return when stopped, and every process has ended."""
        try:
            while not self._stopping:
                self._wake.clear()
                pause = min(map(self._tend, self._places))
                self._wake.wait(pause)
            self._end()
        finally:
            self._session.close()

    def stop(self) -> None:
        """Let the processes drain, and end; from any thread."""
        self._stopping = True
        self._wake.set()

    def cancel(self) -> None:
        """End the processes now; from any thread."""
        self._stopping = True
        for place in self._places:
            if place.process is not None and place.process.poll() is None:
                place.process.kill()
        self._wake.set()

    def _tend(self, place: _Place) -> float:
        """Replace a process that has died, when it is time; the seconds until it is."""
        now = time.monotonic()
        if place.process is not None:
            if place.process.poll() is None:
                return 3600.0
            self._bury(place, now)
        if now < place.due:
            return place.due - now
        place.id, place.began = uuid4(), now
        place.process = subprocess.Popen(
            [*self._command, str(place.id)],
            env={**os.environ, "GRAPHDEN_DATABASE_URL": self._url},
            stdin=subprocess.PIPE,  # it ends when this process does
            start_new_session=True,  # Ctrl-C comes here, and is passed on
        )
        threading.Thread(target=self._await, args=(place.process,), daemon=True).start()
        return 3600.0

    def _await(self, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        self._wake.set()

    def _bury(self, place: _Place, now: float) -> None:
        assert place.process is not None
        code = place.process.returncode
        steady = now - place.began >= STEADY_S
        place.deaths = 0 if steady else place.deaths + 1
        place.due = now if place.deaths <= 1 else now + pause_s(place.deaths - 2)
        if place.process.stdin is not None:
            place.process.stdin.close()
        place.process = None
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
        log.warning("a process %s, and is replaced", how)
        try:
            self._session.rows("leave_service_process", {"id": place.id})
            self._session.rows("fail_lost_instances", {})
            self._session.rows("tell_service_changed", {})
        except UsageError as error:  # other processes see it by its beats
            log.warning("%s", error.message)

    def _end(self) -> None:
        """Ask every process to drain; kill those that have not ended in time."""
        living = [place.process for place in self._places if place.process is not None]
        for process in living:
            if process.poll() is None:
                process.terminate()
        ends = time.monotonic() + self._grace_s + MARGIN_S
        for process in living:
            try:
                process.wait(max(0.0, ends - time.monotonic()))
            except subprocess.TimeoutExpired:
                log.warning("a process did not end in time, and is killed")
                process.kill()
                process.wait()
