"""The log that rows write: one line each, through the Python logger `graphden.log`.

An application that configures logging gets the lines where it wants them; without, they go to
standard error.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from collections.abc import Callable
from functools import partial

from graphden.edn import Keyword, write
from graphden.edn.budget import TooLong
from graphden.stdlib.strings import as_text

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
BEGINNING = 10_000
"""Characters that a line shows of a value whose text would pass the sizes of `budget`."""

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

_logger = logging.getLogger("graphden.log")
_lock = threading.Lock()


def write_line(level: object, message: object, data: object) -> None:
    """Write one line; an unknown level counts as info. Never raises: a log must end no run."""
    try:
        name = level.text if isinstance(level, Keyword) else level
        number = (
            _LEVELS.get(name.lower(), logging.INFO) if isinstance(name, str) else logging.INFO
        )
        _prepare()
        if _logger.isEnabledFor(number):
            line = _text(message, as_text)
            if data is not None:
                line = f"{line} {_text(data, partial(write, lossy=True))}"
            _logger.log(number, "%s", _BREAKS.sub(_escaped, line))
    except Exception:  # noqa: BLE001, S110 - there is no place left to tell it
        pass


def _text(value: object, whole: Callable[[object], str]) -> str:
    """The text of a value, or what it begins with when it would be too long."""
    try:
        return whole(value)
    except TooLong:
        return f"{write(value, most=BEGINNING)[:BEGINNING]}…"


def _escaped(match: re.Match[str]) -> str:
    """A line break inside a line would let data forge lines of its own."""
    return match.group().encode("unicode_escape").decode()


class _StandardError(logging.Handler):
    """Writes to what `sys.stderr` is at that moment; lines that cannot be written are lost."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except (OSError, ValueError, AttributeError):
            pass


def _prepare() -> None:
    """Give the logger a level, and a handler unless the application has one for it."""
    if _logger.level == logging.NOTSET:
        _logger.setLevel(logging.INFO)
    if _logger.hasHandlers():
        return
    with _lock:
        if not _logger.hasHandlers():
            handler = _StandardError()
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
            _logger.addHandler(handler)
