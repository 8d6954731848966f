"""Taking: settle what was handled and claim what is there, or wait for it, up to a limit.

A take claims; when nothing is ready it marks itself idle, so that publishers notify, and claims
once more before it waits. It wakes by a notification, at the next moment the server named (a
due message, a claim that runs out), at a stop, or at its limit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid4

import psycopg

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden.run import Context, Waiter
from graphden_contract import BATCH, VISIBILITY_MS, WAIT_MS, Held, claimed_message, queue_name
from graphden_postgres.activity import Activity, activity
from graphden_postgres.claims import Claims, claims
from graphden_postgres.connections import Connections, Lane, Row, connections
from graphden_postgres.failures import explained, is_unavailable
from graphden_postgres.handlings import Record, consumer, record_of, with_execution
from graphden_postgres.listening import listener
from graphden_postgres.settling import bury_unreadable
from graphden_postgres.statements import claim_statement, statement
from graphden_postgres.writing import Writer, settled_values, uuid_array, writer

_LOOK_SECONDS: Final = 0.1
"""A busy consumer looks this often for messages that became due and claims that ran out."""
_SWEEP_SECONDS: Final = 60.0
_SECOND_LOOK_SECONDS: Final = 0.25
"""After a wake-up that brought nothing: who was faster holds a claim that was not yet seen."""
_SHORTEST_WAIT: Final = 0.005
_OUTAGE_PAUSE: Final = 0.1
_ANSWER_LOST: Final = (psycopg.OperationalError, psycopg.errors.UniqueViolation)
"""After these a claim may have been made under its token: by this try, or by the one before."""

Message = dict[Keyword, object]


def take(
    queue: object,
    batch: object,
    visibility_ms: object,
    wait_ms: object,
    *,
    record: object,
    context: Context,
) -> list[Message]:
    """Claim up to `batch` messages of `queue`, or one lapsed message alone.

    Waits up to `wait_ms` for work, and for a database that is away; `[]` when none came or a
    stop was asked for. Raises RunError `invalid-argument`, `queue-unavailable` (at the end of
    the wait) or `queue-not-migrated`.
    """
    work = _Take(
        context=context,
        queue=queue_name(queue),
        batch=BATCH.read("batch", batch),
        claim_ms=VISIBILITY_MS.read("visibility-ms", visibility_ms),
        ends=time.monotonic() + WAIT_MS.read("wait-ms", wait_ms) / 1000,
        record=record_of(record),
    )
    while claimed := work.claimed():
        if messages := work.messages(claimed):
            return messages
    return []


class _Rounds:
    """When each queue was last looked through, for all takes of an App or Graph."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looked: dict[str, float] = {}
        self._swept = time.monotonic()

    def is_look_due(self, queue: str) -> bool:
        with self._lock:
            return time.monotonic() - self._looked.get(queue, 0.0) >= _LOOK_SECONDS

    def looked(self, queue: str) -> None:
        with self._lock:
            self._looked[queue] = time.monotonic()

    def is_sweep_due(self) -> bool:
        """True once per period, for one caller."""
        with self._lock:
            due = time.monotonic() - self._swept >= _SWEEP_SECONDS
            if due:
                self._swept = time.monotonic()
            return due


