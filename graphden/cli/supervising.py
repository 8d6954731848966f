"""Several processes that do the same work: forked, stopped together, started again when killed.

Each child is a process group of its own, so that Ctrl-C reaches the supervisor only, which
passes every signal on. When the supervisor dies, however it does, a pipe that only it holds
closes, and each child stops as if it had been told to.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from graphden.cli.attending import News, signals_to
from graphden.cli.output import print_json
from graphden.cli.reporting import exit_code, report
from graphden.errors import GraphdenError

_STOPS = (signal.SIGINT, signal.SIGTERM)
_PAUSE_S = 1.0
"""How long a killed process stays away: one that is killed again and again must not spin."""
_LOOK_S = 0.5
"""How often ended children are looked for, should a signal for one be lost among others."""


class Supervisor:
    """Keeps processes that each run `work` and end with its exit code."""

    def __init__(self, work: Callable[[], int], *, as_json: bool) -> None:
        self._work = work
        self._as_json = as_json
        self._children: set[int] = set()
        self._starts: list[float] = []
        """When to start another child, by the monotonic clock."""
        self._stopping = False
        self._code = 0

    def keep(self, count: int) -> int:
        """Keep `count` processes until a signal stops them; the largest of their exit codes.

        One that a signal ended is started again; one that ends by itself is not, and when it
        failed, all are stopped.
        """
        self._starts = [0.0] * count
        # Nobody ever writes to it: it closes with this process.
        self._lifeline, held = os.pipe()
        self._say("supervising", f"{count} processes (supervisor {os.getpid()})", count=count)
        try:
            with News() as news, signals_to(news, (*_STOPS, signal.SIGCHLD)):
                while self._children or self._starts:
                    self._start_due(held, news)
                    number = news.get(_LOOK_S)
                    if number in _STOPS:
                        self._stop()
                    self._reap()
        finally:
            os.close(held)
            os.close(self._lifeline)
        self._say("supervised", "all processes have ended")
        return self._code

    def _start_due(self, held: int, news: News) -> None:
        now = time.monotonic()
        due = [each for each in self._starts if each <= now]
        self._starts = [each for each in self._starts if each > now]
        for _ in due:
            sys.stdout.flush()
            sys.stderr.flush()
            # A stop that comes in between must not go to handlers that are the parent's.
            signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
            child = os.fork()
            if child == 0:
                os.close(held)
                os._exit(self._be_child(news))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
            self._children.add(child)

    def _be_child(self, news: News) -> int:
        signal.set_wakeup_fd(-1)
        for number in (*_STOPS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        news.__exit__()
        os.setsid()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
        threading.Thread(target=self._watch_lifeline, daemon=True).start()
        try:
            code = self._work()
        except GraphdenError as error:
            report(error, as_json=self._as_json)
            code = exit_code(error)
        except BaseException:  # noqa: BLE001 - the child ends here, whatever it was
            sys.excepthook(*sys.exc_info())
            code = 1
        sys.stdout.flush()
        sys.stderr.flush()
        return code

    def _watch_lifeline(self) -> None:
        os.read(self._lifeline, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _stop(self) -> None:
        """Pass a stop on; the second one makes the children end at once."""
        self._stopping = True
        self._starts.clear()
        for child in self._children:
            os.kill(child, signal.SIGTERM)

    def _reap(self) -> None:
        for child in list(self._children):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended:
                continue
            self._children.discard(child)
            code = os.waitstatus_to_exitcode(status)
            if code < 0 and not self._stopping:
                name = signal.Signals(-code).name
                self._say("restarting", f"process {child} was ended by {name}", ended=child)
                self._starts.append(time.monotonic() + _PAUSE_S)
                continue
            if code == -signal.SIGTERM and self._stopping:
                code = 0  # it had not begun to work
            self._code = max(self._code, 1 if code < 0 else code)
            if code and not self._stopping:
                self._stop()

    def _say(self, event: str, text: str, **details: object) -> None:
        """One line to standard output, at once."""
        if self._as_json:
            print_json({"event": event, "pid": os.getpid(), **details})
        else:
            print(text, flush=True)
