"""The log of a run of chaos: a file that all processes append to."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

_AT_ONCE = 32


class Log:
    """Events as lines of JSON, appended whole: what is written survives its process."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(self, what: str, number: int) -> None:
        """Append one event of this process, at this moment."""
        self.write_all(what, [number])

    def write_all(self, what: str, numbers: Iterable[int]) -> None:
        """Append one event of this process for each number, at this moment."""
        at, pid = time.time(), os.getpid()
        lines = [f"{json.dumps([what, at, pid, number])}\n" for number in numbers]
        # A kill can cut a long write in two, a short one it cannot.
        for first in range(0, len(lines), _AT_ONCE):
            os.write(self._file, "".join(lines[first : first + _AT_ONCE]).encode("ascii"))

    def write_fault(self, what: str, process: int, began: float, until: float) -> None:
        """Append a fault that was done to a process."""
        line = json.dumps([what, began, process, -1, until])
        os.write(self._file, f"{line}\n".encode("ascii"))

    def close(self) -> None:
        """Append no more."""
        os.close(self._file)
