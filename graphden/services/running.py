"""One instance that runs: a thread, and how it is asked to end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol
from uuid import UUID

from graphden.errors import Cancelled, GraphdenError
from graphden.run import Context, secrets
from graphden.services.reconcile import Start

LONGEST_ERROR = 1_000
"""Characters of an error that are kept."""


class Host(Protocol):
    """A row of a revision, ready to run: what an App gives."""

    context: Context

    def run(self) -> object:
        """Run the row until its context is asked to stop."""

    def close(self) -> None:
        """Let go of connections."""


class Running:
    """An instance. When it has ended, `error` says why, or is None, and `over` is called."""

    def __init__(self, id_: UUID, start: Start, host: Host, over: Callable[[], None]) -> None:
        self.id = id_
        self.start = start
        self.error: str | None = None
        self.failed = False
        self.drains = False
        self.began = time.monotonic()
        self._host = host
        self._over = over
        name = f"service-{start.service.row}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether it has let go of everything."""
        return not self._thread.is_alive()

    def drain(self) -> None:
        """Ask it to finish what it has."""
        self.drains = True
        self._host.context.request_stop()

    def cancel(self) -> None:
        """End it at its next check, whatever it does."""
        self.drains = True
        self._host.context.request_stop()
        self._host.context.cancel()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, after waiting at most so long."""
        self._thread.join(seconds)
        return self.ended

    def _run(self) -> None:
        try:
            try:
                self._host.run()
            finally:
                self._host.close()
        except Cancelled as cancelled:
            self.error = f"{cancelled.code}: {cancelled.message}"
        except GraphdenError as error:
            self.failed = True
            place = "" if error.span is None else f" ({error.span})"
            self.error = _cut(f"{error.code}: {error.message}{place}")
        except BaseException as error:  # noqa: BLE001 - told to whoever looks at services
            self.failed = True
            self.error = _cut(f"{type(error).__name__}: {error}")
        finally:
            self._over()


def _cut(text: str) -> str:
    text = secrets.clean(text).replace("\x00", "�")
    return text if len(text) <= LONGEST_ERROR else f"{text[: LONGEST_ERROR - 1]}…"
