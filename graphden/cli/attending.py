"""Running something while signals are attended to.

The work runs in a thread of its own and the main thread waits, so that a signal is noticed at
once even when a row is inside a call that does not return for long. News come through a pipe:
a signal that arrives just before a wait begins would leave a wait for a lock asleep.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from graphden.errors import RunError

T = TypeVar("T")

Reaction = Callable[[signal.Signals | None], None]
"""What is done at a signal, or, with None, when the time for the reaction before was over."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_ENDED = 0
"""The news that the work has ended; no signal has this number."""
_GRACE_S = 1.0
"""After the last reaction the work has so long to end; then it is left behind."""


def attended(
    work: Callable[[], T], reactions: Sequence[Reaction], *, grace_s: float | None = None
) -> T:
    """What `work` returns or raises. The n-th SIGINT or SIGTERM calls the n-th reaction.

    With `grace_s` the second reaction comes by itself so long after the first one.

    Raises RunError `cancelled` when the work goes on for long after the last reaction, or at a
    signal after it. The work's thread is left behind then; the process is expected to end.
    """
    outcome: list[T] = []
    failure: list[BaseException] = []
    with News() as news, signals_to(news, _SIGNALS):

        def do_it() -> None:
            try:
                outcome.append(work())
            except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
                failure.append(error)
            finally:
                news.put(_ENDED)

        thread = threading.Thread(target=do_it, name="graphden-run", daemon=True)
        thread.start()
        _attend(news, reactions, grace_s)
        thread.join()
    if failure:
        raise failure[0]
    return outcome[0]


class News:
    """Numbers below 256 that come through a pipe, from threads and from signals."""

    def __init__(self) -> None:
        self._reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> News:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
            os.close(self._reader)
            os.close(self.writer)

    def put(self, number: int) -> None:
        with self._lock:
            if not self._closed:  # work that was left behind may end much later
                os.write(self.writer, bytes([number]))

    def get(self, timeout: float | None) -> int | None:
        """The next number; None when none comes within `timeout` seconds."""
        poll = select.poll()
        poll.register(self._reader, select.POLLIN)
        ready = poll.poll(None if timeout is None else 1000 * timeout)
        return os.read(self._reader, 1)[0] if ready else None


def _attend(news: News, reactions: Sequence[Reaction], grace_s: float | None) -> None:
    """Return when the work has ended."""
    remaining = list(reactions)
    ends: float | None = None
    while True:
        timeout = None if remaining else _GRACE_S
        if remaining and ends is not None:
            timeout = max(0.0, ends - time.monotonic())
        number = news.get(timeout)
        if number == _ENDED:
            return
        if number is not None and number not in _SIGNALS:
            continue  # a signal that is somebody else's
        if not remaining:
            raise RunError(
                "cancelled", "the run was cancelled and left behind in a call that goes on"
            )
        remaining.pop(0)(None if number is None else signal.Signals(number))
        if grace_s is not None and ends is None:
            ends = time.monotonic() + grace_s


@contextmanager
def signals_to(news: News, numbers: Sequence[signal.Signals]) -> Iterator[None]:
    """While inside, signals become news, written by the interpreter itself."""

    def handled(_number: int, _frame: FrameType | None) -> None:
        pass  # without a handler the interpreter would write nothing

    before = {number: signal.signal(number, handled) for number in numbers}
    writer = signal.set_wakeup_fd(news.writer, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(writer)
        for number, handler in before.items():
            signal.signal(number, handler)
