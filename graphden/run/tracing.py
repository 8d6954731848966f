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

    `parent` is the span that needed it; in another thread, one around the callable that ran
    there. `error` is the code of the error that ended it. `value` is the beginning of the
    value's EDN, without secrets, when the trace keeps values.
    """

    __slots__ = (
        "_asked",
        "_ended",
        "_here",
        "_inner",
        "_stack",
        "_started",
        "error",
        "number",
        "parent",
        "value",
    )

    def __init__(self, parent: TraceSpan | None, here: Here, stack: Stack, asked: int) -> None:
        self.number = -1
        self.parent = parent
        self.error: str | None = None
        self.value: str | None = None
        self._here = here
        self._stack = stack
        # By the clock: from when it was asked for until it started, the trace was at work.
        self._asked = self._started = asked
        self._ended: int | None = None
        # What was taken by the spans that it needed, and by the trace for them.
        self._inner = 0

    @property
    def started_ns(self) -> int:
        """When it began, in nanoseconds since the first run did."""
        return self._started - self._here.trace._zero

    @property
    def ended_ns(self) -> int | None:
        """When it ended, in nanoseconds since the first run began; None while it lasts."""
        return None if self._ended is None else self._ended - self._here.trace._zero

    @property
    def thread(self) -> int:
        """The number of its thread, from 1."""
        return self._here.thread

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
        self._zero = perf_counter_ns()
        self._full = limit <= 0
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
            self.began_ns, self._zero = time_ns(), perf_counter_ns()
        return trace_id or self._id

    def here(self) -> Here:
        """What traced code tells in this thread."""
        try:
            here: Here = self._local.here
        except AttributeError:
            here = self._local.here = Here(self, next(self._thread_numbers), self._times)
            self._threads.append(here)
        return here

    def _keep(self, span: TraceSpan) -> bool:
        """Keep a span that begins, if it is one of the first; whether it is."""
        number = next(self._numbers)
        self._full = number >= self.limit - 1
        if number < self.limit:
            span.number = number
            self._spans.append(span)
        return number < self.limit

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
    """A trace in one thread: what traced code calls there. It calls little itself: a call is a
    tenth of what a span costs.
    """

    def __init__(self, trace: Trace, thread: int, times: Times) -> None:
        self.trace = trace
        self.thread = thread
        self.dropped = 0
        self._times = times
        self._open: list[TraceSpan] = []
        self._outermost: dict[Stack | None, dict[str, Stack]] = {}

    def open(self, site: Site, around: TraceSpan | None) -> TraceSpan:
        """Begin a span; if none is open here, it is inside of `around`, if any."""
        asked = perf_counter_ns()
        spans = self._open
        if spans:
            parent: TraceSpan | None = spans[-1]
            above: Stack | None = spans[-1]._stack
            known = spans[-1]._stack.below
        else:
            parent = around
            above = None if around is None else around._stack
            known = self._outermost.setdefault(above, {})
        stack = known.get(site.key)
        if stack is None:
            stack = self._times.grown(known, above, site, self.thread)
        span = TraceSpan(parent, self, stack, asked)
        if self.trace._full or not self.trace._keep(span):
            self.dropped += 1
        spans.append(span)
        span._started = perf_counter_ns()
        return span

    def close(self, span: TraceSpan, value: object) -> None:
        """End the span, the last one that was opened here, with the value of the row."""
        ended = span._ended = perf_counter_ns()
        if self.trace.values and span.error is None and span.number >= 0:
            span.value = _shown(value, span._stack.site)
        spans = self._open
        spans.pop()
        stack = span._stack
        stack.calls += 1
        stack.own_ns += ended - span._started - span._inner
        if spans:
            spans[-1]._inner += perf_counter_ns() - span._asked

    def mark(self) -> int:
        """How many spans are open here."""
        return len(self._open)

    def fail(self, mark: int) -> None:
        """End all spans that were opened here since `mark`: an error came through."""
        error = sys.exc_info()[1]
        while len(self._open) > mark:
            span = self._open[-1]
            span.error = None if error is None else code_of(error)
            self.close(span, None)


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
