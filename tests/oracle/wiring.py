"""From rows as the tests made them to a program that the oracle runs: what `derived` found out,
in the words of `graphden.model`. Nothing in it is the resolver's, but for the base functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graphden import Graph
from graphden.model.resolved import Feed, Open, Parameter, Program, ResolvedRow
from graphden.model.resolved import Slot as ResolvedSlot
from graphden.model.types import ANY
from tests.oracle.making import Made, Slot


def program_of(rows: tuple[Made, ...], graph: Graph) -> Program:
    """The program of `rows`; `graph` says what base functions there are, and which arguments of
    an entry are optional.
    """
    made = {row.id: row for row in _all(rows)}
    resolved: dict[str, ResolvedRow] = {}
    for row in made.values():
        resolved[row.id] = _resolved(row, graph, resolved)
    return replace(graph.program, resolved=resolved)


def _all(rows: tuple[Made, ...]) -> Iterator[Made]:
    """Every row after those it uses."""
    for row in rows:
        yield from _all(row.uses)
        yield row


def _resolved(row: Made, graph: Graph, known: dict[str, ResolvedRow]) -> ResolvedRow:
    base = graph.resolved(row.base)
    by_root = {slot.root: (name, slot) for name, slot in row.slots.items()}
    effects = base.effects.union(*(known[used.id].effects for used in row.uses))
    known_to_engine = graph.program.resolved.get(row.id)
    engines = known_to_engine.interface if known_to_engine else {}
    return replace(
        base,
        row=replace(base.row, id=row.id, name=row.name),
        slots=tuple(_slot(slot, *by_root[slot.name]) for slot in base.slots),
        interface={
            name: Parameter(name, type_, name not in engines or engines[name].required)
            for name, type_ in row.interface.items()
        },
        feeds={
            name: Feed(feed.source, ANY, row.id)
            for name, feed in row.feeds.items()
            if feed.source is not None
        },
        effects=effects,
    )


def _slot(base: ResolvedSlot, name: str, slot: Slot) -> ResolvedSlot:
    source = slot.source
    if slot.bound is None and source is not None:
        source = Open(name, base.place, ANY, source)
    return replace(base, name=name, source=source)
