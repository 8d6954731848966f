"""Where the time of a run went, by rows and by the stacks of rows that needed each other.

Time is a row's own: without that of the rows which it needed, and without what it takes to
measure. A recursion is no deeper stack: a row that is needed below itself counts where it was
first. The time of threads adds up.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphden.compile.spans import Site
from graphden.errors import Span

MOST = 100_000
"""How many stacks are told apart; a row that comes in by a further one counts as if nothing
had needed it."""


@dataclass(frozen=True, slots=True)
class RowTime:
    """The time of all evaluations of a row, in nanoseconds: its own, and with that of the rows
    that it needed.
    """

    row: str
    inline: bool
    place: Span | None
    function: str
    calls: int
    own_ns: int
    total_ns: int


@dataclass(slots=True, eq=False)
class Stack:
    """A row and, `above` it, those that needed it; the sums are of the row in this stack."""

    site: Site
    above: Stack | None
    below: dict[str, Stack] = field(default_factory=dict)
    calls: int = 0
    own_ns: int = 0

    def sites(self) -> tuple[Site, ...]:
        """The rows, from the outermost to this."""
        found = []
        stack: Stack | None = self
        while stack is not None:
            found.append(stack.site)
            stack = stack.above
        return tuple(reversed(found))


class Times:
    """The sums, by stacks. Threads may share it."""

    def __init__(self) -> None:
        self._outermost: dict[str, Stack] = {}
        self._stacks: list[Stack] = []
        self._lock = threading.Lock()

    def stack(self, above: Stack | None, site: Site) -> Stack:
        """Where the time of `site` counts when it is needed by `above`."""
        known = self._outermost if above is None else above.below
        return known.get(site.key) or self._grown(above, site, known)

    def add(self, stack: Stack, own_ns: int) -> None:
        """Count one evaluation."""
        with self._lock:
            stack.calls += 1
            stack.own_ns += own_ns

    def stacks(self) -> Iterator[tuple[tuple[Site, ...], int]]:
        """Each stack that was seen, with the nanoseconds of its innermost row."""
        for stack in self._seen():
            yield stack.sites(), stack.own_ns

    def rows(self) -> tuple[RowTime, ...]:
        """The time of each row; the row with most time of its own is first."""
        sites: dict[str, Site] = {}
        calls: dict[str, int] = {}
        own: dict[str, int] = {}
        total: dict[str, int] = {}
        for stack in self._seen():
            key = stack.site.key
            sites[key] = stack.site
            calls[key] = calls.get(key, 0) + stack.calls
            own[key] = own.get(key, 0) + stack.own_ns
            for site in stack.sites():  # each once: a recursion is no deeper stack
                total[site.key] = total.get(site.key, 0) + stack.own_ns
        found = (
            RowTime(
                site.row,
                site.inline,
                site.place,
                site.function,
                calls[key],
                own[key],
                total[key],
            )
            for key, site in sites.items()
        )
        return tuple(sorted(found, key=lambda each: -each.own_ns))

    def _grown(self, above: Stack | None, site: Site, known: dict[str, Stack]) -> Stack:
        with self._lock:
            found = known.get(site.key) or self._around(above, site.key)
            if found is None and len(self._stacks) >= MOST:
                above = None
                found = self._outermost.get(site.key)
            if found is None:
                found = Stack(site, above)
                self._stacks.append(found)
                if above is None:
                    self._outermost[site.key] = found
            known[site.key] = found
        return found

    def _around(self, stack: Stack | None, key: str) -> Stack | None:
        while stack is not None and stack.site.key != key:
            stack = stack.above
        return stack

    def _seen(self) -> list[Stack]:
        with self._lock:
            return [stack for stack in self._stacks if stack.calls]
