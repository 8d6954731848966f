"""From a resolved row to its plan (LANGUAGE 7.2, 7.3).

Two uses of a row are one node when the row and the sources of its free arguments are the same.
What has effects belongs to the activation it is used in; what is pure belongs to the outermost
activation that it depends on, so that callables share it with their surroundings. A row that
reaches time or random is never shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphden.check import Inference, Typed
from graphden.compile.static import latent, optional_argument, static_type
from graphden.compile.steps import Steps, each, run
from graphden.errors import RunError, Span
from graphden.model import resolved as source
from graphden.model.plan import (
    Activation,
    Build,
    Call,
    Closure,
    Constant,
    Fallback,
    Guard,
    GuardKey,
    Held,
    Input,
    Mode,
    Node,
    Parameter,
    Plan,
    Trail,
)
from graphden.model.resolved import VOLATILE, Program, ResolvedRow, Slot, Source
from graphden.model.types import ANY, Callable, Primitive, Type, Unresolved, Variable
from graphden.resolve.reach import names_drawn
from graphden.resolve.types import item_type, parts

Environment = dict[str, Node]
Key = tuple[object, ...]


LARGEST = 50_000
"""How many nodes a plan may have. Rows that use others twice, each time with other arguments,
come to a number of nodes that doubles from row to row."""


def plan(program: Program, row: str, inference: Inference | None = None) -> Plan:
    """The plan of running `row`; its parameters are the row's interface, in order.

    `inference` tells the types of nodes, and where in a row a value must be checked when it
    comes; without it nothing is known and nothing is checked. Raises RunError
    `recursion-depth` when it would have more than `LARGEST` nodes.
    """
    return _Expander(program, inference).entry(row)


class _Expander:
    def __init__(self, program: Program, inference: Inference | None) -> None:
        self.program = program
        self.inference = inference
        self.types = program.types
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
        trail = Trail(resolved.row.owner, _anchor(resolved), inline=resolved.row.inline)
        self.top.root = run(self._instance(resolved, environment, self.top, trail))
        return Plan(row, self.top, self.types)

    # -- rows --------------------------------------------------------------------------------

    def _instance(
        self, row: ResolvedRow, environment: Environment, here: Activation, trail: Trail
    ) -> Steps[Node]:
        effectful = self._effectful(row, environment)
        key = (
            row.id,
            tuple((name, environment.get(name)) for name in row.interface),
            here if effectful else None,
        )
        shared = not row.effects & VOLATILE
        if shared and key in self.nodes:
            return self.nodes[key]
        self._count(row, trail)
        scope = _Scope(self, row, environment, here, trail)
        inputs = yield each(scope.input(slot) for slot in row.slots)
        inner = [node for taken in inputs for node in taken.nodes]
        node: Node = Call(
            here if effectful else self._deepest(inner),
            row.root.id,
            tuple(inputs),
            trail,
            effectful or latent(inner),
            scope.typed.result if scope.typed else ANY,
        )
        node = scope.guarded(node, ("result",))
        if shared:
            self.nodes[key] = node
        return node

    def _count(self, row: ResolvedRow, trail: Trail) -> None:
        self.calls += 1
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

    def _effectful(self, row: ResolvedRow, environment: Environment) -> bool:
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

    def _deepest(self, nodes: Iterable[Node]) -> Activation:
        found = self.top
        for node in nodes:
            if not isinstance(node, Constant) and node.owner.depth > found.depth:
                found = node.owner
        return found


class _Scope:
    """One row with the sources of its free arguments, in an activation."""

    def __init__(
        self,
        expander: _Expander,
        row: ResolvedRow,
        environment: Environment,
        here: Activation,
        trail: Trail,
    ) -> None:
        self.expander = expander
        self.row = row
        self.environment = environment
        self.here = here
        self.trail = trail
        self.guards: Mapping[GuardKey, Type] = {}
        self.typed: Typed | None = None
        if expander.inference is not None:
            nodes = {name: node for name in row.interface if (node := environment.get(name))}
            given = {name: static_type(node, expander.types) for name, node in nodes.items()}
            optional = frozenset(
                name for name, node in nodes.items() if optional_argument(node)
            )
            self.typed = expander.inference.instance(row.id, given, optional)
            self.guards = self.typed.guards
        self.held: dict[int, Node] = {}
        self.captured: dict[int, Environment] = {}

    def guarded(self, node: Node, key: GuardKey) -> Node:
        """The node, checked where the types say that its value must be looked at."""
        type_ = self.guards.get(key)
        if type_ is None:
            return node
        made = self.expander.nodes
        known = ("guard", node, type_)
        if known not in made:
            owner = self.expander.top if isinstance(node, Constant) else node.owner
            made[known] = Guard(owner, node, type_, self.trail, latent((node,)))
        return made[known]

    def input(self, slot: Slot) -> Steps[Input]:
        lazy = slot.declaration.lazy
        is_list = lazy and item_type(slot.declaration.type, self.expander.types) is not None
        if is_list and isinstance(slot.source, source.Sequence):
            return Input(Mode.LAZY_ITEMS, (yield self._items(slot.source, slot)))
        node = self.guarded((yield self._slot(slot)), ("slot", slot.declaration.name))
        if is_list:
            return Input(Mode.LAZY_LIST, (node,))
        # A slot that was neither bound nor given is nil, lazy or not.
        absent = slot.source is None and slot.name not in self.environment
        if lazy and not (absent and not slot.declaration.has_default):
            return Input(Mode.LAZY, (node,))
        return Input(Mode.STRICT, (node,))

    def _slot(self, slot: Slot) -> Steps[Node]:
        declared = slot.declaration.default
        match slot.source:
            case None:
                return self._or_default(
                    self.environment.get(slot.name), Constant(declared), slot.place
                )
            case source.Open(name=name, default=default, place=place):
                # A slot's own name is the callers', not that of a binding for references (5.4).
                given = self.environment.get(name)
                if default is None:
                    return self._or_default(given, Constant(declared), place)
                return self._or_default(given, (yield self._node(default)), default.place)
            case source.Sequence() as items if self.guards:
                return self._build((yield self._items(items, slot)))
            case bound:
                found: Node = yield self._node(bound)
                return found

    def _items(self, items: source.Sequence, slot: Slot) -> Steps[tuple[Node, ...]]:
        name = slot.declaration.name
        nodes = yield each(map(self._node, items.items))
        return tuple(
            self.guarded(node, ("slot", name, index)) for index, node in enumerate(nodes)
        )

    def _build(self, nodes: tuple[Node, ...]) -> Node:
        if all(isinstance(node, Constant) for node in nodes):
            return Constant([n.value for n in nodes if isinstance(n, Constant)])
        return Build(self.expander._deepest(nodes), nodes, self.trail, latent(nodes))

    def _node(self, bound: Source) -> Steps[Node]:
        node: Node
        match bound:
            case source.Constant(value=value):
                return Constant(value)
            case source.Use(target=target, place=place):
                row = self.expander.program.resolved[target]
                captured = yield self._captured(bound, row)
                node = yield self.expander._instance(
                    row, captured, self.here, self._step(row, place)
                )
                return node
            case source.Wrap():
                node = yield self._closure(bound)
                return node
            case source.Open(name=name, place=place, default=default):
                given = yield self._lookup(name)
                if default is None:
                    return self._or_default(given, Constant(None), place)
                return self._or_default(given, (yield self._node(default)), default.place)
            case source.Sequence(items=items):
                nodes = yield each(map(self._node, items))
                return self._build(tuple(nodes))

    def _or_default(self, given: Node | None, default: Node, place: source.Place) -> Node:
        """The argument, or the default written at `place` while it is not given."""
        if given is None:
            return default
        argument = optional_argument(given)
        if argument is None:
            return given
        written = (place.row, place.path)
        key = ("fallback", given, written if isinstance(default, Constant) else default)
        if key not in self.expander.nodes:
            nodes = (given, default)
            self.expander.nodes[key] = Fallback(
                self.expander._deepest(nodes),
                argument,
                given,
                default,
                self.trail,
                latent(nodes),
            )
        return self.expander.nodes[key]

    def _captured(self, ref: source.Use | source.Wrap, row: ResolvedRow) -> Steps[Environment]:
        """What the free arguments of the row referred to come from."""
        if id(ref) in self.captured:
            return self.captured[id(ref)]
        received = ref.receivers if isinstance(ref, source.Wrap) else ()
        found: Environment = {}
        for name in row.interface:
            if name in received:
                continue
            opened = ref.renamed.get(name)
            node = yield self._lookup(name if opened is None else opened.name)
            if opened is not None and opened.default is not None:
                default = yield self._held(opened.default)
                node = self._or_default(node, default, opened.default.place)
            if node is not None:
                found[name] = self.guarded(node, (ref.place.row, *ref.place.path, "to", name))
        self.captured[id(ref)] = found
        return found

    def _lookup(self, name: str) -> Steps[Node | None]:
        feed = self.row.feeds.get(name)
        if feed is None:
            return self.environment.get(name)
        node: Node = yield self._held(feed.source)
        return node

    def _held(self, bound: Source) -> Steps[Node]:
        """A binding of a free name: one source for all that it feeds."""
        if id(bound) not in self.held:
            self.held[id(bound)] = yield self._hold(bound)
        return self.held[id(bound)]

    def _hold(self, bound: Source) -> Steps[Node]:
        nodes = self.expander.nodes
        place = (bound.place.row, bound.place.path)
        if isinstance(bound, source.Wrap):
            node: Node = yield self._closure(bound)
            return node
        if isinstance(bound, source.Constant):
            return nodes.setdefault(("held", *place), Constant(bound.value))
        needed = yield each(
            map(self._lookup, names_drawn(bound, self.expander.program.resolved))
        )
        effectful = True
        if isinstance(bound, source.Use):
            row = self.expander.program.resolved[bound.target]
            captured = yield self._captured(bound, row)
            effectful = self.expander._effectful(row, captured)
        key = ("held", *place, tuple(needed), self.here if effectful else None)
        if key not in nodes:
            inner = yield self._node(bound)
            if isinstance(inner, Constant):
                nodes[key] = inner
            else:
                owner = self.here if effectful else inner.owner
                nodes[key] = Held(owner, inner, self.trail, latent((inner,)))
        return nodes[key]

    def _closure(self, wrap: source.Wrap) -> Steps[Node]:
        row = self.expander.program.resolved[wrap.target]
        captured: Environment = yield self._captured(wrap, row)
        place = (wrap.place.row, wrap.place.path)
        types = tuple(self._handed(wrap, name) for name in wrap.receivers)
        key = ("closure", *place, row.id, wrap.receivers, types, tuple(captured.items()))
        nodes = self.expander.nodes
        if key not in nodes:
            body = Activation(self.here.depth + 1, row.id)
            body.parameters = tuple(
                Parameter(body, name or "_", latent=True, type=type_)
                for name, type_ in zip(wrap.receivers, types, strict=True)
            )
            environment: Environment = dict(captured)
            for name, parameter in zip(wrap.receivers, body.parameters, strict=True):
                if name is not None:
                    way = (wrap.place.row, *wrap.place.path, "to", name)
                    environment[name] = self.guarded(parameter, way)
            trail = self._step(row, wrap.place)
            body.root = yield self.expander._instance(row, environment, body, trail)
            owner = self.expander._deepest(captured.values())
            effectful = self.expander._effectful(row, environment)
            nodes[key] = Closure(owner, body, trail, effectful)
        return nodes[key]

    def _handed(self, wrap: source.Wrap, name: str | None) -> Type:
        """The type of what the call hands to an argument of the row wrapped."""
        for ref, typed in self.typed.references if self.typed else ():
            if ref is wrap and name is not None:
                return typed.parameters.get(name, ANY)
        return ANY

    def _step(self, row: ResolvedRow, place: source.Place) -> Trail:
        """The trail one reference further: this row now points at the reference."""
        here = Trail(self.trail.row, place.span, self.trail.above)
        return Trail(row.row.owner, _anchor(row), here, row.row.inline)


def _callable(type_: Type) -> bool:
    match type_:
        case Callable() | Variable() | Unresolved() | Primitive("any" | "sequence"):
            return True
    return False


def _anchor(row: ResolvedRow) -> Span:
    return row.row.parents[0].span if row.row.parents and row.row.inline else row.row.span
