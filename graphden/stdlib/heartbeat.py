"""What keeps claims alive: working through items while a helper beats for those not done.

Turns    the items of one `with-heartbeat`: which one runs, which are gone: given up, or given
         back at a stop. Written by the thread that works and by its helper, under one lock.
Helper   the thread that beats for one Turns; begun when the first beat is due or a stop is
         requested, joined when the work ends. At a stop it gives back what waits, at once,
         while a body still runs.
Alarm    one thread for all of an App or Graph, which begins helpers when their time comes. So
         work that ends within its first interval, as most does, starts no thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphden.errors import Cancelled
from graphden.run.context import Context, Scope

_logger = logging.getLogger("graphden")
_ALARM = "core.heartbeat-alarm"
_REPORT_EVERY_S = 60.0
_REPORTED_CHARACTERS = 500


class Turns:
    """Items in the order they are worked through."""

    def __init__(self, items: Sequence[object]) -> None:
        self.items = items
        self._lock = threading.Lock()
        self._next = 0
        self._scope: Scope | None = None
        self._gone: set[int] = set()
        self.lost_some = False
        """Whether any item was given up."""

    @property
    def first(self) -> int:
        """The first item that may still have something to do."""
        return max(self._next - 1, 0)

    def begin(self, position: int, scope: Scope) -> bool:
        """Say that this item's body runs in `scope` from now on; False when it is gone."""
        with self._lock:
            self._next = position + 1
            self._scope = None if position in self._gone else scope
            return self._scope is not None

    def end(self) -> None:
        """Say that the running item's body has ended."""
        with self._lock:
            self._scope = None

    def to_do(self, position: int) -> bool:
        """Whether the item waits, or its body runs and was not told to end."""
        with self._lock:
            if position in self._gone:
                return False
            return position >= self._next or (
                position == self._next - 1 and self._scope is not None
            )

    def give_up(self, position: int) -> None:
        """Let a waiting item never begin, and tell a running one to end."""
        with self._lock:
            if position == self._next - 1 and self._scope is not None:
                self._scope.cancel(message="the item was given up: its beat answered false")
            self._gone.add(position)
            self.lost_some = True

    def take_back(self) -> int | None:
        """The first item that waits, which from now on never begins; None when none does."""
        with self._lock:
            waiting = range(self._next, len(self.items))
            first = next((each for each in waiting if each not in self._gone), None)
            if first is not None:
                self._gone.add(first)
            return first


@dataclass(frozen=True, slots=True)
class Does:
    """What is done with the items: `body` once each, `beat` meanwhile, and `release`, if it is
    given, with those that wait when the run is asked to stop.
    """

    body: Callable[[object], object]
    beat: Callable[[object], object]
    release: Callable[[object], object] | None


class Helper:
    """Beats for what a Turns still has to do, every `interval` seconds, until ended."""

    def __init__(self, turns: Turns, does: Does, interval: float, context: Context) -> None:
        self.due = time.monotonic() + interval
        self.thread: threading.Thread | None = None
        self._turns = turns
        self._does = does
        self._interval = interval
        self._context = context
        self._alarm = _alarm(context)
        self._over = False
        self._news = threading.Event()

    def start(self) -> None:
        """Begin to beat, now."""
        self.thread = threading.Thread(target=self._run, name="graphden-heartbeat", daemon=True)
        self.thread.start()

    def hurry(self) -> None:
        """Look now whether the run should end."""
        self._news.set()
        self._alarm.begin(self)

    def look(self, position: int) -> None:
        """Beat for an item that is about to begin when it may well be lost: another one was
        given up, and the helper's round may not have come to this one; or its beat is overdue,
        since the process stood still.
        """
        overdue = time.monotonic() > self.due + self._interval
        if (overdue or self._turns.lost_some) and self._turns.to_do(position):
            self._beat_for(position)

    def release_waiting(self) -> None:
        """Give back what waits: the run was asked to stop."""
        if self._does.release is None:
            return
        while (position := self._turns.take_back()) is not None:
            self._guarded(self._does.release, position)

    def end(self) -> None:
        """Begin no other beat, and wait for the one that is being given."""
        self._over = True
        self._news.set()
        if self.thread is not None:
            self.thread.join()

    def _run(self) -> None:
        try:
            while True:
                self._news.wait(min(threading.TIMEOUT_MAX, max(0.0, self._remaining())))
                self._news.clear()
                if self._over:
                    return
                if self._context.stop_requested:
                    self.release_waiting()
                if self._remaining() <= 0:
                    self._round()
                    # A round that took longer than the interval is followed by the next.
                    self.due = max(self.due + self._interval, time.monotonic())
        except Cancelled:
            return  # the whole run ends; the thread that works learns it by itself

    def _remaining(self) -> float:
        return self.due - time.monotonic()

    def _round(self) -> None:
        items = self._turns.items
        for position in range(self._turns.first, len(items)):
            if self._over:
                return
            if self._turns.to_do(position):
                self._beat_for(position)

    def _beat_for(self, position: int) -> None:
        if self._guarded(self._does.beat, position) is False:
            self._turns.give_up(position)

    def _guarded(self, act: Callable[[object], object], position: int) -> object:
        try:
            return act(self._turns.items[position])
        except Cancelled:
            raise
        except BaseException as error:  # noqa: BLE001 - a row may raise anything at all
            self._alarm.report(error)
            return None


