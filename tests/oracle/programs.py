"""Whole programs of rows, as hypothesis draws them: valid by construction.

To bind only what can be bound, the strategy must know what each row leaves open. `derived` works
that out from LANGUAGE 4 to 6 alone, so it is an oracle of its own: `Made.interface` is what the
engine's `Graph.interface` must say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from hypothesis import strategies as st

from graphden.edn import write

ANY = "any"
LIST = "list"
Kind: TypeAlias = (
    "str | tuple[str, ...]"  # a tuple: a callable, with the names of its parameters
)

NAMES: dict[Kind, list[str]] = {
    ANY: ["x", "y", "z", "item", "arg", "exception", "first", "pair"],
    LIST: ["xs", "ys"],
    ("item",): ["f", "h"],
    (): ["g"],
    ("exception",): ["e"],
    ("arg",): ["k"],
    ("pair",): ["r"],
    ("first", "second"): ["w"],
}


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
    lazy: bool = False
    required: bool = True
    bound: Binding | None = None
    free: tuple[Opening, ...] = ()


@dataclass(frozen=True)
class Made:
    """A row: what it is written as, and what it leaves open.

    `cost` bounds how many base functions a run may call.
    """

    name: str
    slots: Mapping[str, Slot]
    feeds: Mapping[str, Slot] = field(default_factory=dict)
    text: str = ""
    inline: str = ""
    cost: int = 1
    gives_callable: bool = False

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


def _base(name: str, *, gives_callable: bool = False, **slots: Slot) -> Made:
    renamed = {key.replace("_", "-"): slot for key, slot in slots.items()}
    return Made(name, renamed, gives_callable=gives_callable)


_any, _list = Slot(ANY), Slot(LIST)
_lazy = Slot(ANY, lazy=True)
_perhaps = Slot(ANY, lazy=True, required=False)
_of_item, _of_nothing = Slot(("item",)), Slot(())

BASES = [
    _base("tick", tag=_any),
    _base("tick", tag=_any),
    _base("boom", tag=_any),
    _base("leave", tag=_any),
    _base("clock"),
    _base("roll", tag=_any),
    _base("pair", left=_any, right=_any),
    _base("pair", left=_any, right=_any),
    _base("twice", value=_lazy),
    _base("const", value=_any),
    _base("identity", value=_any),
    _base("if", test=_any, then=_lazy, **{"else": _perhaps}),
    _base("and", values=Slot(LIST, lazy=True)),
    _base("or", values=Slot(LIST, lazy=True)),
    _base("cond", clauses=Slot(LIST, lazy=True)),
    _base("case", value=_any, clauses=Slot(LIST, lazy=True), default=_perhaps),
    _base("coalesce", value=_any, default=_lazy),
    _base("get", coll=_any, key=_any, default=_perhaps),
    _base("list", items=_list),
    _base("do", steps=_list),
    _base("do", steps=_list),
    _base("try", body=_of_nothing, on_throw=Slot(("exception",))),
    _base("try", body=_of_nothing, on_throw=Slot(("exception",))),
    _base("throw", exception=_any),
    _base("map", func=_of_item, coll=_list),
    _base("map", func=_of_item, coll=_list),
    _base("filter", pred=_of_item, coll=_list),
    _base("find-first", pred=_of_item, coll=_list),
    _base("for-each", func=_of_item, coll=_list),
    _base("reduce", func=Slot(("pair",)), init=_any, coll=_list),
    _base("call", func=Slot(("arg",)), arg=_any),
    _base("call-with", func=Slot(("first", "second")), first=_any, second=_any),
    _base("call-noargs", func=_of_nothing),
    _base("in-thread", body=_of_nothing),
    _base("hold", func=_of_item, gives_callable=True),
]


def received(row: Made, parameters: Sequence[str], fed: Collection[str]) -> set[str]:
    """Which free arguments get the parameters of a call (6.2); raises Invalid."""
    interface = row.interface
    taken = set(parameters) & set(interface)
    if len(parameters) == 1 and not taken:
        taken = set(interface) - set(fed)
        if len(taken) > 1:
            raise Invalid
    if any(isinstance(interface[name], tuple) for name in taken):
        raise Invalid
    return taken


class Invalid(Exception):
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
    """The row that binds these arguments below `parent`; raises Invalid."""
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
            raise Invalid
        slots[key] = replace(slot, bound=bound, free=free)
    # Bindings feed each other in any order: a name may be open only behind one that follows.
    waiting = dict(rest)
    changes: dict[str, Opening] = {}
    while waiting:
        known = Made(name, slots, {key: feeds[key] for key in feeds if key not in waiting})
        kinds = {**known.free, **{key: slot.kind for key, slot in parent.feeds.items()}}
        key = next((key for key in waiting if key in kinds), None)
        if key is None:
            raise Invalid
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
    if spent > 400 or _cyclic(needs):
        raise Invalid
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


# -- drawing -------------------------------------------------------------------------------------

scalars = st.sampled_from([0, 1, 2, 3, None, True, False, "a", "b"])
lists = st.lists(scalars, max_size=3)


class Drawing:
    """Draws rows one after another; each may use those before it."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.rows = [derived(BASES[0], "row-0", {"tag": Named("x", Literal(0))})]

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent

    def row(self, name: str, depth: int = 0) -> Made:
        """A row that can be made; `const` of a literal when what was drawn cannot."""
        own = self.rows if self.chance(30) and not depth else []
        parent = self.draw(st.sampled_from(own or BASES))
        arguments: dict[str, Binding] = {}
        for key, slot in parent.slots.items():
            if self.can_bind(parent, key, slot):
                more = isinstance(slot.bound, Items)
                arguments[key] = self.items(depth) if more else self.bound(slot.kind, depth)
        try:
            made = derived(parent, name, arguments)
            return derived(parent, name, {**arguments, **self.fed(parent, made, depth)})
        except Invalid:
            return derived(BASES[9], name, {"value": Literal(self.draw(scalars))})

    def can_bind(self, parent: Made, key: str, slot: Slot) -> bool:
        match slot.bound:
            case None:
                return self.chance(90 if slot.required and parent in BASES else 50)
            case Items() if slot.kind == LIST:
                return self.chance(40)
            case Literal():
                return self.chance(20)
        return False

    def fed(self, parent: Made, made: Made, depth: int) -> dict[str, Binding]:
        found: dict[str, Binding] = {}
        for key, kind in made.free.items():
            if key not in made.slots and self.chance(40):
                found[key] = self.bound(kind, depth)
        for key, feed in parent.feeds.items():
            if key not in made.slots and isinstance(feed.bound, Literal) and self.chance(20):
                found[key] = self.bound(feed.kind, depth)
        return found

    def bound(self, kind: Kind, depth: int) -> Binding:
        if self.chance(22):
            name = self.draw(st.sampled_from(NAMES[kind]))
            return Named(name, self.default(kind) if self.chance(40) else None)
        if kind == LIST:
            if self.chance(25):
                return Literal(self.draw(lists))
            return self.items(depth)
        if kind == ANY and self.chance(40):
            return Literal(self.draw(scalars))
        return self.reference(depth)

    def items(self, depth: int) -> Items:
        return Items(tuple(self.item(depth) for _ in range(self.draw(st.integers(0, 3)))))

    def item(self, depth: int) -> Binding:
        if self.chance(25):
            name = self.draw(st.sampled_from(NAMES[ANY]))
            return Named(name, self.default(ANY) if self.chance(40) else None)
        return Literal(self.draw(scalars)) if self.chance(35) else self.reference(depth)

    def default(self, kind: Kind) -> Literal | Reference:
        if kind == LIST:
            return Literal(self.draw(lists))
        if kind == ANY and self.chance(50):
            return Literal(self.draw(scalars))
        return self.named()

    def reference(self, depth: int) -> Reference:
        if depth < 2 and self.chance(40):
            return Reference(self.row("", depth + 1))
        return self.named()

    def named(self) -> Reference:
        return Reference(self.draw(st.sampled_from(self.rows[-4:])))


@st.composite
def programs(draw: st.DrawFn) -> tuple[Made, ...]:
    """Rows in order; a row uses only rows before it."""
    drawing = Drawing(draw)
    for number in range(1, draw(st.integers(3, 8))):
        drawing.rows.append(drawing.row(f"row-{number}"))
    return tuple(drawing.rows)
