"""From a resolved row to its plan (LANGUAGE 7.2, 7.3).

Two uses of a row are one node when the row and the sources of its free arguments are the same.
What has effects belongs to the activation it is used in; what is pure belongs to the outermost
activation that it depends on, so that callables share it with their surroundings. A row that
reaches time or random is never shared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from graphden.check import Inference
from graphden.compile import outline
from graphden.compile.scope import Environment, Scope, anchor
from graphden.compile.static import latent, static_type
from graphden.compile.steps import Steps, each, run
from graphden.errors import RunError
from graphden.model.plan import (
    Activation,
    Apply,
    Call,
    Closure,
    Constant,
    Node,
    Parameter,
    Plan,
    Trail,
)
from graphden.model.resolved import VOLATILE, Program, ResolvedRow
from graphden.model.types import ANY, Callable, Primitive, Type, Unresolved, Variable
from graphden.resolve.types import parts

Key = tuple[object, ...]

LARGEST = 50_000
"""How many evaluations a plan may have. Rows that use others twice, each time anew, come to a
number that doubles from row to row."""

MANY, OFTEN = 500, 8
"""Where one row is evaluated more often, each time with other arguments, and all rows so often
on average, the plan begins again: rows that are pure are then written once, and called."""

WRITTEN = 2
"""How often a row is then written where it is used, before it is called."""


def plan(program: Program, row: str, inference: Inference | None = None) -> Plan:
    """The plan of running `row`; its parameters are the row's interface, in order.

    `inference` tells the types of nodes, and where in a row a value must be checked when it
    comes; without it nothing is known and nothing is checked. Raises RunError
    `recursion-depth` when it would have more than `LARGEST` evaluations.
    """
    try:
        return Expander(program, inference).entry(row)
    except _Doubling:
        return Expander(program, inference, outlining=True).entry(row)


class _Doubling(Exception):  # noqa: N818 - no error: the plan is begun again
    """Rows are used so often that not every use can be written where it is."""


class Expander:
    """Makes the nodes of one plan. When `outlining`, what is pure and used often is called."""

    def __init__(
        self, program: Program, inference: Inference | None, *, outlining: bool = False
    ) -> None:
        self.program = program
        self.inference = inference
        self.types = program.types
        self.outlining = outlining
        self.outlined: dict[Key, Closure] = {}
        self.uses: Counter[str] = Counter()
        self.nodes: dict[Key, Node] = {}
        self.callable: dict[int, bool] = {}
        self.calls = 0
        self.top: Activation

    def entry(self, row: str) -> Plan:
        resolved = self.program.resolved[row]
        self.top = Activation(0, row)
        types = {} if self.inference is None else self.inference.row(row).parameters
        self.top.parameters = tuple(
            Parameter(
                self.top, p.name, not p.required, self._may_call(p.type), types.get(p.name, ANY)
            )
            for p in resolved.interface.values()
        )
        environment: Environment = {p.name: p for p in self.top.parameters}
        trail = Trail(resolved.row.owner, anchor(resolved), inline=resolved.row.inline)
        self.top.root = run(self.instance(resolved, environment, self.top, trail))
        return Plan(row, self.top, self.types)

    # -- rows --------------------------------------------------------------------------------

    def instance(
        self, row: ResolvedRow, environment: Environment, here: Activation, trail: Trail
    ) -> Steps[Node]:
        effectful = self.effectful(row, environment)
        key = (
            row.id,
            tuple((name, environment.get(name)) for name in row.interface),
            here if effectful else None,
        )
        shared = not row.effects & VOLATILE
        if shared and key in self.nodes:
            return self.nodes[key]
        node: Node
        often = self.outlining and self.uses[row.id] >= WRITTEN and row.targets
        if often and not effectful and outline.possible(environment.values()):
            node = yield self._applied(row, environment, trail)
        else:
            node = yield self._written(row, environment, here, trail, effectful=effectful)
        if shared:
            self.nodes[key] = node
        return node

    def _written(
        self,
        row: ResolvedRow,
        environment: Environment,
        here: Activation,
        trail: Trail,
        *,
        effectful: bool,
    ) -> Steps[Node]:
        self._count(row, trail)
        scope = Scope(self, row, environment, here, trail)
        inputs = yield each(scope.input(slot) for slot in row.slots)
        inner = [node for taken in inputs for node in taken.nodes]
        node = Call(
            here if effectful else self.deepest(inner),
            row.root.id,
            tuple(inputs),
            trail,
            effectful or latent(inner),
            scope.typed.result if scope.typed else ANY,
        )
        return scope.guarded(node, ("result",))

    def _applied(self, row: ResolvedRow, environment: Environment, trail: Trail) -> Steps[Node]:
        """The row as a function that is written once for all uses of one kind, called."""
        given = {name: node for name in row.interface if (node := environment.get(name))}
        key = ("outlined", row.id, outline.kind(given, self.types))
        if key not in self.outlined:
            body = Activation(self.top.depth + 1, row.id)
            way = Trail(row.row.owner, anchor(row), inline=row.row.inline)
            inside = outline.parameters(body, given, self.types, way)
            body.root = yield self._written(row, inside, body, way, effectful=False)
            self.outlined[key] = Closure(self.top, body, way, latent=False)
        function = self.outlined[key]
        arguments = []
        for node in given.values():
            if ("argument", node) not in self.nodes:
                self.nodes["argument", node] = outline.argument(node)
            arguments.append(self.nodes["argument", node])
        root = function.body.root
        type_ = static_type(root, self.types)
        owner = self.deepest(arguments)
        return Apply(owner, function, tuple(arguments), trail, latent((root,)), type_)

    def _count(self, row: ResolvedRow, trail: Trail) -> None:
        self.calls += 1
        self.uses[row.id] += 1
        often = self.uses[row.id] > MANY and self.calls > OFTEN * len(self.uses)
        if often and not self.outlining:
            raise _Doubling
        if self.calls > LARGEST:
            entry = self.program.resolved[self.top.row].row
            raise RunError(
                "recursion-depth",
                f":{entry.owner} comes to more than {LARGEST:,} evaluations, the last one that "
                f"of :{row.row.owner}: rows are used again and again, each time anew",
                hint="Bind what is used more than once to one argument, or call a row of it "
                "with :map, say.",
                row=row.row.owner,
                span=trail.span,
            )

    def effectful(self, row: ResolvedRow, environment: Environment) -> bool:
        """Whether evaluating the row may have effects: its own, or those of a callable it
        gets.
        """
        if row.effects:
            return True
        return any(
            latent((node,))
            for name, parameter in row.interface.items()
            if (node := environment.get(name)) is not None and self._may_call(parameter.type)
        )

    def _may_call(self, type_: Type) -> bool:
        """Whether a value of this type may hold something that can be called."""
        known = self.callable.get(id(type_))
        if known is None:
            known = self.callable[id(type_)] = any(map(_callable, parts(type_, self.types)))
        return known

    def deepest(self, nodes: Iterable[Node]) -> Activation:
        found = self.top
        for node in nodes:
            if not isinstance(node, Constant) and node.owner.depth > found.depth:
                found = node.owner
        return found


def _callable(type_: Type) -> bool:
    match type_:
        case Callable() | Variable() | Unresolved() | Primitive("any" | "sequence"):
            return True
    return False
