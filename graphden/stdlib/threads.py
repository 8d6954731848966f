"""One body in several threads of a run at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from graphden.run.context import Context

MOST_THREADS = 1_000
"""How many threads one row may ask for."""


def call_at_once(count: int, body: Callable[[], object], context: Context) -> None:
    """Call `body` in `count` threads, this one among them, and wait for all of them.

    When one fails the others are cancelled, and what it raised is raised here.
    """
    if count == 1:
        body()
        return
    failures: list[BaseException] = []
    with context.scope() as scope:

        def guarded(work: Callable[[], object]) -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - raised again below
                failures.append(error)
                scope.cancel(message="another thread of the same row failed")

        work = context.carried(lambda: guarded(body))
        threads = [
            threading.Thread(target=work, name=f"graphden-{number}", daemon=True)
            for number in range(2, count + 1)
        ]
        guarded(lambda: _begin(threads, body))
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    if failures:
        raise failures[0]


def _begin(threads: list[threading.Thread], body: Callable[[], object]) -> None:
    for thread in threads:
        thread.start()
    body()
