"""Rows as these tests write them, and what each leaves open by LANGUAGE 4 to 6.

A strategy must know what can be bound before it draws a binding. `derived` works that out
without the engine, so it is an oracle of its own: `Made.interface` is what `Graph.interface`
must say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from graphden.edn import write

ANY = "any"
LIST = "list"
Kind: TypeAlias = str | tuple[str, ...]
"""A tuple stands for a callable, by the names of its parameters."""

COSTLY = 400
"""How many base functions a run may call, about."""


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
class Opening:
    """A name that is open behind a binding, and what its default has open in turn."""

    name: str
    kind: Kind
    behind: tuple[Opening, ...] = ()

    def all(self, fed: Collection[str]) -> Iterator[Opening]:
        """This one, and those of the default unless the name is fed: then nobody needs it."""
        if self.name not in fed:
            yield self
            for inner in self.behind:
                yield from inner.all(fed)

    def renamed(self, changes: Mapping[str, Opening]) -> Opening:
        """A new default replaces the old one, which stays where the change has none."""
        behind = tuple(inner.renamed(changes) for inner in self.behind)
        change = changes.get(self.name)
        if change is None:
            return replace(self, behind=behind)
        return Opening(
            change.name, self.kind, behind if change.behind == KEEP else change.behind
        )


KEEP = (Opening("", ANY),)


@dataclass(frozen=True)
class Slot:
    """A slot, or a name bound for references. `bound` is None while it is open; then callers
    see it. `free` are the names that the references behind it have open.
    """

    kind: Kind
    required: bool = True
    bound: Binding | None = None
    free: tuple[Opening, ...] = ()


@dataclass(frozen=True, repr=False)
class Made:
    """A row: what it is written as, and what it leaves open.

    `cost` bounds how many base functions a run may call.
    """

    name: str
    slots: Mapping[str, Slot]
    feeds: Mapping[str, Slot]
    text: str = ""
    inline: str = ""
    cost: int = 1
    gives_callable: bool = False

    def __repr__(self) -> str:
        return self.text or self.inline

    @property
    def free(self) -> dict[str, Kind]:
        """The names that references have open and nothing here binds."""
        return {
            opening.name: opening.kind
            for slot in (*self.slots.values(), *self.feeds.values())
            for outer in slot.free
            for opening in outer.all(self.feeds)
        }

    @property
    def interface(self) -> dict[str, Kind]:
        opened = {name: slot.kind for name, slot in self.slots.items() if slot.bound is None}
        return {**self.free, **opened}


def received(row: Made, parameters: Sequence[str], fed: Collection[str]) -> set[str]:
    """Which free arguments get the parameters of a call (6.2); raises InvalidRowError."""
    interface = row.interface
    taken = set(parameters) & set(interface)
    if len(parameters) == 1 and not taken:
        taken = set(interface) - set(fed)
        if len(taken) > 1:
            raise InvalidRowError
    if any(isinstance(interface[name], tuple) for name in taken - {"self"}):
        raise InvalidRowError
    return taken


class InvalidRowError(Exception):
    """The engine would refuse the row, and rightly."""


def opens(binding: Binding | None, kind: Kind, fed: Collection[str]) -> tuple[Opening, ...]:
    """The names that a binding leaves open in the row that writes it."""
    match binding:
        case Named(name=name, default=default):
            return (Opening(name, kind, opens(default, kind, fed)),)
        case Items(items=items):
            return tuple(opening for item in items for opening in opens(item, ANY, fed))
        case Reference(row=row):
            wrapped = isinstance(kind, tuple) and not row.gives_callable
            taken = received(row, kind, fed) if wrapped else ()
            free = row.interface.items()
            return tuple(Opening(name, k) for name, k in free if name not in taken)
    return ()


def cost(binding: Binding, kind: Kind) -> int:
    match binding:
        case Named(default=Reference() as default):
            return cost(default, kind)
        case Items(items=items):
            return sum(cost(item, ANY) for item in items)
        case Reference(row=row):
            return row.cost * (3 if isinstance(kind, tuple) else 1)
    return 0


def derived(parent: Made, name: str, arguments: Mapping[str, Binding]) -> Made:
    """The row that binds these arguments below `parent`; raises InvalidRowError."""
    slots, feeds = dict(parent.slots), dict(parent.feeds)
    rest = {key: binding for key, binding in arguments.items() if key not in slots}
    fed = {*feeds, *rest}
    spent = parent.cost
    for key, binding in arguments.items():
        if key in rest:
            continue
        slot = slots.pop(key)
        spent += cost(binding, slot.kind)
        free = opens(binding, slot.kind, fed)
        if isinstance(binding, Items) and isinstance(slot.bound, Items):
            binding, free = Items((*slot.bound.items, *binding.items)), (*slot.free, *free)
        bound: Binding | None = binding
        if isinstance(binding, Named):
            key, bound = binding.name, None
            if binding.default is not None:
                free = opens(binding.default, slot.kind, fed)
            else:
                free = slot.free if slot.bound is None else ()  # a default stays
        if key in slots:
            raise InvalidRowError
        slots[key] = replace(slot, bound=bound, free=free)
    # Bindings feed each other in any order: a name may be open only behind one that follows.
    waiting = dict(rest)
    changes: dict[str, Opening] = {}
    while waiting:
        known = Made(name, slots, {key: feeds[key] for key in feeds if key not in waiting})
        kinds = {**known.free, **{key: slot.kind for key, slot in parent.feeds.items()}}
        ready = [key for key in waiting if key in kinds]
        if not ready:
            raise InvalidRowError
        key = ready[0]
        binding, kind = waiting.pop(key), kinds[key]
        spent += cost(binding, kind)
        if isinstance(binding, Named):
            feeds.pop(key, None)
            behind = KEEP if binding.default is None else opens(binding.default, kind, fed)
            changes[key] = Opening(binding.name, kind, behind)
        else:
            feeds[key] = Slot(kind, bound=binding, free=opens(binding, kind, fed))

    def again(slot: Slot) -> Slot:
        return replace(slot, free=tuple(opening.renamed(changes) for opening in slot.free))

    feeds = {key: again(slot) for key, slot in feeds.items()}
    needs = {
        key: {inner.name for outer in slot.free for inner in outer.all(())} & set(feeds)
        for key, slot in feeds.items()
    }
    if spent > COSTLY or _cyclic(needs):
        raise InvalidRowError
    written = f":parent :{parent.name} :args {{{_arguments(arguments)}}}"
    return Made(
        name,
        {key: again(slot) for key, slot in slots.items()},
        feeds,
        f"{{:name :{name} {written}}}",
        f"{{{written}}}",
        spent,
        parent.gives_callable,
    )


def _cyclic(needs: Mapping[str, set[str]]) -> bool:
    left = dict(needs)
    while ready := [key for key, needed in left.items() if not needed & set(left)]:
        for key in ready:
            del left[key]
    return bool(left)


def _arguments(arguments: Mapping[str, Binding]) -> str:
    return " ".join(f":{name} {_written(binding)}" for name, binding in arguments.items())


def _written(binding: Binding) -> str:
    match binding:
        case Literal(value=value):
            return write(value) if not isinstance(value, list) else f"{{:value {write(value)}}}"
        case Reference(row=row):
            return row.inline if row.name == "" else f":{row.name}"
        case Named(name=name, default=None):
            return f"{{:as :{name}}}"
        case Named(name=name, default=Literal(value=value)):
            return f"{{:as :{name} :value {write(value)}}}"
        case Named(name=name, default=Reference(row=row)):
            return f"{{:as :{name} :ref :{row.name}}}"
        case Items(items=items):
            return f"[{' '.join(map(_written, items))}]"
    raise AssertionError(binding)
