"""A trace: the rows that a run evaluated, each as a span of time, inside each other.

Pass one to `Graph.run` or `App.run`, and read it then. It is bounded: the first `limit` spans
are kept; `rows` and `stacks` sum the time of all.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from graphden.compile.spans import Site
from graphden.edn import write
from graphden.errors import Span
from graphden.run.failures import code_of
from graphden.run.secrets import clean, hide
from graphden.run.timing import RowTime, Stack, Times

LIMIT = 10_000
"""How many spans a trace keeps, unless it is told another number."""

LONGEST = 200
"""Characters of a value that are kept."""


@dataclass(slots=True, eq=False)
class TraceSpan:
    """One evaluation of a row.

    `started_ns` and `ended_ns` are nanoseconds since the first run began; `ended_ns` is None
    while it lasts. `parent` is the span that needed it: in another thread, the one around the
    callable that ran there. `error` is the code of the error that ended it. `value` is the
    beginning of the value's EDN, without secrets, when the trace keeps values.
    """

    number: int
    parent: TraceSpan | None
    thread: int
    _stack: Stack
    started_ns: int = 0
    ended_ns: int | None = None
    error: str | None = None
    value: str | None = None
    _asked_ns: int = 0
    """When it was asked for: between that and `started_ns` the trace was at work."""
    _inner_ns: int = 0
    """What was taken by the spans that it needed, and by the trace for them."""

    @property
    def row(self) -> str:
        """The row; of an inline row, the one that it is written in."""
        return self._stack.site.row

    @property
    def inline(self) -> bool:
        """Whether it is of an inline row."""
        return self._stack.site.inline

    @property
    def function(self) -> str:
        """The base function row that the row comes from."""
        return self._stack.site.function

    @property
    def place(self) -> Span | None:
        """Where the row is written."""
        return self._stack.site.place


@dataclass(slots=True, eq=False)
class _Thread:
    number: int
    open: list[TraceSpan] = field(default_factory=list)


class Trace:
    """What a run evaluated. Threads may share it; it can be read while the run lasts.

    `limit` is how many spans it keeps; `values` says whether they keep their values.
    """

    def __init__(self, *, limit: int = LIMIT, values: bool = False) -> None:
        self.limit = limit
        self.values = values
        self.began_ns = time.time_ns()
        """When its first run began, in nanoseconds since 1970."""
        self.dropped = 0
        """How many spans came after those that are kept."""
        self._zero_ns = time.perf_counter_ns()
        self._id: UUID | None = None
        # Spans are numbered from anywhere, so that traces of one run in two processes differ.
        self._first = 1 + (int.from_bytes(os.urandom(8), "big") >> 1)
        self._opened = itertools.count()
        self._spans: list[TraceSpan] = []
        self._times = Times()
        self._threads = itertools.count(1)
        self._here = threading.local()
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        """Sixteen bytes, in hexadecimal: the trace id of the first run."""
        return "" if self._id is None else self._id.hex

    @property
    def spans(self) -> tuple[TraceSpan, ...]:
        """The spans that are kept, in the order in which they began."""
        return tuple(self._spans)

    @property
    def rows(self) -> tuple[RowTime, ...]:
        """The time of each row, of the spans that have ended; the row with most time of its own
        is first.
        """
        return self._times.rows()

    def stacks(self) -> Iterator[tuple[tuple[Site, ...], int]]:
        """The rows that needed each other, outermost first, with the own time of the last."""
        return self._times.stacks()

    def data(self) -> dict[str, Any]:
        """The whole trace in plain values, for JSON.

        `{"id", "began_ns", "spans", "dropped", "rows"}`; a span is `{"id", "parent", "row",
        "inline", "function", "file", "line", "column", "thread", "start_ns", "end_ns", "error",
        "value"}`, a row's time `{"row", "inline", "function", "file", "line", "column",
        "calls", "own_ns", "total_ns"}`. Ids of spans are eight bytes in hexadecimal.
        """
        return {
            "id": self.id,
            "began_ns": self.began_ns,
            "spans": [self._span_data(span) for span in self.spans],
            "dropped": self.dropped,
            "rows": [
                {
                    **_row_data(each),
                    "calls": each.calls,
                    "own_ns": each.own_ns,
                    "total_ns": each.total_ns,
                }
                for each in self.rows
            ],
        }

    def begin(self, trace_id: UUID | None) -> UUID:
        """A run begins whose context has this trace id; the one that it has from now on."""
        if self._id is None:
            self._id = trace_id or uuid4()
            self.began_ns, self._zero_ns = time.time_ns(), time.perf_counter_ns()
        return trace_id or self._id

    # -- what traced code calls --------------------------------------------------------------

    def open(self, site: Site, around: TraceSpan | None) -> TraceSpan:
        """Begin a span; in a thread that has none open it is inside of `around`, if any."""
        asked = time.perf_counter_ns()
        thread = self._thread()
        parent = thread.open[-1] if thread.open else around
        stack = self._times.stack(None if parent is None else parent._stack, site)
        span = TraceSpan(next(self._opened), parent, thread.number, stack)
        if span.number < self.limit:
            self._spans.append(span)
        else:
            with self._lock:
                self.dropped += 1
        thread.open.append(span)
        span._asked_ns = asked
        span.started_ns = time.perf_counter_ns() - self._zero_ns
        return span

    def close(self, span: TraceSpan, value: object) -> None:
        """End the span, the last one that its thread opened, with the value of the row."""
        now = time.perf_counter_ns()
        if self.values and span.number < self.limit:
            span.value = _shown(value, span._stack.site)
        self._end(self._thread(), now)

    def mark(self) -> int:
        """How many spans this thread has open."""
        return len(self._thread().open)

    def fail(self, mark: int) -> None:
        """End all spans that this thread has opened since `mark`: an error came through."""
        thread = self._thread()
        error = sys.exc_info()[1]
        while len(thread.open) > mark:
            thread.open[-1].error = None if error is None else code_of(error)
            self._end(thread, time.perf_counter_ns())

    def _thread(self) -> _Thread:
        try:
            thread: _Thread = self._here.thread
        except AttributeError:
            thread = self._here.thread = _Thread(next(self._threads))
        return thread

    def _end(self, thread: _Thread, now: int) -> None:
        span = thread.open.pop()
        span.ended_ns = now - self._zero_ns
        self._times.add(span._stack, span.ended_ns - span.started_ns - span._inner_ns)
        if thread.open:
            thread.open[-1]._inner_ns += time.perf_counter_ns() - span._asked_ns

    def _span_data(self, span: TraceSpan) -> dict[str, Any]:
        return {
            "id": self._span_id(span),
            "parent": None if span.parent is None else self._span_id(span.parent),
            **_row_data(span),
            "thread": span.thread,
            "start_ns": span.started_ns,
            "end_ns": span.ended_ns,
            "error": span.error,
            "value": span.value,
        }

    def _span_id(self, span: TraceSpan) -> str:
        return f"{self._first + span.number:016x}"


def _row_data(of: TraceSpan | RowTime) -> dict[str, Any]:
    return {
        "row": of.row,
        "inline": of.inline,
        "function": of.function,
        "file": None if of.place is None else of.place.file,
        "line": None if of.place is None else of.place.line,
        "column": None if of.place is None else of.place.column,
    }


def _shown(value: object, site: Site) -> str:
    """The beginning of a value as EDN; a value that cannot be shown is no reason to fail."""
    try:
        hidden = hide(value, site.type, site.types)
        # Cleaned before it is cut, for a secret that the cut would go through; and the mark of
        # a cut tells `clean` to look for a secret's beginning.
        text = clean(_cut(write(hidden, most=4 * LONGEST), 4 * LONGEST))
    except Exception as trouble:  # noqa: BLE001 - a foreign value may raise anything
        return f"(not shown: {type(trouble).__name__})"
    return clean(_cut(text, LONGEST))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
