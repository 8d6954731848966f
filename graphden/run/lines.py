"""Which rows the lines of generated code stand for."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType, TracebackType
from weakref import WeakValueDictionary

from graphden.errors import Frame
from graphden.model.plan import Trail


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Lines:
    """Line n of the generated file `filename` stands for the trail `trails[n - 1]`."""

    filename: str
    trails: Sequence[Trail]


_known: WeakValueDictionary[str, Lines] = WeakValueDictionary()


def register(lines: Lines) -> None:
    """Make a generated file known for as long as its `Lines` live."""
    _known[lines.filename] = lines


MOST = 100
"""Of so many Python frames around a failure, the innermost, the rows are known."""


def trails_of(error: BaseException) -> tuple[Trail, ...]:
    """The ways to the rows that led to where `error` was raised, the outermost first.

    They are those that called us now, and those that the error came through, where it was
    raised last.
    """
    calling = list(islice(_calling(sys._getframe(1)), MOST))
    raised = deque(_raised(error.__traceback__), MOST)
    trails = (_trail(code, line) for code, line in (*reversed(calling), *raised))
    return tuple(trail for trail in trails if trail is not None)


def row_of(function: object) -> str | None:
    """The row that a callable of compiled code stands for; None for any other."""
    code = getattr(function, "__code__", None)
    trail = None if code is None else _trail(code, code.co_firstlineno)
    return None if trail is None else trail.row


def frames_along(trails: Iterable[Trail]) -> tuple[Frame, ...]:
    """The rows on these ways, each once, the outermost first."""
    found: list[Frame] = []
    for trail in trails:
        _lead_on(found, trail.frames())
    return tuple(found)


def _lead_on(found: list[Frame], frames: tuple[Frame, ...]) -> None:
    """Add a Python frame's way to `found`, the way to those around it.

    The way to a callable begins at the entry again and goes where the callable was bound: what
    both have in common is shown once, and so is a row for each stay in it, at the place that
    led on. The way of a row that is a function of its own begins where that was called.
    """
    way: list[Frame] = []
    for frame in frames:
        if way and way[-1].row == frame.row:
            way.pop()
        way.append(frame)
    begin = _begin(found, way[0])
    pairs = zip(found[begin:], way, strict=False)
    common = next((at for at, (a, b) in enumerate(pairs) if a.row != b.row), None)
    if common is None:
        common = min(len(found) - begin, len(way))
    if begin + common == len(found):
        found[begin:] = way
    else:
        found.extend(way[common:] or way[-1:])


def _begin(found: list[Frame], first: Frame) -> int:
    """Where a way that begins with `first` begins in `found`: with the entry, as a rule."""
    if not found or found[0].row == first.row:
        return 0
    rows = [frame.row for frame in found]
    return len(rows) - 1 - rows[::-1].index(first.row) if first.row in rows else 0


def _calling(frame: FrameType | None) -> Iterator[tuple[CodeType, int | None]]:
    while frame is not None:
        yield frame.f_code, frame.f_lineno
        frame = frame.f_back


def _raised(traceback: TracebackType | None) -> Iterator[tuple[CodeType, int | None]]:
    while traceback is not None:
        yield traceback.tb_frame.f_code, traceback.tb_lineno
        traceback = traceback.tb_next


def _trail(code: CodeType, line: int | None) -> Trail | None:
    lines = _known.get(code.co_filename)
    if lines is None or line is None or not 0 < line <= len(lines.trails):
        return None
    return lines.trails[line - 1]
