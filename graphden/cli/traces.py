"""Traces for people: rows inside each other, how long they took, what they gave."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphden.cli.output import Branch, Style, short_path
from graphden.compile.spans import label

LONG = 50
"""Spans above which those of the same row inside the same, and recursions, become one line."""

MOST = 200
"""Lines that are shown."""

LONGEST = 80
"""Characters of a value that are shown."""

DEEPEST = 16
"""Levels that are shown: what is further inside is counted."""


def report_trace(data: dict[str, Any]) -> None:
    """Print a trace, as `Trace.data` gives it, to standard error as a tree."""
    for line in drawn(data, Style(sys.stderr)):
        print(line, file=sys.stderr)


def drawn(data: dict[str, Any], style: Style) -> list[str]:
    """The lines of a trace's tree."""
    spans, dropped = data["spans"], data["dropped"]
    title = f"trace {data['id']}: {counted(len(spans) + dropped, 'span')}"
    if dropped:
        title += f", of which the first {len(spans):,} are shown"
    outermost = _grouped(spans, _way if len(spans) > LONG else _alone)
    lines = Branch(title, [group.branch(style) for group in outermost]).lines()
    more = len(lines) - MOST
    if more > 0:
        lines[MOST:] = [style("dim", f"… and {counted(more, 'line')} more: see --json")]
    return lines


def row_label(row: dict[str, Any]) -> str:
    """The row of a span, or of a row's time, as people read it."""
    return label(row["row"], row["function"], inline=row["inline"])


def row_place(row: dict[str, Any]) -> str:
    """Where a row is written: file:line:column."""
    if row["file"] is None:
        return ""
    return f"{short_path(row['file'])}:{row['line']}:{row['column']}"


def duration(ns: float) -> str:
    """Nanoseconds as people read them, in the unit that fits."""
    for unit, size in (("ns", 1), ("µs", 1e3), ("ms", 1e6)):
        if ns < 999.5 * size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns / 1e9:,.3g} s" if ns < 999.5e9 else f"{ns / 1e9:,.0f} s"


@dataclass(slots=True, eq=False)
class _Group:
    """Spans that are one line: `first` is one of them, `ns` the time of those that have ended
    and are not inside of others.
    """

    key: object
    first: dict[str, Any]
    above: _Group | None
    below: dict[object, _Group] = field(default_factory=dict)
    count: int = 0
    ended: int = 0
    ns: int = 0

    def branch(self, style: Style, level: int = 1) -> Branch:
        text = row_label(self.first)
        if self.count > 1:
            text += f" ×{self.count:,}"
        below = list(self.below.values())
        if below and level == DEEPEST:
            text += f"  ({self.inside():,} more inside)"
            below = []
        aside = [f"{duration(self.ns) if self.ended else 'open':>8}"]
        aside.append(style("dim", row_place(self.first)))
        if self.first["error"] is not None:
            aside.append(style("red", self.first["error"]))
        elif self.first["value"] is not None and self.count == 1:
            value = self.first["value"]
            value = value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
            aside.append(style("cyan", value))
        branches = [group.branch(style, level + 1) for group in below]
        return Branch(text, branches, "  ".join(filter(None, aside)))

    def inside(self) -> int:
        """How many spans are below."""
        found, waiting = 0, [*self.below.values()]
        while waiting:
            group = waiting.pop()
            found += group.count
            waiting += group.below.values()
        return found


def _alone(span: dict[str, Any]) -> object:
    return span["id"]


def _way(span: dict[str, Any]) -> object:
    """What is alike of spans that become one line: the row, and how it ended."""
    return row_label(span), span["file"], span["line"], span["column"], span["error"]


def _grouped(
    spans: Sequence[dict[str, Any]], key: Callable[[dict[str, Any]], object]
) -> list[_Group]:
    """The outermost groups of the spans that have the same key and are inside of the same; a
    span inside of its own group, as in a recursion, is part of that.
    """
    known = {span["id"] for span in spans}
    below: defaultdict[str | None, list[dict[str, Any]]] = defaultdict(list)
    for span in spans:
        below[span["parent"] if span["parent"] in known else None].append(span)
    outermost: dict[object, _Group] = {}
    seen: set[object] = set()
    active: Counter[_Group] = Counter()
    waiting: list[tuple[dict[str, Any] | None, _Group | None]]
    waiting = [(span, None) for span in reversed(below[None])]
    while waiting:
        each, above = waiting.pop()
        if each is None:  # all that is inside of one of the group has been seen
            assert above is not None
            active[above] -= 1
            continue
        alike = key(each)
        siblings = outermost if above is None else above.below
        group = siblings.get(alike) or (_around(above, alike) if alike in seen else None)
        if group is None:
            group = siblings[alike] = _Group(alike, each, above)
            seen.add(alike)
        group.count += 1
        if each["end_ns"] is not None:
            group.ended += 1
            group.ns += 0 if active[group] else each["end_ns"] - each["start_ns"]
        active[group] += 1
        waiting.append((None, group))
        waiting += [(span, group) for span in reversed(below[each["id"]])]
    return list(outermost.values())


def _around(group: _Group | None, key: object) -> _Group | None:
    while group is not None and group.key != key:
        group = group.above
    return group


def counted(count: int, what: str) -> str:
    """So many of something: `1 span`, `2 spans`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
