"""How the calls of a plan are written: made, or written out in place.

That depends on where nodes are evaluated (`schedule`), on how often each is written, and on
what the types prove.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from graphden.check.fit import opened
from graphden.compile.schedule import Bodies, cells, inline_form
from graphden.compile.shapes import joins, shaped
from graphden.compile.static import static_type
from graphden.compile.templates import Chosen, chosen
from graphden.model.plan import (
    Call,
    Closure,
    Constant,
    Mode,
    Node,
    Parameter,
    Plan,
    children,
)
from graphden.model.types import ListOf, TupleOf, Type

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


def choose(plan: Plan, bodies: Bodies, types: Types, *, each_apart: bool = False) -> Choice:
    """How the nodes of `plan` are written; `each_apart` when none may be part of another."""
    forms: dict[Call, str | Chosen] = {}
    nodes = list(plan.nodes())
    lonely = frozenset() if each_apart else _lonely(nodes)
    for node in nodes:
        if isinstance(node, Call):
            form = _form(node, bodies, types, lonely)
            if form is not None:
                forms[node] = form
    uses = _uses(plan, forms)
    loops = _Loops(nodes, uses, bodies, types)
    for node in nodes:
        if isinstance(node, Call) and node not in forms:
            loops.look(node, forms)
    celled = cells(plan.entry, bodies, loops.once)
    return Choice(celled, uses, forms, frozenset(loops.apart))


def _form(
    call: Call, bodies: Bodies, types: Types, lonely: Container[Node]
) -> str | Chosen | None:
    body = bodies[call.function]
    form = inline_form(call, bodies)
    if form is not None:
        return form
    if body.template is not None:
        nodes = chosen(body.template, call, body.parameters, types)
        if nodes is not None:
            return Chosen(body.template, nodes, body.parameters)
    if body.inline == "str" and joins(call):
        return "str"
    return shaped(call, bodies, types, lonely)


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


def _lonely(nodes: Iterable[Node]) -> frozenset[Node]:
    """Those that one place mentions, and no other."""
    mentioned = Counter(child for node in nodes for child in children(node))
    return frozenset(node for node, count in mentioned.items() if count == 1)


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
