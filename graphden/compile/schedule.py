"""Which nodes of a plan need a cell, and which can be evaluated in place.

A plan is evaluated by need. Where the first place that needs a node comes before, and in a
block around, every other place that does, the node is evaluated there, once, as a plain local.
All others get a *cell*: a function that evaluates at its first call and then remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from graphden.compile.steps import Steps
from graphden.compile.steps import run as run_steps
from graphden.compile.templates import Template
from graphden.errors import RunError
from graphden.model.plan import (
    Activation,
    Apply,
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
    children,
)


class FunctionBody(Protocol):
    """What the compiler needs of a base function's body (`graphden.run.Body` is one)."""

    @property
    def function(self) -> Callable[..., object]: ...

    @property
    def parameters(self) -> tuple[str, ...]: ...

    @property
    def takes_context(self) -> bool: ...

    @property
    def inline(self) -> str | None: ...

    @property
    def needs(self) -> Mapping[str, object]: ...

    @property
    def template(self) -> Template | None: ...


Bodies = Mapping[str, FunctionBody]

BLOCKS = 20
"""How many blocks may stand inside each other in one function: what is inside more of them gets
a cell. Python's compiler follows blocks by recursion."""

FUNCTIONS = 100
"""How many callables may stand inside each other, each using what those around it are called
with."""

TOGETHER = 10
"""How many parts of `and`, `or` and `cond` stand inside each other; the next ones follow."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements that run together: a function's body, an arm, a cell's body."""

    function: Activation
    around: Block | None = None
    depth: int = 0
    """How many blocks of the function it is inside."""
    functions: int = 0
    """How many functions its function is inside."""
    also: frozenset[Activation] = frozenset()
    """The activations around it that run once in each of the function's."""

    def arm(self) -> Block:
        """A block inside this one."""
        return Block(self.function, self, self.depth + 1, self.functions, self.also)

    def once(self, activation: Activation) -> Block:
        """A block inside this one, in which a callable runs that is called once at most."""
        also = self.also | {activation}
        return Block(self.function, self, self.depth + 1, self.functions, also)

    def owns(self, node: Node) -> bool:
        """Whether a node is evaluated at most once when this block runs once."""
        if isinstance(node, Constant):
            return True
        return node.owner is self.function or node.owner in self.also

    def body(self, function: Activation) -> Block:
        """The outermost block of a function that is defined in this one."""
        if self.functions == FUNCTIONS:
            raise RunError(
                "recursion-depth",
                f"more than {FUNCTIONS} callables stand inside each other here, and each uses "
                "what those around it are called with",
                hint="Hand on what the inner ones need in one value, such as a map.",
                row=function.root.trail.row if isinstance(function.root, Call) else None,
                span=function.root.trail.span if isinstance(function.root, Call) else None,
            )
        return Block(function, self, functions=self.functions + 1)

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


def together(nodes: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """The parts of `and`, `or` or `cond`, an even number at a time."""
    for start in range(0, len(nodes), 2 * TOGETHER):
        yield tuple(nodes[start : start + 2 * TOGETHER])


def atomic(node: Node) -> bool:
    """Whether a node is written as an expression wherever it is needed."""
    match node:
        case Constant() | Parameter() | Fallback(present=Parameter(), default=Constant()):
            return True
    return False


def cells(entry: Activation, bodies: Bodies, once: Container[Closure] = ()) -> frozenset[Node]:
    """The nodes that need a cell; the callables in `once` are written where they are called,
    and that at most once.
    """
    found: set[Node] = set()
    while True:
        before = len(found)
        run_steps(_Pass(found, bodies, once).run(entry))
        if len(found) == before:
            return frozenset(found)


class _Pass:
    """Walks the plan in the order of evaluation, adding to `cells` what proves to need one."""

    def __init__(self, cells: set[Node], bodies: Bodies, once: Container[Closure]) -> None:
        self.cells = cells
        self.once = once
        self.bodies = bodies
        self.first: dict[Node, Block] = {}
        self.outermost: dict[Activation, Block] = {}

    def run(self, activation: Activation, around: Block | None = None) -> Steps[None]:
        block = Block(activation) if around is None else around.body(activation)
        self.outermost[activation] = block
        yield self.visit(activation.root, block)

    def visit(self, node: Node, block: Block) -> Steps[None]:
        if isinstance(node, (Constant, Parameter)) or atomic(node):
            return
        if isinstance(node, Closure) and node in self.once:
            inside = self.outermost[node.body] = block.once(node.body)
            yield self.visit(node.body.root, inside)
            return
        seen = self.first.get(node)
        if seen is None:
            if not block.owns(node) or block.depth > BLOCKS:
                self.cells.add(node)
            if node in self.cells:
                block = self.outermost[node.owner].arm()
            self.first[node] = block
            yield self.parts(node, block)
        elif node not in self.cells and not block.inside(seen):
            self.cells.add(node)

    def parts(self, node: Node, block: Block) -> Steps[None]:
        match node:
            case Call():
                yield self.call(node, block)
            case Build(items=items):
                for item in items:
                    yield self.visit(item, block)
            case Fallback(present=present, default=default):
                yield self.visit(default, block.arm())
                yield self.visit(present, block.arm())
            case Held(inner=inner) | Guard(inner=inner):
                yield self.visit(inner, block)
            case Closure(body=body):
                yield self.run(body, block)
            case Apply():
                for each in children(node):
                    yield self.visit(each, block)
            case _:
                pass

    def call(self, call: Call, block: Block) -> Steps[None]:
        match inline_form(call, self.bodies):
            case "if" | "coalesce":
                first, *arms = call.inputs
                yield self.visit(first.nodes[0], block)
                for arm in arms:
                    yield self.visit(arm.nodes[0], block.arm())
            case "and" | "or":
                for index, nodes in enumerate(together(call.inputs[0].nodes)):
                    yield self.nested(nodes, block if index == 0 else block.arm())
            case "cond":
                for index, nodes in enumerate(together(call.inputs[0].nodes)):
                    yield self.clauses(nodes, block if index == 0 else block.arm())
            case "do":
                build = call.inputs[0].nodes[0]
                for step in build.items if isinstance(build, Build) else ():
                    yield self.visit(step, block)
            case _:
                yield self.plain(call.inputs, block)

    def nested(self, nodes: tuple[Node, ...], block: Block) -> Steps[None]:
        for node in nodes:
            yield self.visit(node, block)
            block = block.arm()

    def clauses(self, nodes: tuple[Node, ...], block: Block) -> Steps[None]:
        for test, result in zip(nodes[::2], nodes[1::2], strict=True):
            yield self.visit(test, block)
            yield self.visit(result, block.arm())
            block = block.arm()

    def plain(self, inputs: tuple[Input, ...], block: Block) -> Steps[None]:
        for each in inputs:
            if each.mode in (Mode.STRICT, Mode.LAZY_LIST):
                yield self.visit(each.nodes[0], block)
        for each in inputs:
            if each.mode in (Mode.LAZY, Mode.LAZY_ITEMS):
                for node in each.nodes:
                    yield self.visit(node, block.arm())
