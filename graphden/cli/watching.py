"""Waiting for files of rows to change, by looking at them again and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from graphden.errors import UsageError
from graphden.files import row_paths

POLL_SECONDS = 0.2


def changes(paths: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Yields at once, and again whenever a file below `paths()` has changed, come or gone.

    What changes while the caller works is noticed, for the files are looked at before.
    """
    seen = _stamps(paths())
    yield
    while True:
        time.sleep(POLL_SECONDS)
        now = _stamps(paths())
        if now != seen:
            seen = now
            yield


def _stamps(paths: Sequence[str]) -> dict[str, tuple[int, int] | None]:
    """The files with the times of their last change and their sizes; None for what is away."""
    found: dict[str, tuple[int, int] | None] = {}
    for path in paths:
        try:
            for file in row_paths(path):
                stat = file.stat()
                found[str(file)] = stat.st_mtime_ns, stat.st_size
        except (OSError, UsageError):
            found[path] = None
    return found
