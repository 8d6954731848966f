"""Rows as these tests write them, and what they mean by LANGUAGE 4 to 6.

A strategy must know what can be bound before it draws a binding, and the oracle must not trust
the resolver that it judges. So `derived` works out, from the rules alone, what a row leaves
open (`Made.interface`) and where everything comes from (`Slot.source`).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from graphden.edn import write
from graphden.errors import Span
from graphden.model.resolved import Constant, Open, Place, Sequence, Source, Use, Wrap
from graphden.model.types import ANY, Callable, ListOf, Type

LIST = ListOf(ANY)

COSTLY = 1_000
"""How many base functions a run may call, about."""

_NOWHERE = Span("", 1, 1, 1, 1)
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Literal:
    value: object


@dataclass(frozen=True)
class Reference:
    row: Made


@dataclass(frozen=True)
class Named:
    """`{:as name}`, with a default perhaps."""

    name: str
    default: Literal | Reference | None = None


@dataclass(frozen=True)
class Items:
    items: tuple[Binding, ...]


Binding: TypeAlias = Literal | Reference | Named | Items


@dataclass(frozen=True)
class Slot:
    """A slot, or a name bound for references.

    `bound` is None while it is open: then callers see it, and `source` is its default.
    """

    type: Type
    required: bool = True
    bound: Binding | None = None
    source: Source | None = None
    root: str = ""


@dataclass(frozen=True, repr=False)
class Made:
    """A row. `uses` are all rows it refers to, its ancestors' included; `cost` bounds how many
    base functions a run may call.
    """

    id: str
    name: str
    base: str
    slots: Mapping[str, Slot]
    feeds: Mapping[str, Slot] = field(default_factory=dict)
    uses: tuple[Made, ...] = ()
    text: str = ""
    inline: str = ""
    cost: int = 1

    def __repr__(self) -> str:
        return self.text or self.inline

    @property
    def gives_callable(self) -> bool:
        return self.base == "hold"

    @property
    def free(self) -> dict[str, Type]:
        """The names that references have open and nothing here binds."""
        return {
            opened.name: opened.type
            for slot in (*self.slots.values(), *self.feeds.values())
            for opened in openings(slot.source, self.feeds)
        }

    @property
    def interface(self) -> dict[str, Type]:
        """LANGUAGE 5.1."""
        opened = {name: slot.type for name, slot in self.slots.items() if slot.bound is None}
        return {**self.free, **opened}


class InvalidRowError(Exception):
    """The engine would refuse the row, and rightly."""


def derived(parent: Made, name: str, arguments: Mapping[str, Binding]) -> Made:
    """The row that binds these arguments below `parent`; raises InvalidRowError."""
    own_id = f"user/{name}" if name else f"inline/{next(_numbers)}"
    slots, feeds = dict(parent.slots), dict(parent.feeds)
    rest = {key: binding for key, binding in arguments.items() if key not in slots}
    fed = {*feeds, *rest}

    def bind(key: str, binding: Binding, type_: Type, before: Source | None) -> Source:
        bound = source_of(binding, type_, fed, Place(own_id, (key,), _NOWHERE))
        return extended(before, bound) if type_ == LIST else bound

    for key, binding in arguments.items():
        if key in rest:
            continue
        slot = slots.pop(key)
        source: Source | None = bind(
            key, binding, slot.type, slot.source if slot.bound else None
        )
        bound: Binding | None = binding
        if isinstance(binding, Named):
            assert isinstance(source, Open)
            # A default stays when its slot is given another name.
            source = source.default or (slot.source if slot.bound is None else None)
            key, bound = binding.name, None
        elif isinstance(binding, Items) and isinstance(slot.bound, Items):
            bound = Items((*slot.bound.items, *binding.items))
        if key in slots:
            raise InvalidRowError
        slots[key] = replace(slot, bound=bound, source=source)
    # Bindings feed each other in any order: a name may be open only behind one that follows.
    waiting = dict(rest)
    changes: dict[str, Open] = {}
    while waiting:
        known = replace(
            parent, slots=slots, feeds={k: v for k, v in feeds.items() if k not in waiting}
        )
        types = {**known.free, **{key: slot.type for key, slot in parent.feeds.items()}}
        ready = [key for key in waiting if key in types]
        if not ready:
            raise InvalidRowError
        key = ready[0]
        binding = waiting.pop(key)
        before = feeds.pop(key, None)
        source = bind(key, binding, types[key], before.source if before else None)
        if isinstance(source, Open):
            changes[key] = source
        else:
            feeds[key] = Slot(types[key], bound=binding, source=source)

    def again(slot: Slot) -> Slot:
        return replace(slot, source=moved(slot.source, changes))

    feeds = {key: again(slot) for key, slot in feeds.items()}
    _refuse_cycles(feeds)
    uses = [(row, times) for binding in arguments.values() for row, times in _used(binding)]
    spent = parent.cost + sum(row.cost * times for row, times in uses)
    if spent > COSTLY:
        raise InvalidRowError
    written = f":parent :{parent.name} :args {{{_arguments(arguments)}}}"
    return Made(
        own_id,
        name,
        parent.base,
        {key: again(slot) for key, slot in slots.items()},
        feeds,
        (*parent.uses, *(row for row, _ in uses)),
        f"{{:name :{name} {written}}}",
        f"{{{written}}}",
        spent,
    )


def source_of(binding: Binding, type_: Type, fed: Collection[str], place: Place) -> Source:
    """What a binding is bound to, in the row that writes it."""
    match binding:
        case Literal(value=value):
            return Constant(value, place)
        case Items(items=items):
            inside = [replace(place, path=(*place.path, i)) for i in range(len(items))]
            pairs = zip(items, inside, strict=True)
            return Sequence(tuple(source_of(item, ANY, fed, at) for item, at in pairs), place)
        case Named(name=name, default=default):
            otherwise = None if default is None else source_of(default, type_, fed, place)
            return Open(name, place, type_, otherwise)
        case Reference(row=row):
            wrapped = isinstance(type_, Callable) and not row.gives_callable
            receivers = received(row, type_, fed) if wrapped else ()
            captured = {
                name: Open(name, place, inner)
                for name, inner in row.interface.items()
                if name not in receivers
            }
            if wrapped:
                return Wrap(row.id, receivers, place, captured)
            return Use(row.id, place, captured)


def received(row: Made, type_: Type, fed: Collection[str]) -> tuple[str | None, ...]:
    """Which free argument gets each parameter of a call (6.2); raises InvalidRowError."""
    assert isinstance(type_, Callable)
    interface = row.interface
    found = [name if name in interface else None for name, _ in type_.parameters]
    if found == [None]:
        unfed = [name for name in interface if name not in fed]
        if len(unfed) > 1:
            raise InvalidRowError
        found = [*unfed, None][:1]
    if any(isinstance(interface[n], Callable) for n in found if n is not None and n != "self"):
        raise InvalidRowError  # it would get what is no callable
    return tuple(found)


def extended(before: Source | None, bound: Source) -> Source:
    """An item vector extends the ancestors' items, or their literal list (4.4)."""
    if not isinstance(bound, Sequence):
        return bound
    match before:
        case Sequence(items=items):
            return replace(bound, items=(*items, *bound.items))
        case Constant(value=list() as values, place=place):
            return replace(bound, items=(*(Constant(v, place) for v in values), *bound.items))
    return bound


