"""Which variant of a row's code is written, and what a traced one tells while it runs.

The traced variant is called with a `Tracer`, behind the context. Before it evaluates a row it
opens a span, and closes it with the value; a function that fails ends the spans it opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from graphden.errors import Span
from graphden.model.types import Type


class Variant(NamedTuple):
    """How a row is written. With `checks`, the code looks where LANGUAGE 7.5 says so whether
    the run should end. A `traced` one tells of every row that it evaluates.
    """

    checks: bool = True
    traced: bool = False


PLAIN = Variant(checks=False)
CHECKED = Variant()
TRACED = Variant(traced=True)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A row as it is written at `place`: what spans are of. An inline row is told by the row
    `row` that it is written in; another one is that itself. It comes from the base function row
    `function` and gives a value of `type`. `key` tells it from all others.
    """

    key: str
    row: str
    inline: bool
    place: Span | None
    function: str
    type: Type
    types: Mapping[str, Type]


def label(row: str, function: str, *, inline: bool) -> str:
    """A row as people read it: an inline one by the row that it is written in, and what it
    is.
    """
    return f":{row} › {function.rpartition('/')[2]}" if inline else f":{row}"


class Tracer(Protocol):
    """What a traced entry is called with."""

    def here(self) -> ThreadTracer:
        """What the code calls in the thread that it runs in."""


class ThreadTracer(Protocol):
    """What traced code calls. A span is inside of those that the thread has open."""

    def open(self, site: Site, around: Any) -> Any:
        """Begin a span; if the thread has none open, it is inside of `around`, if any."""

    def close(self, span: Any, value: object) -> None:
        """End the span, the last one that was opened, with the value of the row."""

    def mark(self) -> int:
        """How many spans are open."""

    def fail(self, mark: int) -> None:
        """End all spans that were opened since `mark`: an error came through."""
