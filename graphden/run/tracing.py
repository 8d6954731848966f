"""A trace: the rows that a run evaluated, each as a span of time, inside each other.

Pass one to `Graph.run` or `App.run`, and read it then. It is bounded: the first `limit` spans
are kept; `rows` and `stacks` sum the time of all.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
from collections.abc import Iterator
from time import perf_counter_ns, time_ns
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


class TraceSpan:
    """One evaluation of a row.

    `started_ns` and `ended_ns` are nanoseconds since the first run began; `ended_ns` is None
    while it lasts. `parent` is the span that needed it: in another thread, the one around the
    callable that ran there. `error` is the code of the error that ended it. `value` is the
    beginning of the value's EDN, without secrets, when the trace keeps values.
    """

    __slots__ = (
        "_asked_ns",
        "_inner_ns",
        "_stack",
        "ended_ns",
        "error",
        "number",
        "parent",
        "started_ns",
        "thread",
        "value",
    )

    def __init__(
        self, number: int, parent: TraceSpan | None, thread: int, stack: Stack, asked_ns: int
    ) -> None:
        self.number = number
        self.parent = parent
        self.thread = thread
        self.started_ns = 0
        self.ended_ns: int | None = None
        self.error: str | None = None
        self.value: str | None = None
        self._stack = stack
        # Until it started, and between spans inside of it, the trace was at work.
        self._asked_ns = asked_ns
        self._inner_ns = 0

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


class Trace:
    """What a run evaluated. Threads may share it; it can be read while the run lasts.

    `limit` is how many spans it keeps; `values` says whether they keep their values.
    """

    def __init__(self, *, limit: int = LIMIT, values: bool = False) -> None:
        self.limit = limit
        self.values = values
        self.began_ns = time_ns()
        """When its first run began, in nanoseconds since 1970."""
        self._zero_ns = perf_counter_ns()
        self._id: UUID | None = None
        # Spans are numbered from anywhere, so that traces of one run in two processes differ.
        self._first = 1 + (int.from_bytes(os.urandom(8), "big") >> 1)
        self._numbers = itertools.count()
        self._spans: list[TraceSpan] = []
        self._times = Times()
        self._threads: list[Here] = []
        self._thread_numbers = itertools.count(1)
        self._local = threading.local()

    @property
    def id(self) -> str:
        """Sixteen bytes, in hexadecimal: the trace id of the first run."""
        return "" if self._id is None else self._id.hex

    @property
    def spans(self) -> tuple[TraceSpan, ...]:
        """The spans that are kept, in the order in which they began."""
        return tuple(self._spans)

    @property
    def dropped(self) -> int:
        """How many spans came after those that are kept."""
        return sum(here.dropped for here in tuple(self._threads))

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
            self.began_ns, self._zero_ns = time_ns(), perf_counter_ns()
        return trace_id or self._id

    def here(self) -> Here:
        """What traced code tells in this thread."""
        try:
            here: Here = self._local.here
        except AttributeError:
            here = self._local.here = Here(self, next(self._thread_numbers))
            self._threads.append(here)
        return here

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


class Here:
    """A trace in one thread: what traced code calls there."""

    def __init__(self, trace: Trace, thread: int) -> None:
        self.dropped = 0
        self._trace = trace
        self._thread = thread
        self._open: list[TraceSpan] = []
        self._outermost: dict[Stack | None, dict[str, Stack]] = {}

    def open(self, site: Site, around: TraceSpan | None) -> TraceSpan:
        """Begin a span; if none is open here, it is inside of `around`, if any."""
        asked = perf_counter_ns()
        trace = self._trace
        parent = self._open[-1] if self._open else around
        above = None if parent is None else parent._stack
        known = above.below if above and self._open else self._outermost.setdefault(above, {})
        stack = known.get(site.key)
        if stack is None:
            stack = trace._times.grown(known, above, site, self._thread)
        span = TraceSpan(next(trace._numbers), parent, self._thread, stack, asked)
        if span.number < trace.limit:
            trace._spans.append(span)
        else:
            self.dropped += 1
        self._open.append(span)
        span.started_ns = perf_counter_ns() - trace._zero_ns
        return span

    def close(self, span: TraceSpan, value: object) -> None:
        """End the span, the last one that was opened here, with the value of the row."""
        now = perf_counter_ns()
        if self._trace.values and span.number < self._trace.limit:
            span.value = _shown(value, span._stack.site)
        self._end(now)

    def mark(self) -> int:
        """How many spans are open here."""
        return len(self._open)

    def fail(self, mark: int) -> None:
        """End all spans that were opened here since `mark`: an error came through."""
        error = sys.exc_info()[1]
        while len(self._open) > mark:
            self._open[-1].error = None if error is None else code_of(error)
            self._end(perf_counter_ns())

    def _end(self, now: int) -> None:
        span = self._open.pop()
        ended = span.ended_ns = now - self._trace._zero_ns
        stack = span._stack
        stack.calls += 1
        stack.own_ns += ended - span.started_ns - span._inner_ns
        if self._open:
            self._open[-1]._inner_ns += perf_counter_ns() - span._asked_ns


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
