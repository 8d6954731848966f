"""Writing acks together (QUEUES 3.7): accepted ones wait here until the next take writes them
with its claim, else until a thread does, within 50 ms; a stop and a close write them at once.

    take       Writer.collect -> the claim's own statement -> Acks.were_written, or put_back
    thread     Writer.flush   -> statements/settle.sql     -> the same

The thread looks twice within 50 ms while acks come, and sleeps while none do: a consumer in
full run wakes it rarely and never waits for it.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final
from uuid import UUID

import psycopg

from graphden.errors import RunError
from graphden.run import Context, Resources
from graphden_postgres.claims import Accepted, Claims, claims
from graphden_postgres.connections import Connections, connections
from graphden_postgres.handlings import handlings_text
from graphden_postgres.statements import statement

log = logging.getLogger("graphden.postgres")

LOST_SETTLEMENTS: Final = "queue-settlements-lost"
"""The counter of acks that were accepted and found too late when they were written."""

_LOOK_SECONDS: Final = 0.02
_LONGEST_PAUSE: Final = 0.5
_CLOSING_SECONDS: Final = 1.0
"""How long closing tries to write when the database is away: a worker must end in time."""


class _Forks:
    """How many forks lie between this process and the one that imported this: asked for each
    ack, and cheaper than a system call.
    """

    count = 0

    @classmethod
    def forked(cls) -> None:
        cls.count += 1


os.register_at_fork(after_in_child=_Forks.forked)


class Writer:
    """Acks that were accepted and are not written yet, of one App or Graph."""

    def __init__(self, pool: Connections, book: Claims, resources: Resources) -> None:
        self._pool = pool
        self._book = book
        self._resources = resources
        self._lock = threading.Lock()
        self._waiting: list[Accepted] = []
        self._come = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._forks = _Forks.count

    def add(self, ack: Accepted) -> None:
        """Write this ack soon."""
        with self._lock:
            self._leave_parents()
            self._waiting.append(ack)
            if self._come.is_set():
                return
            self._come.set()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="graphden-settle", daemon=True
                )
                self._thread.start()

    def collect(self) -> list[Accepted]:
        """All that wait: the caller writes them, or puts them back."""
        if not self._waiting:
            return []
        with self._lock:
            self._leave_parents()
            collected, self._waiting = self._waiting, []
            return collected

    def put_back(self, acks: Sequence[Accepted]) -> None:
        """Writing them got no answer: whether it was done is found out when it is repeated."""
        for ack in acks:
            ack.repeated = True
        with self._lock:
            self._waiting[:0] = acks

    def were_written(self, acks: Sequence[Accepted], lost: Collection[UUID] | None) -> None:
        """Acks were written; those of messages in `lost` changed nothing."""
        if lost:
            try:
                lost = set(lost) - self._written_before(acks, lost)
            except RunError:  # the database has gone away again
                self.put_back(acks)
                return
        self._book.written(acks, lost or ())
        if lost:
            self._resources.count(LOST_SETTLEMENTS, len(lost))
            log.warning(
                "%d handled messages will be handled again: their claims were over "
                "when their settlements were written (%s …)",
                len(lost),
                next(iter(lost)),
            )

    def flush(self) -> None:
        """Write what waits. Raises psycopg.Error or RunError, and keeps it waiting then."""
        acks = self.collect()
        if not acks:
            return
        try:
            rows = self._pool.rows(statement("settle"), settled_values(acks))
        except BaseException:
            self.put_back(acks)
            raise
        self.were_written(acks, rows[0][0])

    def close(self) -> None:
        """Write what waits, if the database can be had soon, and end the thread."""
        ends = time.monotonic() + _CLOSING_SECONDS
        self._closing.set()
        self._come.set()
        if self._thread is not None and self._forks == _Forks.count:
            self._thread.join(_CLOSING_SECONDS)
        while self._waiting:
            with suppress(psycopg.Error, RunError):
                self.flush()
                return
            if time.monotonic() >= ends:
                log.warning(
                    "%d handled messages will be handled again: the database is away",
                    len(self._waiting),
                )
                return
            time.sleep(_LOOK_SECONDS)

    def _run(self) -> None:
        pause = _LOOK_SECONDS
        seen: Accepted | None = None
        while not self._closing.is_set():
            self._come.wait()
            self._closing.wait(pause)
            oldest = self._rest_if_idle()
            if oldest is not None and (oldest is seen or oldest.repeated):
                try:
                    self.flush()
                except (psycopg.Error, RunError):
                    pause = min(2 * pause, _LONGEST_PAUSE)
                    continue
            pause = _LOOK_SECONDS
            seen = oldest

    def _rest_if_idle(self) -> Accepted | None:
        """The ack that waits longest; when there is none, the thread sleeps until one comes."""
        with self._lock:
            if self._waiting:
                return self._waiting[0]
            if not self._closing.is_set():
                self._come.clear()
            return None

    def _written_before(self, acks: Sequence[Accepted], lost: Collection[UUID]) -> set[UUID]:
        """Those that an earlier try, whose answer was cut off, did write."""
        found = set()
        for ack in acks:
            if ack.repeated and ack.id in lost:
                values = {"id": ack.id, "token": ack.lease.token}
                if self._pool.ask("read_settlement", values):
                    found.add(ack.id)
        return found

    def _leave_parents(self) -> None:
        """After a fork: the parent writes its own acks, and its thread is not here."""
        if self._forks != _Forks.count:
            self._forks = _Forks.count
            self._waiting = []
            self._come = threading.Event()
            self._thread = None


def settled_values(acks: Sequence[Accepted]) -> dict[str, object]:
    """The parameters by which a statement writes acks: message ids, each one's token, and what
    is recorded of their handlings.
    """
    return {
        "settled_ids": uuid_array([ack.id for ack in acks]),
        "settled_tokens": uuid_array([ack.lease.token for ack in acks]),
        "handlings": handlings_text([ack.handling for ack in acks]),
    }


def uuid_array(uuids: Sequence[UUID]) -> str:
    """As an array literal: the driver would take longer to write a list of them."""
    return f"{{{','.join([uuid.hex for uuid in uuids])}}}"


def writer(context: Context) -> Writer:
    """The writer of this run's App or Graph."""
    resources = context.resources

    def make() -> Writer:
        return Writer(connections(context), claims(context), resources)

    found = resources.get("graphden_postgres.writer", make)
    if not isinstance(found, Writer):
        raise TypeError(found)
    return found
