"""Where the time of a run went, by rows and by the stacks of rows that needed each other.

Time is a row's own: without that of the rows which it needed, and without what it takes to
measure. A recursion is no deeper stack: a row that is needed below itself counts where it was
first. The time of threads adds up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from graphden.compile.spans import Site
from graphden.errors import Span

MOST = 100_000
"""How many stacks are told apart; a row in a further one counts as if nothing had needed it."""


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
    """A row and, `above` it, those that needed it; the sums are of the row in this stack, as
    far as one thread evaluated it: so no thread waits for another to count.
    """

    site: Site
    above: Stack | None
    thread: int
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
    """The stacks of some threads."""

    def __init__(self) -> None:
        self._stacks: list[Stack] = []
        self._keys: set[str] = set()
        self._rest: dict[tuple[str, int], Stack] = {}

    def grown(
        self, known: dict[str, Stack], above: Stack | None, site: Site, thread: int
    ) -> Stack:
        """The stack of `site` when it is needed by `above`, from now on also in `known`."""
        key = site.key
        found = above if key in self._keys else None
        while found is not None and found.site.key != key:
            found = found.above
        if found is not None and found.thread != thread:
            above, found = found.above, None
        if found is None and len(self._stacks) >= MOST:
            above, found = None, self._rest.get((key, thread))
        if found is None:
            found = Stack(site, above, thread)
            self._stacks.append(found)
            self._keys.add(key)
            if len(self._stacks) > MOST:
                self._rest[key, thread] = found
        known[key] = found
        return found

    def stacks(self) -> Iterator[tuple[tuple[Site, ...], int]]:
        """Each stack that was seen, with the nanoseconds of its innermost row."""
        own: dict[tuple[str, ...], int] = {}
        known: dict[tuple[str, ...], tuple[Site, ...]] = {}
        for stack in tuple(self._stacks):
            if not stack.calls:
                continue
            sites = stack.sites()
            keys = tuple(site.key for site in sites)
            known.setdefault(keys, sites)
            own[keys] = own.get(keys, 0) + stack.own_ns
        for keys, sites in known.items():
            yield sites, own[keys]

    def rows(self) -> tuple[RowTime, ...]:
        """The time of each row; the row with most time of its own is first."""
        sites: dict[str, Site] = {}
        calls: dict[str, int] = {}
        own: dict[str, int] = {}
        total: dict[str, int] = {}
        inside: dict[Stack, int] = {}
        for stack in reversed(tuple(self._stacks)):  # each comes after the one above it
            key = stack.site.key
            taken = stack.own_ns + inside.get(stack, 0)
            total[key] = total.get(key, 0) + taken
            if stack.above is not None:
                inside[stack.above] = inside.get(stack.above, 0) + taken
            if stack.calls:
                sites[key] = stack.site
                calls[key] = calls.get(key, 0) + stack.calls
                own[key] = own.get(key, 0) + stack.own_ns
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
