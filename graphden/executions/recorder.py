"""Writing runs down: that they began, and how they ended, whatever the network does meanwhile.

A process proves that it lives by an advisory lock which its session holds; the runs of one that
has lost it are taken for dead by whoever looks next. Each process asks now and then whether one
of its runs is to be cancelled, over the same session, and so notices that it broke.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from graphden.errors import RunError, UsageError
from graphden.executions.model import Status
from graphden.run import actor
from graphden.store import Session

_LOOK_SECONDS: Final = 0.5
"""How long a wish to cancel may wait until it is seen."""
_PATIENCE_SECONDS: Final = 2.0
"""So long a run that has ended waits until its end is written; then it is written later."""
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5

Cancel = Callable[[str], None]
"""Cancels a run, for somebody who is named."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is known of a run before it runs. `arguments` is EDN text."""

    id: UUID
    entry: str
    digest: str
    arguments: str
    cut: tuple[str, ...]
    hidden: bool
    trace_id: UUID
    parent_id: UUID | None
    rerun_of: UUID | None


@dataclass(frozen=True, slots=True)
class End:
    """How a run ended: `result` is EDN text, `error` and `trace` JSON text."""

    id: UUID
    status: Status
    result: str | None = None
    error: str | None = None
    trace: str | None = None
    cut: tuple[str, ...] = ()
    at: float = field(default_factory=time.monotonic)


class Recorder:
    """Records the runs of one App. Safe to use from several threads; `close` it."""

    def __init__(self, url: str) -> None:
        self._owner = random.SystemRandom().getrandbits(62)
        self._session = Session(url, self._owner)
        self._changed = threading.Condition()
        self._running: dict[UUID, Cancel] = {}
        self._unwritten: list[End] = []
        self._closed = False
        self._thread: threading.Thread | None = None

    def begin(self, run: Beginning, cancel: Cancel) -> None:
        """Write that a run begins; `cancel` is called when somebody wants it cancelled.

        Raises UsageError `database-unreachable`, and RunError `duplicate-execution` for an id
        that was used before: then the run must not begin.
        """
        values = {
            "id": run.id,
            "entry": run.entry,
            "digest": run.digest,
            "arguments": run.arguments,
            "cut": list(run.cut) or None,
            "hidden": run.hidden,
            "actor": actor(),
            "trace_id": run.trace_id,
            "parent_id": run.parent_id,
            "rerun_of": run.rerun_of,
            "owner": self._owner,
        }
        with self._changed:
            if run.id in self._running:
                raise _duplicate(run.id)
        if not self._session.rows("begin_execution", values):
            # Either it is somebody else's, or our own statement was done and its answer lost.
            found = self._session.rows("find_execution_owner", {"id": run.id})
            if not found or found[0][0] != self._owner:
                raise _duplicate(run.id)
        with self._changed:
            self._running[run.id] = cancel
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(
                    target=self._look, name="graphden-executions", daemon=True
                )
                self._thread.start()

    def end(self, end: End) -> None:
        """Write how a run ended. Never raises: what cannot be written now is written as soon as
        the database is back, while this App is open.
        """
        with self._changed:
            self._running.pop(end.id, None)
        patient_until = time.monotonic() + _PATIENCE_SECONDS
        pause = _FIRST_PAUSE
        while not self._write(end):
            if time.monotonic() + pause > patient_until or self._closed:
                with self._changed:
                    self._unwritten.append(end)
                _warn("the end of execution %s cannot be written yet", end.id)
                return
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        if self._closed:
            self._session.close()

    def close(self) -> None:
        """Write what is still unwritten, if the database is there, and leave it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
        self._write_unwritten()
        for end in self._unwritten:
            _warn("the end of execution %s is lost: the database is away", end.id)
        self._session.close()

    def _write(self, end: End) -> bool:
        values = {
            "id": end.id,
            "owner": self._owner,
            "status": end.status.value,
            "result": end.result,
            "error": end.error,
            "trace": end.trace,
            "cut": list(end.cut),
            "ended_ms": 1000 * (time.monotonic() - end.at),
        }
        try:
            self._session.rows("end_execution", values)
        except UsageError:
            return False
        return True

    def _write_unwritten(self) -> None:
        with self._changed:
            waiting = list(self._unwritten)
        for end in waiting:
            if not self._write(end):
                return
            with self._changed:
                self._unwritten.remove(end)

    def _look(self) -> None:
        """Every half second, while runs last: is one to be cancelled? Are ends unwritten?"""
        while True:
            with self._changed:
                self._changed.wait(_LOOK_SECONDS)
                if self._closed:
                    return
                running = dict(self._running)
            self._write_unwritten()
            if running:
                self._look_after(running)

    def _look_after(self, running: Mapping[UUID, Cancel]) -> None:
        try:
            values = {"ids": list(running), "owner": self._owner}
            wanted = self._session.rows("look_after_runs", values)
        except UsageError:
            return  # looked for again in half a second
        for execution, wanted_by in wanted:
            running[execution](wanted_by)


def _duplicate(id: UUID) -> RunError:
    return RunError(
        "duplicate-execution",
        f"there is an execution {id} already",
        hint="Choose a new id for each run, such as uuid.uuid4().",
    )


def _warn(message: str, id: UUID) -> None:
    import logging

    logging.getLogger("graphden.executions").warning(message, id)
