"""One row derived from its parent: bindings applied, references wired, interface computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from graphden.errors import Problem, Span
from graphden.model.resolved import (
    Constant,
    Feed,
    Handing,
    Open,
    Parameter,
    Place,
    ResolvedRow,
    Sequence,
    Slot,
    Source,
    Use,
    Wrap,
)
from graphden.model.rows import (
    Argument,
    Binding,
    Inline,
    Items,
    Literal,
    Name,
    Reference,
    Row,
    Target,
    Unreadable,
)
from graphden.model.types import ANY, Type
from graphden.read.problems import did_you_mean
from graphden.resolve.interface import Offer, interface_of, offers
from graphden.resolve.matching import Mismatch, match_parameters
from graphden.resolve.sources import constant, references, refers, reopen
from graphden.resolve.types import Narrower, as_callable, item_type


class Rows(Protocol):
    """What a derivation asks of the other rows."""

    types: dict[str, Type]
    problems: list[Problem]
    incomplete: set[str]
    narrower: Narrower

    def find(self, name: Name, by: Row) -> Row | None: ...

    def get(
        self, row_id: str, at: Span | None = None, by: Row | None = None
    ) -> ResolvedRow | None: ...

    def type(self, type_: Type, row: Row) -> Type: ...


@dataclass(slots=True)
class _Feeding:
    """What the bindings of free names come to; computed again until the types stand."""

    feeds: dict[str, Feed]
    changes: dict[str, Open]
    bound: list[Argument]


class Derivation:
    """Applies a row's `:args` to what its parent left."""

    def __init__(self, rows: Rows, row: Row, parent: ResolvedRow) -> None:
        self.rows = rows
        self.row = row
        self.parent = parent
        self.slots = list(parent.slots)
        self.narrowed = dict(parent.narrowed)
        self.required = set(parent.required)
        self.terminal = dict(parent.terminal)
        self.handings: list[Handing] = []
        self.problems: list[Problem] = []
        self.incomplete = parent.row.id in rows.incomplete
        self.fed: frozenset[str] = frozenset()

    def finish(self) -> ResolvedRow:
        """The resolved row; problems go to the rows' list."""
        positions = {slot.name: index for index, slot in enumerate(self.slots)}
        own = [a for a in self.row.arguments if a.name in positions]
        rest = [a for a in self.row.arguments if a.name not in positions]
        self.fed = frozenset(self.parent.feeds) | {
            a.name for a in rest if a.binding.target or a.binding.as_name
        }
        for argument in own:
            self._bind_slot(positions[argument.name], argument)
        self._check_collisions(own)
        feeding = self._feed(rest)
        feeds = self._renamed(feeding)
        self._check_feed_cycles(feeds)
        interface = interface_of(
            self.slots,
            offers(self._sources(feeds), self._target, feeds),
            self.narrowed,
            self.required,
            self._narrowest,
        )
        self._check_lambda_params(interface)
        self.rows.problems.extend(self.problems)
        if self.incomplete:
            self.rows.incomplete.add(self.row.id)
        return self._resolved(feeds, interface)

    def _resolved(
        self, feeds: Mapping[str, Feed], interface: Mapping[str, Parameter]
    ) -> ResolvedRow:
        row, parent = self.row, self.parent
        mine = [
            ref
            for source in self._sources(feeds)
            for ref in references(source)
            if ref.place.row == row.id
        ]
        targets = tuple(dict.fromkeys(ref.target for ref in mine))
        effects = set(parent.effects)
        for target in targets:
            resolved = self._target(target)
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
            feeds=feeds,
            narrowed=self.narrowed,
            required=frozenset(self.required),
            terminal=self.terminal,
            targets=targets,
            handings=tuple(self.handings),
        )

    # -- own slots ---------------------------------------------------------------------------

    def _bind_slot(self, index: int, argument: Argument) -> None:
        slot, binding = self.slots[index], argument.binding
        place = Place(self.row.id, (argument.name,), binding.span)
        if slot.terminal_by is not None:
            self._refuse_terminal(argument, slot.terminal_by)
            return
        if binding.type is not None:
            slot = replace(slot, type=self.rows.type(binding.type, self.row))
        if binding.required:
            slot = replace(slot, required=True)
        if binding.terminal:
            slot = replace(slot, terminal_by=self.row.owner)
        if binding.target is None and binding.as_name is None:
            self.slots[index] = slot
            return
        before = None if isinstance(slot.source, Open) else slot.source
        if before is not None and self._refused(before, slot.bound_by, argument, slot.type):
            return
        source = self._bound(binding, slot.type, place, before)
        if binding.as_name is None:
            if source is not None:
                slot = replace(
                    slot, source=source, bound_by=self.row.id, place=place, required=False
                )
        else:
            name = binding.as_name.text
            if source is None and isinstance(slot.source, Open):
                source = slot.source.default
            opened = None if source is None else Open(name, place, slot.type, source)
            required = slot.required if source is None else binding.required
            slot = replace(
                slot, name=name, source=opened, bound_by=None, place=place, required=required
            )
        self.slots[index] = slot

    def _check_collisions(self, own: Iterable[Argument]) -> None:
        by_name: dict[str, Slot] = {}
        for slot in self.slots:
            other = by_name.setdefault(slot.name, slot)
            if other is slot:
                continue
            span = self.row.span
            for argument in own:
                as_name = argument.binding.as_name
                if as_name is not None and as_name.text == slot.name:
                    span = as_name.span
            self._problem(
                "name-collision",
                span,
                f"two slots would be :{slot.name}: {other.declaration.name} and "
                f"{slot.declaration.name} of {self.parent.root.name}",
                "Give one of them another name with {:as …}.",
            )

    # -- names that references have free -------------------------------------------------------

    def _feed(self, arguments: list[Argument]) -> _Feeding:
        """Bind free names. Which reference is wrapped depends on the types of names that other
        bindings of the same row bring in, so this runs until the types no longer change.
        """
        problems, handings, incomplete = self.problems, self.handings, self.incomplete
        known: dict[str, Type] | None = None
        for _ in range(len(arguments) + 2):
            self.problems, self.handings = list(problems), list(handings)
            self.incomplete = incomplete
            feeding = self._feed_once(arguments, known or {})
            offered = offers(self._sources({**self.parent.feeds, **feeding.feeds},
                                           feeding.changes), self._target, {})
            types = {name: self._narrowest(o.type for o in of) for name, of in offered.items()}
            if types == known:
                break
            known = types
        for argument in arguments:
            self._check_known(argument, offered)
        return feeding

    def _feed_once(self, arguments: list[Argument], known: Mapping[str, Type]) -> _Feeding:
        feeding = _Feeding(dict(self.parent.feeds), {}, arguments)
        for argument in arguments:
            name, binding = argument.name, argument.binding
            place = Place(self.row.id, (name,), binding.span)
            if name in self.parent.terminal:
                self._refuse_terminal(argument, self.parent.terminal[name])
                continue
            before = self.parent.feeds.get(name)
            type_ = self.narrowed.get(name) or known.get(name) or (before.type if before else ANY)
            if binding.type is not None:
                type_ = self.narrowed[name] = self.rows.type(binding.type, self.row)
            if binding.required:
                self.required.add(name)
            if binding.terminal:
                self.terminal[name] = self.row.owner
            if binding.target is None and binding.as_name is None:
                continue
            old = before.source if before else None
            if old is not None and self._refused(
                old, before.bound_by if before else None, argument, type_
            ):
                continue
            source = self._bound(binding, type_, place, old)
            if binding.as_name is not None:
                feeding.changes[name] = Open(binding.as_name.text, place, type_, source)
                feeding.feeds.pop(name, None)
            elif source is not None:
                feeding.feeds[name] = Feed(source, type_, self.row.id)
        return feeding

    def _check_known(self, argument: Argument, offered: Mapping[str, list[Offer]]) -> None:
        name = argument.name
        if name in offered or name in self.parent.feeds or self.incomplete:
            return
        known = [slot.name for slot in self.slots] + list(offered)
        listed = ", ".join(f":{one}" for one in dict.fromkeys(known))
        hint = did_you_mean(name, known)
        if not hint:
            hint = f"It has {listed}." if listed else "It has none."
        self._problem(
            "unknown-slot",
            argument.name_span,
            f":{self.parent.row.name} has no slot or free argument :{name}",
            hint,
        )

    def _renamed(self, feeding: _Feeding) -> dict[str, Feed]:
        """Apply the renames of this row to every name its references have free."""
        changes = feeding.changes
        if not changes:
            return feeding.feeds
        for index, slot in enumerate(self.slots):
            match slot.source:
                case None:
                    pass
                case Open(default=None):
                    pass
                case Open(default=default) as opened if default is not None:
                    again = reopen(default, changes, self._captured)
                    self.slots[index] = replace(slot, source=replace(opened, default=again))
                case source:
                    again = reopen(source, changes, self._captured)
                    self.slots[index] = replace(slot, source=again)
        for old, opened in changes.items():
            if old in self.narrowed:
                self.narrowed.setdefault(opened.name, self.narrowed.pop(old))
            if old in self.required:
                self.required.discard(old)
                if opened.default is None:
                    self.required.add(opened.name)
            if old in self.terminal:
                self.terminal[opened.name] = self.terminal.pop(old)
        return {
            name: replace(feed, source=reopen(feed.source, changes, self._captured))
            for name, feed in feeding.feeds.items()
        }

    def _check_feed_cycles(self, feeds: Mapping[str, Feed]) -> None:
        needs = {
            name: [n for n in offers([feed.source], self._target, {}) if n in feeds]
            for name, feed in feeds.items()
        }
        done: set[str] = set()

        def visit(name: str, path: list[str]) -> None:
            if name in path:
                cycle = [*path[path.index(name) :], name]
                if any(feeds[step].bound_by == self.row.id for step in cycle):
                    self._problem(
                        "cycle",
                        feeds[cycle[0]].source.place.span,
                        "bindings need each other: " + " → ".join(f":{s}" for s in cycle),
                        "A binding feeds every reference that has its name free, the one it is "
                        "bound to included; rename that one's argument with {:as …}.",
                    )
                return
            if name in done:
                return
            for needed in needs[name]:
                visit(needed, [*path, name])
            done.add(name)

        for name in feeds:
            visit(name, [])

    # -- bindings ------------------------------------------------------------------------------

    def _bound(
        self, binding: Binding, type_: Type, place: Place, before: Source | None
    ) -> Source | None:
        target = binding.target
        if target is None:
            return None
        item = item_type(type_, self.rows.types)
        match target:
            case Items(closed=closed) if item is not None:
                self.problems.extend(target.problems)
                items = self._items(target, item, place)
                if isinstance(before, Sequence):
                    items = (*before.items, *items)
                elif isinstance(before, Constant) and isinstance(before.value, list):
                    items = (*(Constant(v, before.place) for v in before.value), *items)
                return Sequence(items, place, closed)
            case Items(append=True):
                self._problem(
                    "bad-row",
                    target.span,
                    f":append goes with a list, and :{place.path[0]} takes {type_}",
                )
                return None
            case Literal(value=list() as values, whole=True, span=span) if item is not None:
                if as_callable(item, self.rows.types):
                    self._not_callable(span, item)
                return Sequence(
                    tuple(Constant(v, replace(place, path=(*place.path, i)))
                          for i, v in enumerate(values)),
                    place,
                )
            case _:
                return self._source(target, type_, place)

    def _items(self, target: Items, item: Type, place: Place) -> tuple[Source, ...]:
        found: list[Source] = []
        for index, binding in enumerate(target.items):
            at = Place(self.row.id, (*place.path, index), binding.span)
            source: Source | None = None
            type_ = item if binding.type is None else self.rows.type(binding.type, self.row)
            if binding.target is not None:
                source = self._source(binding.target, type_, at)
            if binding.as_name is not None:
                source = Open(binding.as_name.text, at, type_, source)
            if source is not None:
                found.append(source)
        return tuple(found)

    def _source(self, target: Target, type_: Type, place: Place) -> Source | None:
        callable_ = as_callable(type_, self.rows.types)
        match target:
            case Literal(value=value, span=span):
                if callable_ is not None and value is not None:
                    self._not_callable(span, type_)
                return Constant(value, place)
            case Items(value=value, span=span):
                if callable_ is not None:
                    self._not_callable(span, type_)
                return Constant(value, place)
            case Reference(name=name):
                row = self.rows.find(name, self.row)
                resolved = None if row is None else self.rows.get(row.id, name.span, self.row)
            case Inline(row=row, span=span):
                resolved = self.rows.get(row.id, span, self.row)
            case Unreadable():
                self.incomplete = True
                return None
        if resolved is None or resolved.id in self.rows.incomplete:
            self.incomplete = True
        if resolved is None:
            return None
        if callable_ is None or as_callable(resolved.result, self.rows.types) is not None:
            return Use(resolved.id, place)
        matched = match_parameters(resolved, callable_, self.fed)
        if isinstance(matched, Mismatch):
            if resolved.id not in self.rows.incomplete:
                self._problem(matched.code, place.span, matched.message, matched.hint)
            self.incomplete = True
            return None
        for (parameter, given), argument in zip(callable_.parameters, matched, strict=True):
            if argument is not None:
                wanted = resolved.interface[argument].type
                self.handings.append(
                    Handing(resolved.id, parameter, argument, given, wanted, place)
                )
        return Wrap(resolved.id, matched, place)

    def _refused(
        self, before: Source, bound_by: str | None, argument: Argument, type_: Type
    ) -> bool:
        """Whether what an ancestor bound cannot be bound again (LANGUAGE 4.4, 4.8)."""
        target = argument.binding.target
        extends = (
            isinstance(target, Items)
            and item_type(type_, self.rows.types) is not None
            and (isinstance(before, Sequence) or constant(before))
        )
        shown = f":{argument.name}"
        if extends:
            if isinstance(before, Sequence) and before.closed:
                self._problem(
                    "list-closed",
                    argument.binding.span,
                    f"{shown} was closed by :{self._owner(bound_by)}; nothing can be appended",
                    "Derive a row above it.",
                )
                return True
            return False
        if not refers(before):
            return False
        binder = self._owner(bound_by)
        to = next(iter(references(before)), None)
        bound_to = "" if to is None else f" to :{self._name(to.target)}"
        chain = self.parent.chain
        above = chain[chain.index(bound_by) + 1] if bound_by in chain[:-1] else chain[-1]
        self._problem(
            "sealed-slot",
            argument.name_span,
            f"{shown} is sealed: :{binder} bound it{bound_to}, and a bound reference cannot be "
            "bound again",
            f"Derive :{self._name(above)} instead, where {shown} is still open.",
        )
        return True

    # -- the rest --------------------------------------------------------------------------------

    def _sources(
        self, feeds: Mapping[str, Feed], changes: Mapping[str, Open] | None = None
    ) -> list[Source]:
        found: list[Source] = []
        for slot in self.slots:
            if isinstance(slot.source, Open):
                # The slot's own name is not a name of its references (LANGUAGE 5.4).
                if slot.source.default is not None:
                    found.append(slot.source.default)
            elif slot.source is not None:
                found.append(slot.source)
        found.extend(feed.source for feed in feeds.values())
        for opened in (changes or {}).values():
            if opened.default is not None:
                found.append(opened.default)
        return found

    def _check_lambda_params(self, interface: Mapping[str, Parameter]) -> None:
        for name in self.row.lambda_params or ():
            if name.text not in interface and not self.incomplete:
                self._problem(
                    "invalid-lambda-params",
                    name.span,
                    f":{name.text} is not a free argument of :{self.row.name}",
                    did_you_mean(name.text, interface)
                    or f"It has {', '.join(':' + n for n in interface) or 'none'}.",
                )

    def _narrowest(self, types: Iterable[Type]) -> Type:
        found: Type | None = None
        for type_ in types:
            if found is None or found == type_:
                found = type_
            else:
                found = self.rows.narrower(found, type_, self.rows.types) or found
        return found or ANY

    def _target(self, row_id: str) -> ResolvedRow | None:
        return self.rows.get(row_id)

    def _captured(self, ref: Use | Wrap) -> frozenset[str]:
        target = self.rows.get(ref.target)
        names = frozenset(target.interface) if target else frozenset()
        return names - set(ref.receivers) if isinstance(ref, Wrap) else names

    def _name(self, row_id: str) -> str:
        return row_id.partition("/")[2]

    def _owner(self, row_id: str | None) -> str:
        return self._name(row_id or "").partition(">")[0]

    def _refuse_terminal(self, argument: Argument, by: str) -> None:
        self._problem(
            "sealed-slot",
            argument.name_span,
            f":{argument.name} is terminal in :{by}; no row below can bind it",
            "Callers can still give it as an argument.",
        )

    def _not_callable(self, span: Span, type_: Type) -> None:
        message = f"a callable is needed here, {type_}, and this is a literal"
        hint = "Name a row, such as :double; it is called each time."
        self.problems.append(
            Problem("not-callable", message, hint, self.row.owner, span, structural=False)
        )

    def _problem(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.problems.append(Problem(code, message, hint, self.row.owner, span))
