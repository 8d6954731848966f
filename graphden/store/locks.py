"""Locks on files, which the kernel drops together with the process that holds them.

A lock is an `flock`: it belongs to an open file, not to a process, and a child made by `fork`
shares the open files of its parent. So a child closes the copies it did not ask for, and the
parent unlocks explicitly instead of merely closing.
"""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path

_opened: set[int] = set()
_guard = threading.Lock()  # held while `_opened` changes, and across every fork


class FileLock:
    """One open file to lock: `share` or `own` it, then `release` it, in the same process.

    Programs started from here do not inherit it, unless `descriptor` is passed to them.
    """

    def __init__(self, path: Path) -> None:
        self._process = os.getpid()
        with _guard:
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            _opened.add(self.descriptor)

    def share(self) -> None:
        """Hold it together with others; waits while somebody owns it."""
        fcntl.flock(self.descriptor, fcntl.LOCK_SH)

    def own(self) -> None:
        """Hold it alone; waits for everybody else to let go."""
        fcntl.flock(self.descriptor, fcntl.LOCK_EX)

    def try_own(self) -> bool:
        """Hold it alone if nobody else holds it now."""
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        """Unlock it and close the file. Does nothing in a forked child, which holds nothing."""
        if self._is_open():
            fcntl.flock(self.descriptor, fcntl.LOCK_UN)
            self.hand_over()

    def hand_over(self) -> None:
        """Close the file here only: a process that was given `descriptor` keeps the lock."""
        if self._is_open():
            with _guard:
                _opened.discard(self.descriptor)
                os.close(self.descriptor)
            self.descriptor = -1

    def is_of(self, path: Path) -> bool:
        """Whether the file locked is still the one at `path`."""
        try:
            return os.path.samestat(os.fstat(self.descriptor), path.stat())
        except FileNotFoundError:
            return False

    def _is_open(self) -> bool:
        return self.descriptor >= 0 and self._process == os.getpid()


def _forget_inherited() -> None:
    for descriptor in _opened:
        os.close(descriptor)
    _opened.clear()
    _guard.release()


os.register_at_fork(
    before=_guard.acquire, after_in_parent=_guard.release, after_in_child=_forget_inherited
)