@dataclass(slots=True)
class _Take:
    """One take. `ends` is the monotonic time its wait is over."""

    context: Context
    queue: str
    batch: int
    claim_ms: float
    ends: float
    record: Record
    token: UUID = field(default_factory=uuid4)
    pool: Connections = field(init=False)
    book: Claims = field(init=False)
    writer: Writer = field(init=False)
    activity: Activity = field(init=False)
    rounds: _Rounds = field(init=False)
    next_look: float = field(init=False, default=0.0)
    """Seconds, when last asked, until something becomes due or runs out."""

    def __post_init__(self) -> None:
        self.pool = connections(self.context)
        self.book = claims(self.context)
        self.writer = writer(self.context)
        self.activity = activity(self.context)
        found = self.context.resources.get("graphden_postgres.rounds", _Rounds)
        if not isinstance(found, _Rounds):
            raise TypeError(found)
        self.rounds = found

    def messages(self, claimed: Sequence[Row]) -> list[Message]:
        """The messages for a handler; one that nobody can read is dead, and harms no other."""
        messages = []
        for row in claimed:
            try:
                message = claimed_message(self.queue, self.token, self.claim_ms, row)
                messages.append(with_execution(message, self.record))
            except RunError as problem:
                held = Held(row[0], self.token, self.claim_ms)
                bury_unreadable(held, problem, self.context)
        return messages

    def claimed(self) -> Sequence[Row]:
        """The rows of a claim; the wait goes on through outages of the database."""
        while True:
            try:
                return self._found_or_waited()
            except (psycopg.Error, RunError) as error:
                failure = explained(error) if isinstance(error, psycopg.Error) else error
                if not is_unavailable(failure) or time.monotonic() >= self.ends:
                    raise failure from failure.__cause__
            self.context.wait(min(_OUTAGE_PAUSE, max(0.0, self.ends - time.monotonic())))
            if self.context.stop_requested:
                return []

    def _found_or_waited(self) -> Sequence[Row]:
        if self.context.stop_requested:
            self.writer.flush()
            return []
        if self.rounds.is_sweep_due():
            self.pool.rows(statement("sweep"), {})
        found = self._claim_once(busy=True)
        if found or time.monotonic() >= self.ends:
            return found
        with self.context.waiter() as waiter:
            return self._wait(waiter)

    def _wait(self, waiter: Waiter) -> Sequence[Row]:
        with self.pool.use() as connection:
            wait_ms = 1000 * max(0.0, self.ends - time.monotonic())
            values = {"token": self.token, "queue": self.queue, "wait_ms": wait_ms}
            rows = connection.execute(statement("mark_idle"), values).fetchall()
        with listener(self.context).subscribed(rows[0][0], waiter):
            may_have_missed = True
            while True:
                found = self._claim_once(busy=False)
                remaining = self.ends - time.monotonic()
                if found or remaining <= 0:
                    return found
                pause = min(remaining, self.next_look)
                second_look = may_have_missed and pause > _SECOND_LOOK_SECONDS
                if second_look:
                    pause = _SECOND_LOOK_SECONDS
                woken = waiter.wait(max(pause, _SHORTEST_WAIT))
                may_have_missed = woken or not second_look
                if self.context.stop_requested:
                    return []

    def _claim_once(self, *, busy: bool) -> Sequence[Row]:
        """What can be claimed now: ready messages, else a lapsed one, else those now due.

        A busy consumer, whose claims come back full, looks for the latter first from time to
        time.
        """
        looks_first = busy and self.rounds.is_look_due(self.queue)
        if looks_first and (lapsed := self._look()[1]):
            return lapsed
        found = self._settle_and_claim()
        if found or looks_first:
            return found
        promoted, lapsed = self._look()
        if lapsed or not promoted:
            return lapsed
        return self._settle_and_claim()

    def _look(self) -> tuple[int, Sequence[Row]]:
        """Make due messages ready and claim a lapsed one: how many were due, and that one."""
        rows = self.pool.rows(statement("promote"), {"queue": self.queue})
        promoted, any_lapsed, next_ms = rows[0]
        self.rounds.looked(self.queue)
        self.activity.note()
        self.next_look = float("inf") if next_ms is None else next_ms / 1000
        if not any_lapsed:
            return promoted, []
        lapsed = self._claim_lapsed()
        if not lapsed:
            self.next_look = min(self.next_look, _LOOK_SECONDS)
        return promoted, lapsed

    def _settle_and_claim(self) -> Sequence[Row]:
        """Write the acks that wait and claim ready messages, in one statement."""
        acks = self.writer.collect()
        values = self._values() | settled_values(acks)
        values["finished"] = uuid_array(self.book.take_finished())
        asked_at = time.monotonic()
        try:
            rows = self.pool.rows(claim_statement(self.batch), values)
        except _ANSWER_LOST:
            self.writer.put_back(acks)
            return self._read_back(asked_at)
        except BaseException:
            self.writer.put_back(acks)
            raise
        if rows[0][0] is None:
            self.writer.were_written(acks, rows[0][-1])
            return []
        self.writer.were_written(acks, rows[0][-1])
        return self._took(rows, asked_at)

    def _claim_lapsed(self) -> Sequence[Row]:
        asked_at = time.monotonic()
        try:
            values = self._values() | {"record_died": self.record is not Record.NONE}
            rows = self.pool.rows(statement("claim_lapsed"), values)
        except _ANSWER_LOST:
            return self._read_back(asked_at)
        return self._took(rows, asked_at)

    def _read_back(self, asked_at: float) -> Sequence[Row]:
        """What this claim, or one before under the same token, got though its answer was cut
        off: taken as it is, rather than burning its attempts.
        """
        rows = self.pool.rows(statement("read_claim"), {"token": self.token})
        return self._took(rows, asked_at)

    def _took(self, rows: Sequence[Row], asked_at: float) -> Sequence[Row]:
        if time.monotonic() - asked_at >= self.claim_ms / 1000:
            return []  # this process stood still for so long that the others have them
        if rows:
            self.activity.took(self.queue, len(rows))
            ids = [row[0] for row in rows]
            self.book.took(self.token, ids, asked_at, self.claim_ms, self.record)
            self.pool.reserve(Lane.RENEW)
        return rows

    def _values(self) -> dict[str, object]:
        return {
            "queue": self.queue,
            "token": self.token,
            "visibility_ms": self.claim_ms,
            "consumer": consumer(),
        }
