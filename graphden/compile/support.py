"""What generated code calls: cells and lists of functions.

Only plain Python functions, so that a deep recursion of a graph uses no C stack.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from types import TracebackType

from graphden.errors import Cancelled


class Missing:
    """The mark of an optional argument that was not given."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()
_EMPTY = object()


def cell(compute: Callable[[], object]) -> Callable[[], object]:
    """A function that calls `compute` at its first call and then gives the same value again.

    When `compute` raised, it raises the same error again. Threads that need the value while
    another computes it wait.
    """
    value: object = _EMPTY
    error: BaseException | None = None
    traceback: TracebackType | None = None
    lock = threading.RLock()

    def get() -> object:
        nonlocal value, error, traceback
        if value is not _EMPTY:
            return value
        with lock:
            if value is not _EMPTY:
                return value
            if error is not None:
                # Raising an error adds to its traceback; each time starts from the first one.
                raise error.with_traceback(traceback)
            try:
                value = compute()
            except Cancelled:
                raise
            except BaseException as raised:
                error, traceback = raised, raised.__traceback__
                raise
            return value

    return get


def thunks(values: Iterable[object] | None) -> list[Callable[[], object]]:
    """The items of an evaluated list as functions, for a slot that takes them so."""
    return [constantly(value) for value in (() if values is None else values)]


def constantly(value: object) -> Callable[[], object]:
    """A function that gives `value`."""
    return lambda: value
