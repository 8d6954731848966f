"""Hearing of work: one thread and one connection for all waiting takes of an App or Graph.

The thread is blocked until the server speaks, so a wake-up costs no poll. Whenever it has begun
to listen, first or again, it wakes everybody: what was published before would not be heard.
"""

from __future__ import annotations

import logging
import os
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

import psycopg

from graphden.errors import RunError
from graphden.run import Context, Waiter
from graphden_postgres.connections import Row, connections
from graphden_postgres.failures import explained
from graphden_postgres.statements import statement

log = logging.getLogger("graphden.postgres")

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 2.0


class Listener:
    """Wakes the waiters of a queue when the server says that there may be work."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Row]]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._waiters: dict[int, set[Waiter]] = {}
        self._ear: _Ear | None = None

    @contextmanager
    def subscribed(self, queue_id: int, waiter: Waiter) -> Iterator[None]:
        """Wake `waiter` at each notification for the queue, within the `with`."""
        with self._lock:
            if self._ear is None or not self._ear.is_here():
                self._waiters.clear()
                self._ear = _Ear(self._connect, self._wake)
            self._waiters.setdefault(queue_id, set()).add(waiter)
        try:
            yield
        finally:
            with self._lock:
                waiters = self._waiters.get(queue_id, set())
                waiters.discard(waiter)
                if not waiters:
                    self._waiters.pop(queue_id, None)

    def close(self) -> None:
        """Stop listening; its thread has ended when this returns."""
        with self._lock:
            ear, self._ear = self._ear, None
        if ear is not None and ear.is_here():
            ear.close()

    def _wake(self, queue_id: int | None) -> None:
        """Wake who waits for one queue, or for any."""
        with self._lock:
            for known, waiters in self._waiters.items():
                if queue_id is None or known == queue_id:
                    for waiter in waiters:
                        waiter.wake()


class _Ear:
    """The thread, its connection, and a socket pair that ends its blocked wait."""

    def __init__(
        self,
        connect: Callable[[], psycopg.Connection[Row]],
        heard: Callable[[int | None], None],
    ) -> None:
        self._connect = connect
        self._heard = heard
        self._process = os.getpid()
        self._stop, self._stopper = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="graphden-listen", daemon=True)
        self._thread.start()

    def is_here(self) -> bool:
        """Whether the thread is one of this process, not of the parent it was forked from."""
        return self._process == os.getpid()

    def close(self) -> None:
        self._stopper.close()
        self._thread.join()
        self._stop.close()

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            try:
                with closing(self._connect()) as connection:
                    connection.execute(statement("listen"))
                    if pause > _FIRST_PAUSE:
                        log.info("queue notifications are heard again")
                    pause = _FIRST_PAUSE
                    self._heard(None)
                    self._listen(connection)
                    return
            except (psycopg.Error, RunError, OSError) as error:
                if pause == _FIRST_PAUSE:
                    log.warning("queue notifications are not heard now: %s", _reason(error))
                if self._stopped_within(pause):
                    return
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _listen(self, connection: psycopg.Connection[Row]) -> None:
        """Report notifications until told to stop. Raises psycopg.Error when cut off."""
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._stop, selectors.EVENT_READ)
            while True:
                # What came with the answer of LISTEN is read before the first wait.
                connection.pgconn.consume_input()
                while notification := connection.pgconn.notifies():
                    with suppress(ValueError):
                        self._heard(int(notification.extra))
                ready = selector.select()
                if any(key.fileobj is self._stop for key, _ in ready):
                    return

    def _stopped_within(self, seconds: float) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._stop, selectors.EVENT_READ)
            return bool(selector.select(seconds))


def _reason(error: psycopg.Error | RunError | OSError) -> str:
    return str(explained(error) if isinstance(error, psycopg.Error) else error)


def listener(context: Context) -> Listener:
    """The listener of this run's App or Graph."""
    pool = connections(context)
    found = context.resources.get("graphden_postgres.listener", lambda: Listener(pool.open))
    if not isinstance(found, Listener):
        raise TypeError(found)
    return found