class Alarm:
    """Begins helpers at their first beat. A resource: closed with its App or Graph."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._expected: set[Helper] = set()
        self._wakes_at = float("inf")
        self._thread: threading.Thread | None = None
        self._closed = False
        self._reported_at = float("-inf")

    def expect(self, helper: Helper) -> None:
        """Begin `helper` when it is due, unless it is forgotten before."""
        with self._changed:
            self._expected.add(helper)
            # After a fork the thread exists in the parent only.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="graphden-heartbeat-alarm", daemon=True
                )
                self._thread.start()
            if helper.due < self._wakes_at:
                self._wakes_at = helper.due
                self._changed.notify()

    def begin(self, helper: Helper) -> None:
        """Begin `helper` now, unless it is begun or forgotten."""
        with self._changed:
            if helper in self._expected:
                self._begin(helper, time.monotonic())

    def forget(self, helper: Helper) -> None:
        """Leave `helper` as it is: begun or, from now on, never."""
        with self._changed:
            self._expected.discard(helper)

    def report(self, error: BaseException) -> None:
        """Log that a beat failed, at most once a minute: an outage fails them all."""
        now = time.monotonic()
        with self._changed:
            if now - self._reported_at < _REPORT_EVERY_S:
                return
            self._reported_at = now
        shown = f"{type(error).__name__}: {error}"[:_REPORTED_CHARACTERS]
        _logger.warning("a heartbeat failed and will be tried again: %s", shown)

    def close(self) -> None:
        """End the alarm's thread; helpers that were begun end with their work."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                for helper in [one for one in self._expected if one.due <= now]:
                    self._begin(helper, now)
                # Helpers that are forgotten leave this time standing: waking once for nothing
                # is cheaper than waking this thread for every short piece of work.
                self._wakes_at = min((one.due for one in self._expected), default=float("inf"))
                remaining = self._wakes_at - now
                self._changed.wait(
                    None if remaining > threading.TIMEOUT_MAX else max(0.0, remaining)
                )

    def _begin(self, helper: Helper, now: float) -> None:
        try:
            helper.start()
        except RuntimeError as error:  # the system has no thread to give just now
            helper.due = now + 1.0
            _logger.warning("a heartbeat cannot begin yet: %s", error)
        else:
            self._expected.discard(helper)


def beat_while(items: Sequence[object], does: Does, interval: float, context: Context) -> None:
    """Call the body for each item in order, in this thread; every `interval` seconds, the first
    time after one, the beat is called for each item whose body has not ended.
    """
    turns = Turns(items)
    helper = Helper(turns, does, interval, context)
    alarm = _alarm(context)
    alarm.expect(helper)
    try:
        with context.told(helper.hurry):
            for position, item in enumerate(items):
                if context.stop_requested:
                    helper.release_waiting()
                helper.look(position)
                _work(turns, position, item, does.body, context)
    finally:
        alarm.forget(helper)
        helper.end()


def _alarm(context: Context) -> Alarm:
    alarm = context.resources.get(_ALARM, Alarm)
    if not isinstance(alarm, Alarm):
        raise TypeError(_ALARM)
    return alarm


def _work(
    turns: Turns,
    position: int,
    item: object,
    body: Callable[[object], object],
    context: Context,
) -> None:
    scope: Scope | None = None
    try:
        with context.scope() as scope:
            if turns.begin(position, scope):
                try:
                    body(item)
                finally:
                    turns.end()
    except Cancelled as cancelled:
        if cancelled.scope is not scope:
            raise
