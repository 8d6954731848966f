"""Cells: values that change, shared between threads.

`swap` holds its cell while its callable runs, because the callable may have effects: it runs
once, whatever other threads do, and is never tried again. So swaps can wait for each other in a
ring: one holds cell A and wants B, another holds B and wants A. The one that would close such a
ring fails instead of waiting, and the others go on. To wait is to be told when the run ends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from graphden.errors import RunError
from graphden.run.context import Context

_LOOK_S = 0.05
"""How often a thread that waits for a cell looks whether its run should end."""

_waits_lock = threading.Lock()
_waits: dict[int, Cell] = {}
"""The cell that each waiting thread waits for, by the thread's identity."""


class Cell:
    """One value. The thread that holds the cell may use it again; reading never waits."""

    __slots__ = ("_holder", "_lock", "_value")

    def __init__(self, value: object) -> None:
        self._lock = threading.RLock()
        self._holder: int | None = None
        self._value = value

    def get(self) -> object:
        """The value, which during a swap is still the old one."""
        return self._value

    def set(self, value: object, context: Context) -> None:
        """Replace the value, when no other thread holds the cell.

        Raises RunError `core.control/deadlock`, as `swap` does.
        """
        self.swap(lambda _: value, context)

    def swap(self, change: Callable[[object], object], context: Context) -> object:
        """Replace the value by what `change` makes of it, and give that.

        Raises RunError `core.control/deadlock` when waiting for the cell could never end.
        """
        me = threading.get_ident()
        if not self._lock.acquire(blocking=False):
            self._wait(me, context)
        held_before, self._holder = self._holder, me
        try:
            self._value = value = change(self._value)
        finally:
            self._holder = held_before
            self._lock.release()
        return value

    def _wait(self, me: int, context: Context) -> None:
        with _waits_lock:
            # Who waits last sees all the others, as a thread is a cell's holder before it waits
            # for another: so every ring is found, by one of its threads only.
            if self._leads_to(me):
                raise _deadlock()
            _waits[me] = self
        try:
            while not self._lock.acquire(timeout=_LOOK_S):
                context.check()
        finally:
            with _waits_lock:
                del _waits[me]

    def _leads_to(self, thread: int) -> bool:
        """Whether the holder of this cell waits, perhaps for others that wait, for `thread`."""
        cell: Cell | None = self
        passed: set[int] = set()
        while cell is not None:
            holder = cell._holder
            if holder == thread:
                return True
            if holder is None or holder in passed:
                return False
            passed.add(holder)
            cell = _waits.get(holder)
        return False


def _deadlock() -> RunError:
    return RunError(
        "core.control/deadlock",
        "swap: two swaps wait for each other's cells, and this one could never go on",
        hint="Swap one cell after the other, not inside; or keep both values in one cell.",
    )
