"""Where an expectation comes from: a declaration, a binding or the type row that says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphden.check.findings import Clash, Finding, short
from graphden.check.solve import variables
from graphden.check.within import way
from graphden.errors import Notes, Span
from graphden.model.resolved import (
    Constant,
    Open,
    Place,
    Program,
    ResolvedRow,
    Slot,
    Source,
    Use,
    Wrap,
)
from graphden.model.resolved import Sequence as Items
from graphden.model.rows import RowKind
from graphden.model.types import Record, Type
from graphden.resolve.feeding import drawn
from graphden.resolve.places import type_of_slot
from graphden.resolve.sources import references


def of_finding(program: Program, finding: Finding) -> Notes:
    """The places that belong to a finding: where it no longer fits, what says the expectation,
    what fixed a type variable in it, and what gives the value that came.
    """
    notes: list[tuple[str, Span]] = []
    row = program.resolved[finding.place.row]
    if finding.first is not None:
        notes.append((f"in :{finding.inside} it then does not fit here", finding.first.span))
        if finding.first.row not in row.chain:
            row = program.resolved[finding.first.row]
    clash = finding.clash
    if clash is not None:
        notes.extend(_of_expectation(program, row, clash))
        notes.extend(_of_variable(row, clash))
        notes.extend(of_type(program, clash.expected, clash.path))
    at = finding.first or finding.place
    source = source_at(program.resolved[at.row], at)
    if clash is None and isinstance(source, Wrap):
        notes.extend(_of_call(program, row, source))
    if finding.code in ("type-mismatch", "missing-field") and isinstance(source, Use):
        target = program.rows[source.target]
        if not target.inline and target.package is None:
            notes.append((f":{target.name} is defined here", target.name_span))
    named = {span: label for label, span in reversed(notes) if span != finding.place.span}
    return tuple((label, span) for span, label in reversed(named.items()))


def _of_expectation(program: Program, row: ResolvedRow, clash: Clash) -> Notes:
    name, of = clash.name, clash.of
    if of is None and any(slot.name == name for slot in row.slots):
        return of_slot(program, row, name)
    for source in drawn(row.slots, row.feeds):
        for ref in references(source):
            if of is None:
                inner = list(_fed_by(program, ref, name))
            else:
                inner = [name] if program.rows[ref.target].name == of else []
            for each in inner:
                if found := of_argument(program, ref.target, each, clash.expected):
                    return found
    return of_slot(program, row, name if of is None else of)


def _of_variable(row: ResolvedRow, clash: Clash) -> Notes:
    for slot in row.slots:
        if slot.name == clash.fixed_by != clash.name:
            place = slot.place if slot.source is None else slot.source.place
            return ((f":{slot.name} makes it {short(clash.expected)}", place.span),)
    return ()


def _of_call(program: Program, row: ResolvedRow, wrap: Wrap) -> Notes:
    """What a callable is called with, and what it takes."""
    handed = [
        (f":{slot.name} gives what it is called with", slot.source.place.span)
        for slot in handing(row, wrap)
        if slot.source is not None
    ]
    takes: list[tuple[str, Span]] = []
    for receiver in wrap.receivers:
        parameter = program.resolved[wrap.target].interface.get(receiver or "")
        if parameter is not None:
            takes += of_argument(program, wrap.target, parameter.name, parameter.type)
    return (*handed, *takes)


def handing(row: ResolvedRow, wrap: Source | None) -> Iterator[Slot]:
    """The slots whose values decide what a callable in another slot is called with."""
    own = [s for s in row.slots if s.source and wrap in (s.source, *_items(s.source))]
    asked = {name for slot in own for name in variables(slot.declaration.type)}
    for slot in row.slots:
        shares = asked & variables(slot.declaration.type)
        if shares and slot not in own and slot.source is not None:
            yield slot


def _items(source: Source | None) -> tuple[Source, ...]:
    return source.items if isinstance(source, Items) else ()


def source_at(row: ResolvedRow, place: Place) -> Source | None:
    """What a row binds at a place."""
    waiting = list(drawn(row.slots, row.feeds))
    waiting += [slot.source for slot in row.slots if isinstance(slot.source, Open)]
    for source in waiting:
        if source.place == place:
            return source
        if isinstance(source, Items):
            waiting.extend(source.items)
        elif not isinstance(source, Constant):
            waiting.extend(ref for ref in references(source) if ref is not source)
    return None


def of_slot(program: Program, row: ResolvedRow, name: str) -> Notes:
    """Where the type of the row's slot `name` was said."""
    for ancestor in row.chain:
        resolved = program.resolved.get(ancestor)
        for parent in resolved.parents if resolved and len(resolved.parents) > 1 else ():
            contract = program.rows[parent]
            body = program.types.get(parent)
            if isinstance(body, Record) and any(f.name == name for f in body.fields):
                return ((f":{contract.name} says so", contract.name_span),)
    return type_of_slot([program.rows[step] for step in row.chain], name)


