"""When a failed message is tried again, and how often (QUEUES 4.2)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from graphden.errors import RunError
from graphden_contract.limits import DELAY_MS, MAX_ATTEMPTS, shown

log = logging.getLogger("graphden.queues")


class Retries:
    """The delay before another try and the number of tries, as a nack's slots gave them.

    Raises RunError `invalid-argument` for numbers out of range.
    """

    def __init__(
        self,
        retry_ms: object,
        max_attempts: object,
        backoff: Callable[[int], object] | None = None,
    ) -> None:
        self.retry_ms = DELAY_MS.read("retry-ms", retry_ms)
        self.max_attempts = MAX_ATTEMPTS.read("max-attempts", max_attempts)
        self._backoff = backoff

    def delay_after(self, message: object) -> float:
        """Milliseconds until a message that was handled in vain is tried again.

        A backoff that fails, or gives what is no delay, is told of and stands back behind the
        fixed delay: it must neither keep the message from being settled nor make it spin.
        """
        attempts = message.get("attempts") if isinstance(message, Mapping) else None
        if self._backoff is None or not isinstance(attempts, int):
            return self.retry_ms
        try:
            return DELAY_MS.read("backoff", self._backoff(attempts))
        except Exception as error:  # noqa: BLE001 - a row may raise anything at all
            said = error.message if isinstance(error, RunError) else shown(error)
            log.warning(
                "a backoff failed after %d attempts; its message comes again in %g ms: %s",
                attempts,
                self.retry_ms,
                said,
            )
            return self.retry_ms
