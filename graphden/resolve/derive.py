"""One row derived from its parent: bindings applied, references wired, interface computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphden.errors import Span
from graphden.model.resolved import (
    Open,
    Parameter,
    Place,
    ResolvedRow,
    Slot,
)
from graphden.model.rows import Argument, Items
from graphden.model.types import Type
from graphden.read.problems import first_of
from graphden.resolve.feeding import Feeding, bind_free_names, check_cycles, drawn, rename
from graphden.resolve.interface import interface_of, narrowest, offers
from graphden.resolve.matching import display
from graphden.resolve.overriding import refuse_override, refuse_terminal
from graphden.resolve.places import type_of_slot
from graphden.resolve.sources import references
from graphden.resolve.wiring import Wiring


class Derivation:
    """Applies a row's `:args` to what its parent left, or its parents merged.

    After `finish`, `wiring` has the problems found, and whether the row is incomplete.
    """

    def __init__(self, wiring: Wiring, parent: ResolvedRow) -> None:
        self.rows = wiring.rows
        self.row = wiring.row
        self.parent = parent
        self.slots = list(parent.slots)
        self.wiring = wiring

    def finish(self) -> ResolvedRow:
        """The resolved row."""
        positions = {slot.name: index for index, slot in enumerate(self.slots)}
        own = [a for a in self.row.arguments if a.name in positions]
        rest = [a for a in self.row.arguments if a.name not in positions]
        self.wiring.fed = frozenset(self.parent.feeds) | {
            a.name for a in rest if a.binding.target or a.binding.as_name
        }
        for argument in own:
            self._bind_slot(positions[argument.name], argument)
        self._check_collisions(own)
        feeding = bind_free_names(self.wiring, self.parent, self.slots, rest)
        self._note_items(own, feeding)
        rename(self.wiring, feeding, self.slots, rest)
        check_cycles(self.wiring, feeding, rest)
        interface = interface_of(
            self.slots,
            offers(drawn(self.slots, feeding.feeds), self.rows.get, feeding.feeds),
            feeding.narrowed,
            feeding.required,
            self._narrowest,
        )
        self._check_lambda_params(interface)
        return self._resolved(feeding, interface)

    def _resolved(self, feeding: Feeding, interface: Mapping[str, Parameter]) -> ResolvedRow:
        row, parent = self.row, self.parent
        mine = [
            ref.target
            for source in drawn(self.slots, feeding.feeds)
            for ref in references(source)
            if ref.place.row == row.id
        ]
        targets = tuple(dict.fromkeys(mine))
        effects = set(parent.effects)
        for target in targets:
            resolved = self.rows.get(target)
            effects |= resolved.effects if resolved else frozenset()
        result = parent.result
        if row.return_type is not None:
            result = self.rows.type(row.return_type, row)
        return ResolvedRow(
            row=row,
            chain=(row.id, *parent.chain),
            root=parent.root,
            slots=tuple(self.slots),
            interface=interface,
            effects=frozenset(effects),
            result=result,
            feeds=feeding.feeds,
            narrowed=feeding.narrowed,
            required=frozenset(feeding.required),
            terminal=feeding.terminal,
            targets=targets,
            parents=parent.parents,
        )

    def _bind_slot(self, index: int, argument: Argument) -> None:
        slot, binding = self.slots[index], argument.binding
        place = Place(self.row.id, (argument.name,), binding.span)
        bound = slot.source is not None and not isinstance(slot.source, Open)
        if slot.terminal_by is not None:
            refuse_terminal(
                self.wiring, self.parent, argument, slot.terminal_by, is_open=not bound
            )
            return
        before = slot.source if bound else None
        default = slot.source.default if isinstance(slot.source, Open) else None
        binds = binding.target is not None or binding.as_name is not None
        if binds and refuse_override(
            self.wiring, self.parent, argument, before, bound_by=slot.bound_by, type_=slot.type
        ):
            return
        type_ = self.wiring.narrowed(
            argument.name,
            binding,
            slot.type,
            said=type_of_slot(self.wiring.chain(self.parent), argument.name)
            if binding.type is not None
            else (),
        )
        name, bound_by, at = slot.name, slot.bound_by, slot.place
        source = self.wiring.bound(binding, type_, place, before)
        if binding.as_name is not None:
            name, default = binding.as_name.text, source or default
            source = None if default is None else Open(name, place, type_, default)
            bound_by, at = None, place
        elif source is not None:
            bound_by, at = self.row.id, place
        else:
            source = slot.source
        if binding.required and isinstance(source, Open):
            source, at = None, place  # what must be given has no use for a default (4.7)
        self.slots[index] = Slot(
            slot.declaration,
            name,
            type_,
            slot.required or binding.required,
            at,
            source,
            bound_by,
            self.row.owner if binding.terminal else slot.terminal_by,
        )

    def _check_collisions(self, own: Iterable[Argument]) -> None:
        by_name: dict[str, int] = {}
        before = self.parent.slots
        for index, slot in enumerate(self.slots):
            first = by_name.setdefault(slot.name, index)
            if first != index and before[first].name != before[index].name:
                other = self.slots[first]
                span = self._span_of(slot.name, own)
                named = (each.place.span for each in (other, slot))
                self.wiring.problem(
                    "name-collision",
                    span,
                    f":{other.declaration.name} and :{slot.declaration.name} of "
                    f":{self.parent.root.name} would both be called :{slot.name}",
                    "Give one of them another name with {:as …}.",
                    notes=tuple(
                        (f"called :{slot.name} here too", at)
                        for at in named
                        if not _covers(at, span)
                    ),
                )

    def _span_of(self, name: str, own: Iterable[Argument]) -> Span:
        """Where this row gives a slot that name."""
        for argument in own:
            as_name = argument.binding.as_name
            if as_name is not None and as_name.text == name:
                return as_name.span
        return self.row.span

    def _note_items(self, own: Iterable[Argument], feeding: Feeding) -> None:
        """What items say of the arguments that they make."""
        for argument in own:
            target = argument.binding.target
            for item in target.items if isinstance(target, Items) else ():
                if item.as_name is not None and item.required:
                    feeding.required.add(item.as_name.text)
                if item.as_name is not None and item.terminal:
                    feeding.terminal[item.as_name.text] = self.row.owner

    def _check_lambda_params(self, interface: Mapping[str, Parameter]) -> None:
        for name in self.row.lambda_params or ():
            if name.text not in interface and not self.wiring.incomplete:
                listed = first_of(interface)
                self.wiring.problem(
                    "invalid-lambda-params",
                    name.span,
                    f":{name.text} is not a free argument of {display(self.row)}",
                    self.rows.spelling.did_you_mean(name.text, interface)
                    or (f"It has {listed}." if listed else "It has none; write [] for none."),
                )

    def _narrowest(self, types: Iterable[Type]) -> Type:
        return narrowest(types, self.rows.narrower, self.rows.types)


def _covers(outer: Span, inner: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    ends = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return outer.file == inner.file and begins and ends
