"""What a run knows beside its arguments: whether it should end, and what it may use.

Two ways of ending differ. A *stop* is polite: loops finish their turn, takes return, handlers
complete (`stop_requested`). A *cancel* is not: the next check raises `Cancelled`, which no row
can catch. A deadline is a cancel that a timer gives.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from graphden.errors import Cancelled, RunError

T = TypeVar("T")

_here = threading.local()


def _scopes() -> list[Scope]:
    """The scopes that the current thread is inside of, outermost first."""
    try:
        found: list[Scope] = _here.scopes
    except AttributeError:
        found = _here.scopes = []
    return found


class Scope:
    """A part of a run that can be cancelled alone; entered by `Context.scope`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.cancelled: tuple[str, str] | None = None

    def cancel(self, code: str = "cancelled", message: str = "the run was cancelled") -> None:
        """Make the next check inside this scope raise `Cancelled`; the first call wins."""
        if self.cancelled is None:
            self.cancelled = (code, message)
            self.context.ending.append(self)
        self.context.wake()


class Ending(list[Scope]):
    """The scopes of a run that were cancelled: none, as a rule.

    Compiled code asks at each callable's entry and loop edge whether there are any, and Python
    answers nothing faster than whether a list is empty.
    """

    def __init__(self, run: Scope) -> None:
        super().__init__()
        self._run = run

    def check(self) -> None:
        """Raise `Cancelled` when the run, or a scope this thread is in, is among them."""
        for scope in (self._run, *_scopes()):
            if scope.cancelled is not None and scope in self:
                raise Cancelled(*scope.cancelled, scope)


class _Inside:
    """The way into a scope and out of it. Each message of a queue takes it, so it is no
    generator.
    """

    __slots__ = ("_scope", "_timeout_ms", "_timer")

    def __init__(self, scope: Scope, timeout_ms: float | None) -> None:
        self._scope = scope
        self._timeout_ms = timeout_ms
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Scope:
        if self._timeout_ms is not None:
            self._timer = self._scope.context.timer(self._scope, self._timeout_ms)
        _scopes().append(self._scope)
        return self._scope

    def __exit__(self, *_: object) -> None:
        scope = self._scope
        _scopes().remove(scope)
        if self._timer is not None:
            self._timer.cancel()
        # A timer that fires just now may leave it behind: then checks look, and find that no
        # thread is inside of it.
        ending = scope.context.ending
        if ending and scope in ending:
            ending.remove(scope)


class Waiter:
    """One wait that ends at its time limit, when woken, or when the run should end."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._event = threading.Event()
        self._woken = False

    def wake(self) -> None:
        """End the wait; safe from any thread, and before the wait began."""
        self._woken = True
        self._event.set()

    def nudge(self) -> None:
        """Make the wait look again whether the run should end."""
        self._event.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds`; True when `wake` was called.

        Returns early when a stop is requested. Raises `Cancelled` when the run is cancelled.
        """
        end = time.monotonic() + seconds
        while True:
            self._event.clear()
            self._context.check()
            remaining = end - time.monotonic()
            if self._woken or remaining <= 0 or self._context.stop_requested:
                woken, self._woken = self._woken, False
                return woken
            self._event.wait(min(remaining, threading.TIMEOUT_MAX))


