"""Running something while signals are attended to.

The work runs in a thread of its own and the main thread waits, so that a signal is noticed at
once even when a row is inside a call that does not return for long.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TypeAlias, TypeVar

from graphden.errors import RunError

T = TypeVar("T")

Reaction = Callable[[signal.Signals], None]
_News: TypeAlias = "SimpleQueue[signal.Signals | None]"

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE_S = 1.0
"""After the last reaction the work has so long to end; then it is left behind."""


def attended(work: Callable[[], T], reactions: Sequence[Reaction]) -> T:
    """What `work` returns or raises. The n-th SIGINT or SIGTERM calls the n-th reaction.

    Raises RunError `cancelled` when the work goes on for long after the last reaction, or at a
    signal after it. The work's thread is left behind then; the process is expected to end.
    """
    news: _News = SimpleQueue()
    outcome: list[T] = []
    failure: list[BaseException] = []

    def do_it() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            failure.append(error)
        finally:
            news.put(None)

    with _signals_to(news):
        thread = threading.Thread(target=do_it, name="graphden-run", daemon=True)
        thread.start()
        _attend(news, reactions)
        thread.join()
    if failure:
        raise failure[0]
    return outcome[0]


def _attend(news: _News, reactions: Sequence[Reaction]) -> None:
    """Return when the work has ended."""
    remaining = list(reactions)
    while True:
        try:
            number = news.get(timeout=None if remaining else _GRACE_S)
        except Empty:
            raise _left_behind() from None
        if number is None:
            return
        if not remaining:
            raise _left_behind()
        remaining.pop(0)(number)


def _left_behind() -> RunError:
    return RunError("cancelled", "the run was cancelled and left behind in a call that goes on")


@contextmanager
def _signals_to(news: _News) -> Iterator[None]:
    """While inside, signals become news. `SimpleQueue.put` may be interrupted by itself."""

    def tell(number: int, _frame: FrameType | None) -> None:
        news.put(signal.Signals(number))

    before = {number: signal.signal(number, tell) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
