"""Traces for people: rows inside each other, how long they took, what they gave."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphden.cli.output import Branch, Style, short_path
from graphden.compile.spans import label

LONG = 50
"""Lines of a tree above which spans of the same row, inside the same, become one line."""

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
    outermost = _tree(spans)
    if _size(outermost) > LONG:
        outermost = _merged(outermost)
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


@dataclass(slots=True)
class _Group:
    """Spans of one row inside the same: `first` is one of them, `ns` the time of those that
    have ended. `hidden` spans are too far inside to be shown.
    """

    first: dict[str, Any]
    ns: int
    count: int = 1
    below: list[_Group] = field(default_factory=list)
    hidden: int = 0

    def branch(self, style: Style) -> Branch:
        text = row_label(self.first)
        if self.count > 1:
            text += f" ×{self.count:,}"
        if self.hidden:
            text += f"  ({self.hidden:,} more inside)"
        ended = self.count > 1 or self.first["end_ns"] is not None
        aside = [f"{duration(self.ns) if ended else 'open':>8}"]
        aside.append(style("dim", row_place(self.first)))
        if self.first["error"] is not None:
            aside.append(style("red", self.first["error"]))
        elif self.first["value"] is not None and self.count == 1:
            value = self.first["value"]
            value = value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
            aside.append(style("cyan", value))
        below = [group.branch(style) for group in self.below]
        return Branch(text, below, "  ".join(filter(None, aside)))


def _tree(spans: Sequence[dict[str, Any]]) -> list[_Group]:
    """Each span by itself, inside of its parent."""
    known = {span["id"] for span in spans}
    below: defaultdict[str | None, list[dict[str, Any]]] = defaultdict(list)
    for span in spans:
        below[span["parent"] if span["parent"] in known else None].append(span)
    inside: defaultdict[str | None, int] = defaultdict(int)
    for span in reversed(spans):  # each comes after its parent
        inside[span["parent"]] += 1 + inside[span["id"]]

    def group(span: dict[str, Any], level: int) -> _Group:
        made = _Group(span, 0 if span["end_ns"] is None else span["end_ns"] - span["start_ns"])
        if level < DEEPEST:
            made.below = [group(each, level + 1) for each in below[span["id"]]]
        else:
            made.hidden = inside[span["id"]]
        return made

    return [group(span, 1) for span in below[None]]


def _merged(groups: Iterable[_Group]) -> list[_Group]:
    """Spans of the same row that ended in the same way as one group, at every level."""
    found: dict[tuple[object, ...], _Group] = {}
    for each in groups:
        of = each.first
        key = (row_label(of), of["file"], of["line"], of["column"], of["error"])
        same = found.get(key)
        if same is None:
            found[key] = each
        else:
            same.ns += each.ns
            same.count += each.count
            same.hidden += each.hidden
            same.below += each.below
    for each in found.values():
        each.below = _merged(each.below)
    return list(found.values())


def _size(groups: Iterable[_Group]) -> int:
    return sum(1 + _size(group.below) for group in groups)


def counted(count: int, what: str) -> str:
    """So many of something: `1 span`, `2 spans`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
