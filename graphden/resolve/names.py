"""Looking names up (LANGUAGE 1.2–1.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from graphden.errors import Notes, Problem
from graphden.model.rows import Binding, Inline, Items, Name, Reference, Row, RowKind
from graphden.model.types import PRIMITIVES
from graphden.read.problems import Spelling, nearest, with_slash


class Role(StrEnum):
    """What a name is written for."""

    PARENT = "parent"
    REFERENCE = "reference"
    TYPE = "type"


OFFERS = 100
"""For how many unknown names a known one is looked for: each is compared with all that are."""


LISTED = 20
"""How many of the rows that an ambiguous name may mean are listed."""


class Names:
    """All rows of a graph by name. Rows of packages see rows of packages only.

    `rows` are all of them, `written` those written at top level. `duplicates` are pairs of rows
    with one identity; only the first of them counts. What `before` knows of the same rows is
    taken from there.
    """

    def __init__(self, rows: Iterable[Row], before: Names | None = None) -> None:
        self.rows: dict[str, Row] = {}
        self.written: dict[str, Row] = {}
        self._inside: dict[str, tuple[Row, ...]] = {}
        self.duplicates: list[tuple[Row, Row]] = []
        self.spelling = Spelling()
        self._unknown_names = 0
        self._by_name: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            if row.id in self.rows:
                self.duplicates.append((self.rows[row.id], row))
                continue
            self._by_name[row.name].append(row)
            self.written[row.id] = row
            self.rows[row.id] = row
            same = before is not None and before.written.get(row.id) is row
            inside = before._inside[row.id] if before and same else tuple(inline_rows(row))
            self._inside[row.id] = inside
            for each in inside:
                self.rows[each.id] = each

    def candidates(self, name: str, by: Row) -> list[Row]:
        """The rows that `name`, written in row `by`, may mean, private ones included."""
        if "/" in name:
            row = self.rows.get(name)
            return [row] if row is not None and not row.inline and _sees(by, row) else []
        own = self.rows.get(f"{by.namespace}/{name}")
        if own is not None and _sees(by, own):
            return [own]
        return [row for row in self._by_name.get(name, ()) if _sees(by, row)]

    def find(self, name: Name, by: Row, role: Role) -> Row | Problem:
        """The row that `name`, written in row `by`, means; else the problem."""
        found = self.candidates(name.text, by)
        usable = [row for row in found if not row.private or row.namespace == by.namespace]
        shown = f":{name.text}"
        notes: Notes = ()
        match usable:
            case [row]:
                return row
            case [] if found:
                code, message = (
                    "private-row",
                    f"{shown} is private to the namespace {found[0].namespace}",
                )
                hint = (
                    "Rows whose names begin with _ can be referred to in their own namespace "
                    "only."
                )
                notes = (("private here", found[0].name_span),)
            case []:
                code, message, hint = self._unknown(name.text, by, role)
            case several:
                rows = sorted(several, key=lambda row: row.id)[:LISTED]
                ids = [f":{row.id}" for row in rows]
                more = len(several) - len(rows)
                listed = ", ".join(ids) + (f" and {more:,} more" if more else "")
                code, message = "ambiguous-name", f"{shown} may mean {listed}"
                hint = f"Write the one you mean in full, such as {ids[0]}."
                notes = tuple((f"this is :{row.id}", row.name_span) for row in rows)
        return Problem(code, message, hint, by.owner, name.span, notes=notes)

    def _unknown(self, name: str, by: Row, role: Role) -> tuple[str, str, str]:
        self._unknown_names += 1
        offered = () if self._unknown_names > OFFERS else self.rows.values()
        known = {
            row.id if "/" in name else row.name
            for row in offered
            if not row.inline
            and (role is not Role.TYPE or row.kind is RowKind.TYPE)
            and (not row.private or row.namespace == by.namespace)
            and _sees(by, row)
        }
        if role is Role.TYPE:
            close = self.spelling.did_you_mean(name, known | PRIMITIVES)
            own = "A type is a primitive such as :int, or a type row."
            return "unknown-type", f"there is no type :{name}", close or own
        close = self.spelling.did_you_mean(name, known)
        meant = self.rows.get(with_slash(name))
        if meant is not None and self.candidates(meant.id, by):
            close = f"Did you mean :{meant.id}?"
        if role is Role.REFERENCE:
            data = f"If it is data, write {{:value :{name}}}"
            close = f"{close} {data}." if close else f"{data}; if an argument, {{:as :{name}}}."
        else:
            close = close or "A parent is a row of this graph or of an installed package."
        return "unknown-row", f"there is no row :{name}", close


def _sees(by: Row, row: Row) -> bool:
    return by.package is None or row.package is not None


def meant_row(name: str, rows: Mapping[str, Row]) -> str:
    """`Did you mean :x?` for a name from outside that no row has, or nothing."""
    known = [row for row in rows.values() if not row.private and not row.inline]
    ids = {row.id for row in known}
    names = {row.name for row in known}
    namespace, _, simple = with_slash(name).rpartition("/")
    elsewhere = sorted(row.id for row in known if row.name == simple)
    if f"{namespace}/{simple}" in ids:
        close: str | None = f"{namespace}/{simple}"
    elif namespace in names:
        close = namespace  # and its slot or field
    elif elsewhere:
        close = elsewhere[0]
    else:
        close = nearest(name, ids if namespace else names)
    return f"Did you mean :{close}?" if close else ""


def inline_rows(row: Row) -> Iterator[Row]:
    """The rows written inside the `:args` of a row, at any depth."""
    for argument in row.arguments:
        yield from _inside(argument.binding)


def _inside(binding: Binding) -> Iterator[Row]:
    match binding.target:
        case Inline(row=row):
            yield row
            yield from inline_rows(row)
        case Items(items=items):
            for item in items:
                yield from _inside(item)


def names_of(row: Row) -> Iterator[Name]:
    """The names of rows that a row and those inside it are written with."""
    for written in (row, *inline_rows(row)):
        yield from written.parents
        yield from _references_in(written)


def _references_in(row: Row) -> Iterator[Name]:
    for argument in row.arguments:
        yield from _names_of_binding(argument.binding)


def _names_of_binding(binding: Binding) -> Iterator[Name]:
    match binding.target:
        case Reference(name=name):
            yield name
        case Items(items=items):
            for item in items:
                yield from _names_of_binding(item)
