"""Several parents as one (LANGUAGE 3.2–3.4).

What counts for a slot are the bindings that no other row hides: one is hidden by that of a row
which descends from its own. Records among the parents are contracts: their fields narrow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphden.model.resolved import Feed, Open, ResolvedRow, Slot, Source
from graphden.model.resolved import Sequence as Items
from graphden.model.rows import Name, RowKind
from graphden.model.types import Record, Type
from graphden.resolve.places import all_of, type_of_slot
from graphden.resolve.sources import constant
from graphden.resolve.versions import Versions, same
from graphden.resolve.wiring import Wiring


@dataclass(frozen=True, slots=True)
class _Bound:
    """A binding that one of the parents brings, and the row that wrote it."""

    source: Source
    by: str


def merge(
    wiring: Wiring, parents: Sequence[ResolvedRow], names: Sequence[Name]
) -> ResolvedRow | None:
    """One row that has what all parents have; None when they have no common root."""
    contracts = [p for p in parents if p.row.kind is RowKind.TYPE]
    functions = [p for p in parents if p.row.kind is not RowKind.TYPE]
    first = functions[0] if functions else contracts[0]
    others = {parent.id for parent in functions or contracts}
    for parent, name in zip(parents, names, strict=True):
        if parent.id in others and parent.root.id != first.root.id:
            wiring.problem(
                "different-roots",
                name.span,
                f":{first.row.name} comes from :{first.root.name}, and "
                f":{parent.row.name} from :{parent.root.name}",
                "Parents share one root base function; only type rows may stand beside them.",
                notes=tuple(
                    (f":{each.row.name} comes from :{each.root.name}", each.row.name_span)
                    for each in (first, parent)
                    if each.row.id != each.root.id
                ),
            )
            return None
    merger = _Merger(wiring, functions)
    slots = tuple(
        merger.slot([parent.slots[index] for parent in functions])
        for index in range(len(first.slots))
    )
    merged = replace(
        first,
        chain=_chain(functions),
        slots=slots,
        feeds=merger.feeds(),
        effects=frozenset().union(*(parent.effects for parent in functions)),
        narrowed=merger.narrowed(),
        required=frozenset().union(*(parent.required for parent in functions)),
        terminal={n: by for parent in reversed(functions) for n, by in parent.terminal.items()},
    )
    merger.tell_differing()
    for contract in contracts:
        merged = _under(wiring, merged, contract)
    return merged


def _chain(parents: Sequence[ResolvedRow]) -> tuple[str, ...]:
    """Every ancestor once, each before those it comes from, the root last."""
    found: dict[str, None] = {}
    for parent in reversed(parents):
        found.update(dict.fromkeys(reversed([s for s in parent.chain if s not in found])))
    return tuple(reversed(found))


class _Merger:
    def __init__(self, wiring: Wiring, parents: Sequence[ResolvedRow]) -> None:
        self.wiring = wiring
        self.parents = parents
        self.versions = Versions(self.chain)
        self.bound_here = {a.name for a in wiring.row.arguments if a.binding.target is not None}

    def slot(self, slots: Sequence[Slot]) -> Slot:
        """One slot of the root, as all parents leave it."""
        first = slots[0]
        names = list(dict.fromkeys(slot.name for slot in slots))
        if len(names) > 1:
            self.wiring.problem(
                "name-collision",
                all_of(self.wiring.row.parents),
                f"one slot of :{self.parents[0].root.name} would have the names "
                + " and ".join(f":{name}" for name in names),
                "Give it one name in all parents.",
                notes=tuple(
                    {
                        slot.name: (f"called :{slot.name} here", slot.place.span)
                        for slot in slots
                    }.values()
                ),
            )
        merged = replace(
            first,
            type=self.type((slot.type for slot in slots), first.name, self.parents),
            required=any(slot.required for slot in slots),
            terminal_by=next((s.terminal_by for s in slots if s.terminal_by), None),
        )
        said = [(slot, _said_by(slot)) for slot in slots]
        hidden = self.hidden(by for _, by in said)
        bound = [
            _Bound(slot.source, by)
            for slot, by in said
            if slot.source is not None and not isinstance(slot.source, Open)
        ]
        kept = self.kept(bound, hidden, first.name)
        if kept is not None:
            return replace(
                merged, source=kept.source, bound_by=kept.by, place=kept.source.place
            )
        left = [slot for slot, by in said if by not in hidden]
        opened = [slot for slot in left if slot.source is not None] or left
        sources = [slot.source for slot in opened if slot.source is not None]
        return replace(
            merged,
            source=self.versions.as_one(sources) if sources else None,
            bound_by=None,
            place=opened[0].place,
        )

    def feeds(self) -> dict[str, Feed]:
        """The names that any of the parents binds."""
        found: dict[str, Feed] = {}
        for name, parents in self.saying(lambda parent: parent.feeds).items():
            feeds = [parent.feeds[name] for parent in parents]
            writers = {feed.bound_by for feed in feeds}
            hidden = self.hidden(writers)
            for parent in self.parents:
                if name not in parent.feeds:
                    # Where a row between left the name open again, that hides what was bound.
                    hidden |= writers.intersection(parent.chain)
            bound = [_Bound(feed.source, feed.bound_by) for feed in feeds]
            kept = self.kept(bound, hidden, name)
            if kept is not None:
                type_ = self.type((feed.type for feed in feeds), name, parents)
                found[name] = Feed(kept.source, type_, kept.by)
        return found

    def narrowed(self) -> dict[str, Type]:
        return {
            name: self.type((parent.narrowed[name] for parent in parents), name, parents)
            for name, parents in self.saying(lambda parent: parent.narrowed).items()
        }

    def saying(
        self, names: Callable[[ResolvedRow], Iterable[str]]
    ) -> dict[str, list[ResolvedRow]]:
        """The parents that say something of a name, for each of them."""
        found: defaultdict[str, list[ResolvedRow]] = defaultdict(list)
        for parent in self.parents:
            for name in names(parent):
                found[name].append(parent)
        return found

    def hidden(self, writers: Iterable[str]) -> set[str]:
        """The rows that others of `writers` descend from."""
        found: set[str] = set()
        for by in set(writers):
            found.update(self.chain(by)[1:])
        return found

    def kept(self, bound: Sequence[_Bound], hidden: Container[str], name: str) -> _Bound | None:
        """The binding that counts, once those that others hide are left out (3.4)."""
        by_writer: defaultdict[str, list[Source]] = defaultdict(list)
        for each in bound:
            by_writer[each.by].append(each.source)
        left = [
            _Bound(self.versions.as_one(sources), by)
            for by, sources in by_writer.items()
            if by not in hidden
        ]
        if len(left) <= 1:
            return left[0] if left else None
        if all(isinstance(each.source, Items) for each in left):
            order = [source for sources in by_writer.values() for source in sources]
            joined = self.versions.joined([each.source for each in left], order)
            return replace(left[0], source=joined)
        if all(same(left[0].source, each.source) for each in left[1:]):
            return left[0]
        rows = " and ".join(f":{self.owner(each.by)}" for each in left)
        notes = tuple((f":{self.owner(e.by)} binds it here", e.source.place.span) for e in left)
        if not all(constant(each.source) for each in left):
            self.wiring.problem(
                "parent-conflict",
                all_of(self.wiring.row.parents),
                f":{name} is bound differently by {rows}, and a reference is among them",
                "Derive from one of them only; a bound reference cannot be bound again.",
                notes=notes,
            )
        elif name not in self.bound_here:
            self.wiring.diagnostic(
                "argument-conflict",
                all_of(self.wiring.row.parents),
                f":{name} is bound to different literals by {rows}",
                f"Bind :{name} in :{self.wiring.row.name} to say which one holds.",
                notes=notes,
            )
        return left[0]

    def tell_differing(self) -> None:
        """Tell of names and defaults that the parents give differently."""
        for opened in self.versions.differing():
            names = [each.name for each in opened]
            if len(set(names)) > 1:
                self.wiring.problem(
                    "name-collision",
                    all_of(self.wiring.row.parents),
                    "one argument would have the names "
                    + " and ".join(f":{name}" for name in names),
                    "Give it one name in all parents.",
                    notes=tuple(
                        (f"called :{each.name} here", each.place.span) for each in opened
                    ),
                )
            elif names[0] not in self.bound_here:
                defaults = [each.default for each in opened if each.default is not None]
                rows = " and ".join(f":{self.owner(each.place.row)}" for each in defaults)
                self.wiring.diagnostic(
                    "argument-conflict",
                    all_of(self.wiring.row.parents),
                    f":{names[0]} has different defaults in {rows}",
                    f"Bind :{names[0]} in :{self.wiring.row.name}, or give it a default there.",
                    notes=tuple(
                        (f":{self.owner(each.place.row)} gives it this one", each.place.span)
                        for each in defaults
                    ),
                )

    def type(self, types: Iterable[Type], name: str, parents: Sequence[ResolvedRow]) -> Type:
        """The narrowest of the types that these parents give a slot."""
        found: Type | None = None
        for type_ in types:
            if found is None or found == type_:
                found = type_
                continue
            narrower = self.wiring.rows.narrower(found, type_, self.wiring.rows.types)
            if narrower is None:
                self.wiring.diagnostic(
                    "argument-conflict",
                    all_of(self.wiring.row.parents),
                    f":{name} is {found} by one parent and {type_} by another",
                    "Narrow it in one of them to a type within the other.",
                    notes=tuple(
                        dict.fromkeys(
                            note
                            for parent in parents
                            for note in type_of_slot(self.wiring.chain(parent), name)
                        )
                    ),
                )
            found = narrower or found
        if found is None:
            msg = "no types to choose from"
            raise ValueError(msg)
        return found

    def chain(self, row_id: str) -> tuple[str, ...]:
        resolved = self.wiring.rows.get(row_id)
        return () if resolved is None else resolved.chain

    def owner(self, row_id: str) -> str:
        resolved = self.wiring.rows.get(row_id)
        return row_id if resolved is None else resolved.row.owner


def _said_by(slot: Slot) -> str:
    """The row that wrote what a slot is bound to or falls back on, or that left it open."""
    match slot.source:
        case Open(default=default) if default is not None:
            return default.place.row
        case None | Open():
            return slot.place.row
        case source:
            return slot.bound_by or source.place.row


def _under(wiring: Wiring, row: ResolvedRow, contract: ResolvedRow) -> ResolvedRow:
    """`row` with the fields of a record narrowing what has their names."""
    body = wiring.rows.types.get(contract.id)
    if not isinstance(body, Record):
        return row
    fields: Mapping[str, Type] = {field.name: field.type for field in body.fields}
    slots = []
    narrowed = dict(row.narrowed)
    own = {slot.name for slot in row.slots}
    for slot in row.slots:
        wanted = fields.get(slot.name)
        if wanted is not None:
            slot = replace(slot, type=_narrow(wiring, slot.name, slot.type, wanted, contract))
        slots.append(slot)
    for name, wanted in fields.items():
        if name not in own and name in row.interface:
            before = narrowed.get(name) or row.interface[name].type
            narrowed[name] = _narrow(wiring, name, before, wanted, contract)
    return replace(row, slots=tuple(slots), narrowed=narrowed)


def _narrow(
    wiring: Wiring, name: str, before: Type, wanted: Type, contract: ResolvedRow
) -> Type:
    found = wiring.rows.narrower(before, wanted, wiring.rows.types)
    if found is None:
        wiring.diagnostic(
            "not-narrower",
            all_of(wiring.row.parents),
            f":{name} is {before}, and the contract :{contract.row.name} says {wanted}",
            f"A contract can only narrow; take another, or widen :{name} in it.",
            notes=((f":{contract.row.name} says so", contract.row.name_span),),
        )
    return found or before