def of_argument(program: Program, row_id: str, name: str, wanted: Type) -> Notes:
    """Where the type `wanted` of the free argument `name` was said: at the slot that it feeds,
    or by a row between; else the place where the argument is opened.
    """
    found = next(_argument(program, row_id, name, wanted, set()), None)
    parameter = program.resolved[row_id].interface.get(name)
    if found is None and parameter is not None and parameter.origins:
        return ((f":{name} is this argument", parameter.origins[0].span),)
    return found or ()


def _argument(
    program: Program, row_id: str, name: str, wanted: Type, seen: set[tuple[str, str]]
) -> Iterator[Notes]:
    row = program.resolved[row_id]
    parameter = row.interface.get(name)
    if parameter is None or parameter.type != wanted or (row_id, name) in seen:
        return
    seen.add((row_id, name))
    for slot in row.slots:
        is_open = slot.source is None or isinstance(slot.source, Open)
        if is_open and slot.name == name and slot.type == wanted:
            yield of_slot(program, row, name)
    if row.narrowed.get(name) == wanted:
        yield of_slot(program, row, name)
    for source in drawn(row.slots, row.feeds):
        for ref in references(source):
            for inner in _fed_by(program, ref, name):
                yield from _argument(program, ref.target, inner, wanted, seen)
    for place in parameter.origins:
        yield ((f":{name} is this argument", place.span),)


def _fed_by(program: Program, ref: Use | Wrap, name: str) -> Iterator[str]:
    received = ref.receivers if isinstance(ref, Wrap) else ()
    for inner in program.resolved[ref.target].interface:
        outer = ref.renamed[inner].name if inner in ref.renamed else inner
        if outer == name and inner not in received:
            yield inner


def of_type(program: Program, type_: Type, path: Sequence[object] = ()) -> Notes:
    """The type row, of those that the author wrote, that says what is expected at `path`."""
    for met in reversed(way(type_, path, program.types).rows):
        row = program.rows[met]
        if row.package is None:
            return ((f":{row.name} says so", row.name_span),)
    return ()


def of_effect(program: Program, row: ResolvedRow, effect: str) -> tuple[str, Notes]:
    """The base function that brings an effect, and the place where rows of a graph reach it."""
    came: dict[str, str | None] = {row.id: None}
    queue = [row.id]
    for row_id in queue:
        each = program.resolved[row_id]
        if each.row.kind is RowKind.BASE and effect in each.row.effects:
            return each.row.name, _way(program, came, row_id, effect)
        for needed in (*each.parents, *each.targets):
            if needed in program.resolved and needed not in came:
                came[needed] = row_id
                queue.append(needed)
    return "", ()


def _way(program: Program, came: dict[str, str | None], base: str, effect: str) -> Notes:
    """The last row on the way that a package did not bring."""
    reached = base
    by = came[base]
    while by is not None and program.rows[by].package is not None:
        reached, by = by, came[by]
    if by is None:
        return ()
    row, needed = program.rows[by], program.rows[reached]
    label = f":{needed.name}, needed here, has :{effect}"
    for name in row.parents:
        if name.text.rpartition("/")[2] == needed.name:
            return ((label, name.span),)
    resolved = program.resolved[by]
    for source in drawn(resolved.slots, resolved.feeds):
        for ref in references(source):
            if ref.target == reached and ref.place.row == by:
                return ((label, ref.place.span),)
    return ((label, row.name_span),)