class Resources:
    """Things that live as long as an App or Graph: pools, connections, in-process state.

    `close` closes them in the reverse order of their making.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._values: dict[str, object] = {}
        self._factories: dict[str, Callable[[], object]] = {}
        self._counts: Counter[str] = Counter()
        self.closed = False

    def provide(self, key: str, factory: Callable[[], object]) -> None:
        """Say how to make `key` when it is first asked for."""
        with self._lock:
            self._factories[key] = factory

    def get(self, key: str, factory: Callable[[], object] | None = None) -> object:
        """The resource `key`, made by its factory at the first call, once for all threads.

        Raises RunError `resource-missing` when nobody has said how to make it.
        """
        if key in (values := self._values):
            with suppress(KeyError):  # it was closed just now
                return values[key]
        with self._lock:
            if key in self._values:
                return self._values[key]
            if self.closed:
                raise RunError("resource-closed", f"{key} was closed with its App")
            make = factory or self._factories.get(key)
            if make is None:
                raise RunError(
                    "resource-missing",
                    f"this run has no {key}",
                    hint="Run it through graphden.App.open(…) or the command line, "
                    "which bring a database.",
                )
            value = self._values[key] = make()
            return value

    def count(self, name: str, by: int = 1) -> None:
        """Count an event that operators may want to know of."""
        with self._lock:
            self._counts[name] += by

    def counts(self) -> Mapping[str, int]:
        """How often each event was counted; one that never happened counts 0."""
        with self._lock:
            return self._counts.copy()

    def close(self) -> None:
        """Close everything that was made and has a `close`, latest first."""
        with self._lock:
            if self.closed:
                return
            self.closed = True
            values = list(self._values.values())
            self._values.clear()
        for value in reversed(values):
            close = getattr(value, "close", None)
            if callable(close):
                close()


@dataclass(eq=False)
class Context:
    """One run's surroundings, handed to base functions that ask for `context`.

    `transaction` is a database connection of the user's own, to whose transaction the messages
    belong that this run publishes. `instance_id` is the instance of a service that the run is.
    """

    resources: Resources = field(default_factory=Resources)
    trace_id: UUID | None = None
    execution_id: UUID | None = None
    instance_id: UUID | None = None
    transaction: object = None
    stop_requested: bool = field(default=False, init=False)
    ending: Ending = field(init=False)
    _root: Scope = field(init=False)
    _listeners: set[Callable[[], None]] = field(default_factory=set, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _timers: list[threading.Timer] = field(default_factory=list, init=False)
    _endings: list[Callable[[], None]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._root = Scope(self)
        self.ending = Ending(self._root)

    def request_stop(self) -> None:
        """Ask politely: loops end after their turn, waits return, nothing is interrupted."""
        self.stop_requested = True
        self.wake()

    def cancel(self, code: str = "cancelled", message: str = "the run was cancelled") -> None:
        """End the run at its next check; safe from any thread."""
        self._root.cancel(code, message)

    def check(self) -> None:
        """Raise `Cancelled` when the run, or the scope this thread is in, was cancelled."""
        if self.ending:
            self.ending.check()

    def scope(self, *, timeout_ms: float | None = None) -> _Inside:
        """A part of the run, in this thread, that can be cancelled alone: `with` gives it.

        With `timeout_ms` a timer cancels it with code `deadline-exceeded`. Who enters a scope
        catches the `Cancelled` whose `.scope` is this one, outside of the `with`.
        """
        return _Inside(Scope(self), timeout_ms)

    def set_deadline(self, timeout_ms: float) -> None:
        """Cancel the whole run with code `deadline-exceeded` after `timeout_ms`."""
        self._timers.append(self.timer(self._root, timeout_ms))

    def at_end(self, act: Callable[[], None]) -> None:
        """Call `act` once when the run that goes on has ended, however it does."""
        with self._lock:
            self._endings.append(act)

    def end(self) -> None:
        """The entry row has given its value or failed: do what was left for then."""
        if not self._endings:
            return
        with self._lock:
            endings, self._endings = self._endings, []
        for act in reversed(endings):
            act()

    def close(self) -> None:
        """Forget the deadline; the run is over. Resources are not closed."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    @contextmanager
    def waiter(self) -> Iterator[Waiter]:
        """A wait that a stop or a cancel ends early, and that others may `wake`."""
        waiter = Waiter(self)
        with self.told(waiter.nudge):
            yield waiter

    def wait(self, seconds: float) -> None:
        """Wait `seconds`; returns early when a stop is requested, raises when cancelled."""
        with self.waiter() as waiter:
            waiter.wait(seconds)

    @contextmanager
    def told(self, tell: Callable[[], None]) -> Iterator[None]:
        """While inside, `tell` is called when a stop is requested or something is cancelled.

        It is called from the thread that asks for it, perhaps several times, and must not wait.
        What was asked for before is for the caller to look at.
        """
        with self._lock:
            self._listeners.add(tell)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.discard(tell)

    def carried(self, work: Callable[[], T]) -> Callable[[], T]:
        """`work` for another thread, inside of the scopes that the current thread is in."""
        scopes = list(_scopes())

        def inside() -> T:
            _here.scopes = list(scopes)
            return work()

        return inside

    def wake(self) -> None:
        """Make every wait of this run look whether it should end."""
        with self._lock:
            for tell in self._listeners:
                tell()

    def timer(self, scope: Scope, timeout_ms: float) -> threading.Timer:
        """A timer that cancels the scope."""
        message = f"the time limit of {timeout_ms:g} ms was reached"
        seconds = min(timeout_ms / 1000, threading.TIMEOUT_MAX)
        timer = threading.Timer(seconds, scope.cancel, args=("deadline-exceeded", message))
        timer.daemon = True
        timer.start()
        return timer
