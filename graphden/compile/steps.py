"""Recursion whose depth only memory limits: functions that hand their calls to a loop.

A program may refer on through ten thousand rows, and the stack of Python is not that deep. So
what follows references is written as generators: `found = yield self.node(…)` stands for a
call, and `run` keeps the callers that wait in a list.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator["Generator[Any, Any, Any]", Any, T]
"""A call that is being made, and gives a T in the end."""


def each(calls: Iterable[Steps[T]]) -> Steps[list[T]]:
    """What each of some calls gives."""
    found: list[T] = []
    for call in calls:
        found.append((yield call))  # noqa: PERF401 - a comprehension cannot yield
    return found


def run(call: Steps[T]) -> T:
    """What `call` gives, once all that it calls has given its own."""
    waiting: list[Generator[Any, Any, Any]] = [call]
    value: Any = None
    while True:
        try:
            inner = waiting[-1].send(value)
        except StopIteration as done:
            waiting.pop()
            value = done.value
            if not waiting:
                found: T = value
                return found
        else:
            waiting.append(inner)
            value = None
