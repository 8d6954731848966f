"""Whole programs of rows, as hypothesis draws them: valid by construction, each row over those
before it, with inheritance, renames, defaults, feeds, inline rows, callables and effects.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from graphden.model.types import ANY, Callable, Type
from tests.oracle.making import (
    LIST,
    Binding,
    InvalidRowError,
    Items,
    Literal,
    Made,
    Named,
    Reference,
    Slot,
    derived,
)


def _callable(*parameters: str) -> Callable:
    return Callable(tuple((name, ANY) for name in parameters), ANY)


NAMES: dict[Type, list[str]] = {
    ANY: ["x", "y", "z", "item", "arg", "exception", "first", "pair"],
    LIST: ["xs", "ys"],
    _callable("item"): ["f", "h"],
    _callable(): ["g"],
    _callable("exception"): ["e"],
    _callable("arg"): ["k"],
    _callable("pair"): ["r"],
    _callable("value"): ["v"],
    _callable("first", "second"): ["w"],
    _callable("input", "self"): ["s"],
}

_any, _list, _optional = Slot(ANY), Slot(LIST), Slot(ANY, required=False)
_of_item, _of_nothing = Slot(_callable("item")), Slot(_callable())

BASES = {
    name: Made(name, name, name, {key: replace(slot, root=key) for key, slot in slots.items()})
    for name, slots in {
        "tick": {"tag": _any},
        "boom": {"tag": _any},
        "leave": {"tag": _any},
        "clock": {},
        "roll": {"tag": _any},
        "atom": {"initial-value": _any},
        "swap": {"a": _any, "func": Slot(_callable("value"))},
        "reset": {"a": _any, "v": _any},
        "deref": {"a": _any},
        "pair": {"left": _any, "right": _any},
        "twice": {"value": _any},
        "const": {"value": _any},
        "identity": {"value": _any},
        "if": {"test": _any, "then": _any, "else": _optional},
        "and": {"values": _list},
        "or": {"values": _list},
        "cond": {"clauses": _list},
        "case": {"value": _any, "clauses": _list, "default": _optional},
        "coalesce": {"value": _any, "default": _any},
        "get": {"coll": _any, "key": _any, "default": _optional},
        "list": {"items": _list},
        "do": {"steps": _list},
        "try": {"body": _of_nothing, "on-throw": Slot(_callable("exception"))},
        "throw": {"exception": _any},
        "map": {"func": _of_item, "coll": _list},
        "filter": {"pred": _of_item, "coll": _list},
        "find-first": {"pred": _of_item, "coll": _list},
        "for-each": {"func": _of_item, "coll": _list},
        "reduce": {"func": Slot(_callable("pair")), "init": _any, "coll": _list},
        "call": {"func": Slot(_callable("arg")), "arg": _any},
        "call-with": {
            "func": Slot(_callable("first", "second")),
            "first": _any,
            "second": _any,
        },
        "call-noargs": {"func": _of_nothing},
        "in-thread": {"body": _of_nothing},
        "hold": {"func": _of_item},
        "fix": {"step": Slot(_callable("input", "self")), "input": _any},
        "lt": {"nums": _list},
        "sub": {"nums": _list},
    }.items()
}
_PARENTS = [name for name in BASES if name not in ("fix", "lt", "sub")]
_COMMON = ["tick", "pair", "do", "map"]

scalars = st.sampled_from([0, 1, 2, 3, None, True, False, "a", "b"])
lists = st.lists(scalars, max_size=3)


class Drawing:
    """Draws rows one after another; each may use those before it.

    Each program has a taste of its own: few base functions and few names, so that they meet.
    """

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.rows = [derived(BASES["tick"], "row-0", {"tag": Named("x", Literal(0))})]
        chosen = st.lists(st.sampled_from(_PARENTS), min_size=2, max_size=6, unique=True)
        self.parents = [BASES[base] for base in (*draw(chosen), *_COMMON)]
        self.names = draw(st.lists(st.sampled_from(NAMES[ANY]), min_size=1, max_size=3))
        self.inheriting = draw(st.sampled_from([20, 60]))
        self.opening = draw(st.sampled_from([10, 25, 50]))
        self.feeding = draw(st.sampled_from([30, 70]))
        self.literal = draw(st.sampled_from([10, 40]))
        self.inline = draw(st.sampled_from([10, 50]))

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent

    def name(self, type_: Type) -> str:
        return self.draw(st.sampled_from(self.names if type_ == ANY else NAMES[type_]))

    def row(self, name: str, depth: int = 0) -> Made:
        """A row that can be made; `const` of a literal when what was drawn cannot."""
        if self.chance(4):
            return self.recursion(name)
        own = self.rows if self.chance(self.inheriting) and not depth else []
        parent = self.draw(st.sampled_from(own or self.parents))
        arguments: dict[str, Binding] = {}
        for key, slot in parent.slots.items():
            if self.can_bind(parent, key, slot):
                more = isinstance(slot.bound, Items)
                arguments[key] = self.items(depth) if more else self.bound(slot.type, depth)
        try:
            made = derived(parent, name, arguments)
            return derived(parent, name, {**arguments, **self.fed(parent, made, depth)})
        except InvalidRowError:
            return derived(BASES["const"], name, {"value": Literal(self.draw(scalars))})

    def recursion(self, name: str) -> Made:
        """Counts down from a few, doing something at each level and at the bottom."""

        def inline(base: str, **arguments: Binding) -> Reference:
            return Reference(derived(BASES[base], "", arguments))

        level = Named("input")
        start = Literal(self.draw(st.integers(0, 3)))
        bottom, work = self.named(), self.named()
        try:
            lower = inline("sub", nums=Items((level, Literal(1))))
            deeper = inline("call", func=Named("self"), arg=lower)
            step = {
                "test": inline("lt", nums=Items((level, Literal(1)))),
                "then": bottom,
                "else": inline("do", steps=Items((work, deeper))),
            }
            body = Reference(derived(BASES["if"], "", step))
            return derived(BASES["fix"], name, {"step": body, "input": start})
        except InvalidRowError:
            return derived(BASES["const"], name, {"value": start})

    def can_bind(self, parent: Made, key: str, slot: Slot) -> bool:
        match slot.bound:
            case None:
                return self.chance(90 if slot.required and parent.name in BASES else 50)
            case Items() if slot.type == LIST:
                return self.chance(40)
            case Literal():
                return self.chance(20)
        return False

    def fed(self, parent: Made, made: Made, depth: int) -> dict[str, Binding]:
        found: dict[str, Binding] = {}
        for key, type_ in made.free.items():
            if key not in made.slots and self.chance(self.feeding):
                found[key] = self.bound(type_, depth)
        for key, feed in parent.feeds.items():
            if key not in made.slots and isinstance(feed.bound, Literal) and self.chance(20):
                found[key] = self.bound(feed.type, depth)
        return found

    def bound(self, type_: Type, depth: int) -> Binding:
        if self.chance(self.opening):
            return Named(self.name(type_), self.default(type_) if self.chance(40) else None)
        if type_ == LIST:
            if self.chance(25):
                return Literal(self.draw(lists))
            return self.items(depth)
        if type_ == ANY and self.chance(self.literal):
            return Literal(self.draw(scalars))
        return self.reference(depth)

    def items(self, depth: int) -> Items:
        return Items(tuple(self.bound(ANY, depth) for _ in range(self.draw(st.integers(0, 3)))))

    def default(self, type_: Type) -> Literal | Reference:
        if type_ == LIST:
            return Literal(self.draw(lists))
        if type_ == ANY and self.chance(50):
            return Literal(self.draw(scalars))
        return self.named()

    def reference(self, depth: int) -> Reference:
        if depth < 2 and self.chance(self.inline):
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
