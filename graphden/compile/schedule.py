"""Which nodes of a plan need a cell, and which can be evaluated in place.

A plan is evaluated by need. Where the first place that needs a node comes before, and in a
block around, every other place that does, the node is evaluated there, once, as a plain local.
All others get a *cell*: a function that evaluates at its first call and then remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from graphden.model.plan import (
    Activation,
    Build,
    Call,
    Closure,
    Constant,
    Fallback,
    Guard,
    Held,
    Input,
    Mode,
    Node,
    Parameter,
)


class FunctionBody(Protocol):
    """What the compiler needs of a base function's body (`graphden.run.Body` is one)."""

    @property
    def function(self) -> Callable[..., object]: ...

    @property
    def takes_context(self) -> bool: ...

    @property
    def inline(self) -> str | None: ...


Bodies = Mapping[str, FunctionBody]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements that run together: a function's body, an arm, a cell's body."""

    function: Activation
    around: Block | None = None

    def inside(self, other: Block) -> bool:
        """Whether this block is `other` or lies in it."""
        block: Block | None = self
        while block is not None:
            if block is other:
                return True
            block = block.around
        return False


def inline_form(call: Call, bodies: Bodies) -> str | None:
    """The control form to write in place of a call, when its inputs allow it."""
    form = bodies[call.function].inline
    first = call.inputs[0] if call.inputs else None
    match form:
        case "if" | "coalesce":
            return form
        case "and" | "or" if first is not None and first.mode is Mode.LAZY_ITEMS:
            return form
        case "cond" if (
            first is not None and first.mode is Mode.LAZY_ITEMS and len(first.nodes) % 2 == 0
        ):
            return form
        case "do" if first is not None and isinstance(first.nodes[0], Build):
            return form
    return None


def atomic(node: Node) -> bool:
    """Whether a node is written as an expression wherever it is needed."""
    match node:
        case Constant() | Parameter() | Fallback(default=Constant()):
            return True
    return False


def cells(entry: Activation, bodies: Bodies) -> frozenset[Node]:
    """The nodes that need a cell."""
    found: set[Node] = set()
    while True:
        before = len(found)
        _Pass(found, bodies).run(entry)
        if len(found) == before:
            return frozenset(found)


class _Pass:
    """Walks the plan in the order of evaluation, adding to `cells` what proves to need one."""

    def __init__(self, cells: set[Node], bodies: Bodies) -> None:
        self.cells = cells
        self.bodies = bodies
        self.first: dict[Node, Block] = {}
        self.outermost: dict[Activation, Block] = {}

    def run(self, activation: Activation, around: Block | None = None) -> None:
        block = Block(activation, around)
        self.outermost[activation] = block
        self.visit(activation.root, block)

    def visit(self, node: Node, block: Block) -> None:
        if isinstance(node, (Constant, Parameter)) or atomic(node):
            return
        seen = self.first.get(node)
        if node in self.cells:
            if seen is None:
                outer = self.outermost[node.owner]
                inside = Block(node.owner, outer)
                self.first[node] = inside
                self.parts(node, inside)
        elif seen is None:
            self.first[node] = block
            if node.owner is not block.function:
                self.cells.add(node)
            self.parts(node, block)
        elif not block.inside(seen):
            self.cells.add(node)

    def parts(self, node: Node, block: Block) -> None:
        match node:
            case Call():
                self.call(node, block)
            case Build(items=items):
                for item in items:
                    self.visit(item, block)
            case Fallback(default=default):
                self.visit(default, Block(block.function, block))
            case Held(inner=inner) | Guard(inner=inner):
                self.visit(inner, block)
            case Closure(body=body):
                self.run(body, block)
            case _:
                pass

    def call(self, call: Call, block: Block) -> None:
        match inline_form(call, self.bodies):
            case "if" | "coalesce":
                first, *arms = call.inputs
                self.visit(first.nodes[0], block)
                for arm in arms:
                    self.visit(arm.nodes[0], Block(block.function, block))
            case "and" | "or":
                self.nested(call.inputs[0].nodes, block)
            case "cond":
                self.clauses(call.inputs[0].nodes, block)
            case "do":
                build = call.inputs[0].nodes[0]
                for step in build.items if isinstance(build, Build) else ():
                    self.visit(step, block)
            case _:
                self.plain(call.inputs, block)

    def nested(self, nodes: tuple[Node, ...], block: Block) -> None:
        for node in nodes:
            self.visit(node, block)
            block = Block(block.function, block)

    def clauses(self, nodes: tuple[Node, ...], block: Block) -> None:
        for test, result in zip(nodes[::2], nodes[1::2], strict=True):
            self.visit(test, block)
            self.visit(result, Block(block.function, block))
            block = Block(block.function, block)

    def plain(self, inputs: tuple[Input, ...], block: Block) -> None:
        for each in inputs:
            if each.mode in (Mode.STRICT, Mode.LAZY_LIST):
                self.visit(each.nodes[0], block)
        for each in inputs:
            if each.mode in (Mode.LAZY, Mode.LAZY_ITEMS):
                for node in each.nodes:
                    self.visit(node, Block(block.function, block))
