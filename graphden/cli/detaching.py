"""Work that outlives its command: a process of its own, which is waited for and then left.

The command forks before anything is opened. What the child prints comes through pipes and is
passed on. When the wait is over, or the command is killed, the child lets go of its pipes and
goes on; it belongs to no terminal.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from graphden.errors import RunError

_CHUNK = 65_536
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def detachable(work: Callable[[], int], limit_s: float) -> int | None:
    """The exit code that `work` gives; None when it goes on after `limit_s` seconds.

    SIGINT and SIGTERM are passed on to it while it is waited for. Raises RunError
    `worker-failed` when its process was killed. `work` raises nothing.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    output, errors, letting_go = os.pipe(), os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(letting_go[1])
        _be_the_child(work, output[1], errors[1], letting_go[0])
    for end in (output[1], errors[1], letting_go[0]):
        os.close(end)
    streams = {output[0]: 1, errors[0]: 2}
    ends = time.monotonic() + limit_s
    try:
        with _signals_to(child):
            ended = _pass_on(streams, ends)
            if not ended:
                os.write(letting_go[1], b"!")
                _pass_on(streams, None)  # what was printed until it let go
        return _code(child) if ended else None
    finally:
        for end in (output[0], errors[0], letting_go[1]):
            os.close(end)


def _be_the_child(work: Callable[[], int], output: int, errors: int, letting_go: int) -> None:
    """Do the work and end this process."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    os.close(output)
    os.close(errors)

    def let_go() -> None:
        os.read(letting_go, 1)  # a byte, or the end when the command was killed
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)

    threading.Thread(target=let_go, name="graphden-let-go", daemon=True).start()
    code = 1
    try:
        code = work()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    finally:
        os._exit(code)  # whatever else this process has of its parent is the parent's to end


def _pass_on(streams: Mapping[int, int], ends: float | None) -> bool:
    """Copy what comes from each stream; False when the time is over before they end."""
    poll = select.poll()
    for source in streams:
        poll.register(source, select.POLLIN | select.POLLHUP)
    left = set(streams)
    while left:
        remaining = None if ends is None else 1000 * (ends - time.monotonic())
        if remaining is not None and remaining <= 0:
            return False
        for source, _ in poll.poll(remaining):
            chunk = os.read(source, _CHUNK)
            if not chunk:
                poll.unregister(source)
                left.discard(source)
            while chunk:
                chunk = chunk[os.write(streams[source], chunk) :]
    return True


@contextmanager
def _signals_to(child: int) -> Iterator[None]:
    def passed_on(number: int, _frame: FrameType | None) -> None:
        os.kill(child, number)

    before = {number: signal.signal(number, passed_on) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _code(child: int) -> int:
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        raise RunError("worker-failed", f"the process of the run ended by signal {-code}")
    return code
