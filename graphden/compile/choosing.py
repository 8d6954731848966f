"""How the calls of a plan are written: made, or written out in place.

That depends on where nodes are evaluated (`schedule`), on how often each is written, and on
what the types prove.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from graphden.check.fit import KEYWORD, TEXT, fit, opened
from graphden.compile.schedule import Bodies, cells, inline_form
from graphden.compile.static import static_type
from graphden.compile.templates import Chosen, Expression, chosen
from graphden.model.plan import (
    Build,
    Call,
    Closure,
    Constant,
    Mode,
    Node,
    Parameter,
    Plan,
    children,
)
from graphden.model.types import ListOf, MapOf, Record, TupleOf, Type, Union

Types: TypeAlias = Mapping[str, Type]

OVER_ITEMS = frozenset(("map", "filter", "for-each", "reduce"))
LOOPS = OVER_ITEMS | {"try", "fix"}
"""Base functions that call their first slot, and may be written out with it."""

NESTED = 8
"""How many of these may be written out inside each other: the next one is a function of its
own. Python allows 20 blocks inside each other, and `try` takes two."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a plan is written.

    `cells` are the nodes that need one, `uses` how often each is written, `forms` how calls are
    that are not made. `apart` are the pairs that a loop hands to its callable as two values.
    """

    cells: frozenset[Node]
    uses: Mapping[Node, int]
    forms: Mapping[Call, str | Chosen]
    apart: frozenset[Parameter] = field(default_factory=frozenset)

    def in_place(self, node: Node) -> bool:
        """Whether a callable is written where it is called."""
        return in_place(node, self.uses)


def in_place(node: Node, uses: Mapping[Node, int]) -> bool:
    """Whether a callable is written where it is called: it is called in one place only."""
    return isinstance(node, Closure) and uses.get(node, 2) == 1


def choose(plan: Plan, bodies: Bodies, types: Types) -> Choice:
    """How the nodes of `plan` are written."""
    forms: dict[Call, str | Chosen] = {}
    nodes = list(plan.nodes())
    for node in nodes:
        if isinstance(node, Call) and (form := _form(node, bodies, types)) is not None:
            forms[node] = form
    uses = _uses(plan, forms)
    loops = _Loops(nodes, uses, bodies, types)
    for node in nodes:
        if isinstance(node, Call) and node not in forms:
            loops.look(node, forms)
    celled = cells(plan.entry, bodies, loops.once)
    return Choice(celled, uses, forms, frozenset(loops.apart))


def _form(call: Call, bodies: Bodies, types: Types) -> str | Chosen | None:
    body = bodies[call.function]
    form = inline_form(call, bodies)
    if form is not None:
        return form
    if body.template is not None:
        nodes = chosen(body.template, call, body.parameters, types)
        if nodes is not None:
            return Chosen(body.template, nodes, body.parameters)
    match body.inline:
        case "get":
            return _get(call, types)
        case "assoc":
            return _assoc(call, types)
        case "merge":
            return _merge(call, types)
        case "zipmap":
            return _zipmap(call)
        case "list":
            items = call.inputs[0].nodes[0]
            if isinstance(items, Build):
                return Chosen(Expression("items"), (items,), ("items",))
    return None


def _get(call: Call, types: Types) -> Chosen | None:
    coll, key, _ = (each.nodes[0] for each in call.inputs)
    if not isinstance(key, Constant):
        return None
    type_ = opened(static_type(coll, types), types)
    match type_, key.value:
        case Record(fields), str() as name:
            known = any(f.name == str.__str__(name) and f.required for f in fields)
        case TupleOf(items), int() as index if not isinstance(index, bool):
            known = 0 <= index < len(items)
        case _:
            known = False
    return Chosen(Expression("coll[key]"), (coll, key), ("coll", "key")) if known else None


def _assoc(call: Call, types: Types) -> Chosen | None:
    entries, key, value = (each.nodes[0] for each in call.inputs)
    if not (_plain_map(entries, types) and _plain_key(key, types)):
        return None
    names = ("map", "key", "value")
    return Chosen(Expression("{**map, key: value}"), (entries, key, value), names)


def _merge(call: Call, types: Types) -> Chosen | None:
    maps = call.inputs[0].nodes[0]
    if not isinstance(maps, Build) or not 1 <= len(maps.items) <= 10:
        return None
    if not all(_plain_map(each, types) for each in maps.items):
        return None
    names = tuple(f"m{index}" for index in range(len(maps.items)))
    text = "{" + ", ".join(f"**{name}" for name in names) + "}"
    return Chosen(Expression(text), maps.items, names)


def _zipmap(call: Call) -> Chosen | None:
    keys, values = (each.nodes[0] for each in call.inputs)
    if not (isinstance(keys, Constant) and isinstance(keys.value, list)):
        return None
    if not isinstance(values, Build) or len(values.items) != len(keys.value):
        return None
    if not all(isinstance(key, str) for key in keys.value) or len(keys.value) > 20:
        return None
    named = [(f"k{i}", f"v{i}") for i in range(len(keys.value))]
    text = "{" + ", ".join(f"{key}: {value}" for key, value in named) + "}"
    nodes = (*map(Constant, keys.value), *values.items)
    names = (*(key for key, _ in named), *(value for _, value in named))
    return Chosen(Expression(text), nodes, names)


def _plain_map(node: Node, types: Types) -> bool:
    """Whether a node is proved to be a map whose keys are keywords or texts."""
    match opened(static_type(node, types), types):
        case Record():
            return True
        case MapOf(key, _):
            return bool(fit(key, Union((KEYWORD, TEXT)), types))
    return False


def _plain_key(node: Node, types: Types) -> bool:
    return bool(fit(static_type(node, types), Union((KEYWORD, TEXT)), types))


class _Loops:
    """Finds the calls of known functions over a callable that are written out."""

    def __init__(
        self, nodes: list[Node], uses: Mapping[Node, int], bodies: Bodies, types: Types
    ) -> None:
        self.uses = uses
        self.bodies = bodies
        self.types = types
        self.apart: set[Parameter] = set()
        self.once: set[Closure] = set()
        self.parents: dict[Parameter, list[Node]] = {}
        for node in nodes:
            for child in children(node):
                if isinstance(child, Parameter):
                    self.parents.setdefault(child, []).append(node)

    def look(self, call: Call, forms: dict[Call, str | Chosen]) -> None:
        """Note how `call` is written, and its callable."""
        form = self.bodies[call.function].inline
        if form not in LOOPS or any(each.mode is not Mode.STRICT for each in call.inputs):
            return
        closure, *others = (each.nodes[0] for each in call.inputs)
        if not isinstance(closure, Closure) or not in_place(closure, self.uses):
            return
        if closure.body.depth % NESTED == 0:
            return
        if form in OVER_ITEMS and not self.is_list(others[-1]):
            return
        if form == "fix" and not self.recurs_directly(closure):
            return
        forms[call] = form
        if form == "try":
            self.once.update(
                node
                for node in (closure, *others)
                if isinstance(node, Closure) and in_place(node, self.uses)
            )
        pair = closure.body.parameters[0] if form == "reduce" else None
        gets = self.parents.get(pair, []) if pair else []
        if pair and gets and all(_element(get, pair, self.bodies) for get in gets):
            self.apart.add(pair)
            forms.update((get, "element") for get in gets if isinstance(get, Call))

    def is_list(self, node: Node) -> bool:
        type_ = opened(static_type(node, self.types), self.types)
        return isinstance(type_, (ListOf, TupleOf))

    def recurs_directly(self, closure: Closure) -> bool:
        """Whether the step of a `fix` does nothing with itself but call itself: then nothing
        comes between two levels that would use the stack of C.
        """
        body = closure.body
        itself = body.parameters[1]
        return all(
            isinstance(parent, Call)
            and parent.owner is body
            and self.bodies[parent.function].inline == "call"
            and parent.inputs[0].nodes[0] is itself
            and parent.inputs[1].nodes[0] is not itself
            for parent in self.parents.get(itself, ())
        )


def _element(node: Node, pair: Parameter, bodies: Bodies) -> bool:
    """Whether a node takes the first or the second of a pair."""
    match node:
        case Call(function=function, inputs=[coll, key, _]) if bodies[function].inline == "get":
            index = key.nodes[0]
            return (
                coll.nodes[0] is pair
                and isinstance(index, Constant)
                and type(index.value) is int
                and index.value in (0, 1)
            )
    return False


def _uses(plan: Plan, forms: Mapping[Call, str | Chosen]) -> Mapping[Node, int]:
    """How often each node is written, as far as its value is asked for."""
    found: Counter[Node] = Counter([plan.entry.root])
    waiting: list[Node] = [plan.entry.root]
    seen: set[Node] = set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        parts = tuple(_parts(node, forms))
        found.update(parts)
        waiting.extend(parts)
    return found


def _parts(node: Node, forms: Mapping[Call, str | Chosen]) -> Iterator[Node]:
    match forms.get(node) if isinstance(node, Call) else None:
        case Chosen(nodes=nodes):
            yield from nodes
        case "do" if isinstance(node, Call):
            yield from children(node.inputs[0].nodes[0])
        case _:
            yield from children(node)
