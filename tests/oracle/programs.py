"""Whole programs of rows, as hypothesis draws them: valid by construction, each row over those
before it, with inheritance, renames, defaults, feeds, inline rows, callables and effects.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from graphden.edn import Keyword
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
        # Type rows as parents (LANGUAGE 2.4).
        "both": {"left": _any, "right": _optional},
        "choice": {"value": _any},
        "some-list": {"items": _list},
        "certain": {"value": _any},
    }.items()
}
_PARENTS = [name for name in BASES if name not in ("fix", "lt", "sub")]
_COMMON = ["tick", "pair", "pair", "list", "do", "map"]

STARTERS = [
    derived(BASES["tick"], "note", {"tag": Named("x", Literal(0))}),
    derived(BASES["tick"], "same-note", {"tag": Literal("same")}),
    derived(BASES["identity"], "reads", {"value": Named("x")}),
    derived(BASES["pair"], "reads-two", {"left": Named("x"), "right": Named("y", Literal(1))}),
    derived(BASES["call-noargs"], "calls", {"func": Named("g")}),
    derived(BASES["clock"], "now", {}),
    derived(BASES["boom"], "fails", {"tag": Named("z", Literal(2))}),
    derived(BASES["choice"], "chosen", {"value": Literal([Keyword("a"), 1])}),
    derived(BASES["both"], "built", {"left": Named("x"), "right": Named("y", Literal(1))}),
    derived(BASES["certain"], "sure", {"value": Named("x")}),
]
"""Small rows with names to bind, for others to refer to."""

SCALARS = [0, 1, 2, 3, None, True, False, "a", "b"]


class Drawing:
    """Draws rows one after another; each may use those before it.

    Each program has a taste of its own: few base functions and few names, so that they meet.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.rows = random.sample(STARTERS, random.randint(3, 5))
        self.parents = [BASES[base] for base in (*random.sample(_PARENTS, 4), *_COMMON)]
        self.names = random.sample(NAMES[ANY], random.randint(2, 4))
        self.inheriting = random.choice([20, 60])
        self.opening = random.choice([10, 20, 35])
        self.feeding = random.choice([40, 80])
        self.literal = random.choice([5, 25])
        self.inline = random.choice([10, 50])

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def name(self, type_: Type) -> str:
        return self.random.choice(self.names if type_ == ANY else NAMES[type_])

    def scalar(self) -> Literal:
        return Literal(self.random.choice(SCALARS))

    def list(self) -> Literal:
        return Literal(self.random.choices(SCALARS, k=self.random.randint(0, 3)))

    def row(self, name: str, depth: int = 0) -> Made:
        """A row that can be made; `const` of a literal when what was drawn cannot."""
        if self.chance(4):
            return self.recursion(name)
        own = self.rows if self.chance(self.inheriting) and not depth else []
        parent = self.random.choice(own or self.parents)
        arguments: dict[str, Binding] = {}
        for key, slot in parent.slots.items():
            if self.can_bind(parent, key, slot):
                more = isinstance(slot.bound, Items)
                arguments[key] = self.items(depth) if more else self.bound(slot.type, depth)
        try:
            made = derived(parent, name, arguments)
            return derived(parent, name, {**arguments, **self.fed(parent, made, depth)})
        except InvalidRowError:
            return derived(BASES["const"], name, {"value": self.scalar()})

    def recursion(self, name: str) -> Made:
        """Counts down from a few, doing something at each level and at the bottom."""

        def inline(base: str, **arguments: Binding) -> Reference:
            return Reference(derived(BASES[base], "", arguments))

        level = Named("input")
        start = Literal(self.random.randint(0, 3))
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
                found[key] = (
                    self.renamed(type_) if self.chance(30) else self.bound(type_, depth)
                )
        for key, feed in parent.feeds.items():
            if key not in made.slots and isinstance(feed.bound, Literal) and self.chance(20):
                found[key] = self.bound(feed.type, depth)
        return found

    def bound(self, type_: Type, depth: int) -> Binding:
        if self.chance(self.opening):
            return self.renamed(type_)
        if type_ == LIST:
            if self.chance(25):
                return self.list()
            return self.items(depth)
        if type_ == ANY and self.chance(self.literal):
            return self.scalar()
        return self.reference(depth)

    def renamed(self, type_: Type) -> Named:
        return Named(self.name(type_), self.default(type_) if self.chance(40) else None)

    def items(self, depth: int) -> Items:
        return Items(
            tuple(self.bound(ANY, depth) for _ in range(self.random.choice([0, 1, 2, 2, 3, 3])))
        )

    def default(self, type_: Type) -> Literal | Reference:
        if type_ == LIST:
            return self.list()
        if type_ == ANY and self.chance(50):
            return self.scalar()
        return self.named()

    def reference(self, depth: int) -> Reference:
        if depth < 2 and self.chance(self.inline):
            return Reference(self.row("", depth + 1))
        return self.named()

    def named(self) -> Reference:
        return Reference(self.random.choice(self.rows[-6:]))


def program(seed: int, size: int) -> tuple[Made, ...]:
    """Rows in order; a row uses only rows before it."""
    drawing = Drawing(Random(seed))
    for number in range(size):
        drawing.rows.append(drawing.row(f"row-{number}"))
    return tuple(drawing.rows)


# From a seed: hypothesis' own draws prefer small values, so that most rows would be trivial.
programs = st.builds(program, st.integers(0, 2**32), st.integers(3, 8))