def openings(source: Source | None, fed: Collection[str]) -> Iterator[Open]:
    """What is open in a source. Where a name is fed, nobody needs what its default needs."""
    match source:
        case Open(name=name, default=default):
            if name not in fed:
                yield source
                yield from openings(default, fed)
        case Sequence(items=items):
            for item in items:
                yield from openings(item, fed)
        case Use(renamed=renamed) | Wrap(renamed=renamed):
            for opened in renamed.values():
                yield from openings(opened, fed)


def moved(source: Source | None, changes: Mapping[str, Open]) -> Source | None:
    """A source with the open names in `changes` open under others (4.5). A new default replaces
    the old one, which stays where the change has none.
    """

    def again(opened: Open) -> Open:
        change = changes.get(opened.name)
        default = moved(opened.default, changes)
        if change is None:
            return replace(opened, default=default)
        return replace(opened, name=change.name, default=change.default or default)

    match source:
        case Open():
            return again(source)
        case Sequence(items=items):
            found = (moved(item, changes) for item in items)
            return replace(source, items=tuple(item for item in found if item is not None))
        case Use(renamed=renamed) | Wrap(renamed=renamed):
            return replace(source, renamed={key: again(one) for key, one in renamed.items()})
    return source


def _refuse_cycles(feeds: Mapping[str, Slot]) -> None:
    left = {
        key: {opened.name for opened in openings(slot.source, ())}
        for key, slot in feeds.items()
    }
    while ready := [key for key, needed in left.items() if not needed & set(left)]:
        for key in ready:
            del left[key]
    if left:
        raise InvalidRowError


def _used(binding: Binding | None) -> Iterator[tuple[Made, int]]:
    """The rows that a binding refers to, and how often a run may need each."""
    match binding:
        case Named(default=default):
            yield from _used(default)
        case Items(items=items):
            for item in items:
                yield from _used(item)
        case Reference(row=row):
            yield row, 2


def _arguments(arguments: Mapping[str, Binding]) -> str:
    return " ".join(f":{name} {_written(binding)}" for name, binding in arguments.items())


def _written(binding: Binding) -> str:
    match binding:
        case Literal(value=value):
            return write(value) if not isinstance(value, list) else f"{{:value {write(value)}}}"
        case Reference(row=row):
            return f":{row.name}" if row.name else row.inline
        case Named(name=name, default=None):
            return f"{{:as :{name}}}"
        case Named(name=name, default=Literal(value=value)):
            return f"{{:as :{name} :value {write(value)}}}"
        case Named(name=name, default=Reference(row=row)):
            return f"{{:as :{name} :ref :{row.name}}}"
        case Items(items=items):
            return f"[{' '.join(map(_written, items))}]"
    raise AssertionError(binding)
