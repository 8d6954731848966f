"""From a resolved row to its plan (LANGUAGE 7.2, 7.3).

Two uses of a row are one node when the row and the sources of its free arguments are the same.
What has effects belongs to the activation it is used in; what is pure belongs to the outermost
activation that it depends on, so that callables share it with their surroundings. A row that
reaches time or random is never shared.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from graphden.errors import Span
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
from graphden.model.resolved import Program, ResolvedRow, Slot, Source
from graphden.model.types import (
    ANY,
    Callable,
    ListOf,
    MapOf,
    Named,
    Primitive,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Unresolved,
    Variable,
    Variant,
)
from graphden.resolve import item_type

Environment = dict[str, Node]
Key = tuple[object, ...]

VOLATILE = frozenset(("time", "random"))


GuardsOf: TypeAlias = Function[[str], Mapping[GuardKey, Type]]


def unguarded(_: str) -> Mapping[GuardKey, Type]:
    """No guards in any row."""
    return {}


def plan(program: Program, row: str, guards: GuardsOf = unguarded) -> Plan:
    """The plan of running `row`; its parameters are the row's interface, in order.

    `guards` says where in a row a value must be checked when it comes.
    """
    return _Expander(program, guards).entry(row)


class _Expander:
    def __init__(self, program: Program, guards: GuardsOf) -> None:
        self.program = program
        self.guards = guards
        self.types = program.types
        self.nodes: dict[Key, Node] = {}
        self.top: Activation

    def entry(self, row: str) -> Plan:
        resolved = self.program.resolved[row]
        self.top = Activation(0, row)
        self.top.parameters = tuple(
            Parameter(self.top, p.name, not p.required, self._may_call(p.type))
            for p in resolved.interface.values()
        )
        environment: Environment = {p.name: p for p in self.top.parameters}
        trail = Trail(resolved.row.owner, _anchor(resolved))
        self.top.root = self._instance(resolved, environment, self.top, trail)
        return Plan(row, self.top)

    # -- rows --------------------------------------------------------------------------------

    def _instance(
        self, row: ResolvedRow, environment: Environment, here: Activation, trail: Trail
    ) -> Node:
        effectful = self._effectful(row, environment)
        key = (
            row.id,
            tuple((name, environment.get(name)) for name in row.interface),
            here if effectful else None,
        )
        shared = not row.effects & VOLATILE
        if shared and key in self.nodes:
            return self.nodes[key]
        scope = _Scope(self, row, environment, here, trail)
        inputs = tuple(scope.input(slot) for slot in row.slots)
        inner = [node for each in inputs for node in each.nodes]
        node: Node = Call(
            here if effectful else self._deepest(inner),
            row.root.id,
            inputs,
            trail,
            effectful or _latent(inner),
        )
        node = scope.guarded(node, ("result",))
        if shared:
            self.nodes[key] = node
        return node

    def _effectful(self, row: ResolvedRow, environment: Environment) -> bool:
        """Whether evaluating the row may have effects: its own, or those of a callable it
        gets.
        """
        if row.effects:
            return True
        return any(
            _latent((node,))
            for name, parameter in row.interface.items()
            if (node := environment.get(name)) is not None and self._may_call(parameter.type)
        )

    def _may_call(self, type_: Type, within: frozenset[str] = frozenset()) -> bool:
        """Whether a value of this type may hold something that can be called; `within` are the
        type rows that this type stands in.
        """

        def any_of(types: Iterable[Type]) -> bool:
            return any(self._may_call(inner, within) for inner in types)

        match type_:
            case Named(row):
                if row in within:
                    return False
                within |= {row}
                return self._may_call(self.types.get(row, ANY), within)
            case Primitive(name):
                return name in ("any", "sequence")
            case Callable() | Variable() | Unresolved():
                return True
            case ListOf(inner) | MapOf(_, inner) | Secret(inner) | Refined(inner):
                return self._may_call(inner, within)
            case TupleOf(inners) | Union(inners):
                return any_of(inners)
            case Record(fields):
                return any_of(field.type for field in fields)
            case Variant(cases):
                return any_of(inner for _, inner in cases)

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
        self.guards = expander.guards(row.id)

    def guarded(self, node: Node, key: GuardKey) -> Node:
        """The node, checked where the types say that its value must be looked at."""
        type_ = self.guards.get(key)
        if type_ is None:
            return node
        made = self.expander.nodes
        known = ("guard", node, type_)
        if known not in made:
            owner = self.expander.top if isinstance(node, Constant) else node.owner
            made[known] = Guard(owner, node, type_, self.trail, _latent((node,)))
        return made[known]

    def input(self, slot: Slot) -> Input:
        lazy = slot.declaration.lazy
        is_list = lazy and item_type(slot.declaration.type, self.expander.types) is not None
        if is_list and isinstance(slot.source, source.Sequence):
            return Input(Mode.LAZY_ITEMS, self._items(slot.source, slot))
        node = self.guarded(self._slot(slot), ("slot", slot.declaration.name))
        if is_list:
            return Input(Mode.LAZY_LIST, (node,))
        # A slot that was neither bound nor given is nil, lazy or not.
        absent = slot.source is None and slot.name not in self.environment
        if lazy and not (absent and not slot.declaration.has_default):
            return Input(Mode.LAZY, (node,))
        return Input(Mode.STRICT, (node,))

    def _slot(self, slot: Slot) -> Node:
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
                return self._or_default(given, self._node(default), default.place)
            case source.Sequence() as items if self.guards:
                return self._build(self._items(items, slot))
            case bound:
                return self._node(bound)

    def _items(self, items: source.Sequence, slot: Slot) -> tuple[Node, ...]:
        name = slot.declaration.name
        return tuple(
            self.guarded(self._node(item), ("slot", name, index))
            for index, item in enumerate(items.items)
        )

    def _build(self, nodes: tuple[Node, ...]) -> Node:
        if all(isinstance(node, Constant) for node in nodes):
            return Constant([n.value for n in nodes if isinstance(n, Constant)])
        return Build(self.expander._deepest(nodes), nodes, self.trail, _latent(nodes))

    def _node(self, bound: Source) -> Node:
        match bound:
            case source.Constant(value=value):
                return Constant(value)
            case source.Use(target=target, place=place):
                row = self.expander.program.resolved[target]
                return self.expander._instance(
                    row, self._captured(bound, row), self.here, self._step(row, place)
                )
            case source.Wrap():
                return self._closure(bound)
            case source.Open(name=name, place=place, default=default):
                given = self._lookup(name)
                if default is None:
                    return self._or_default(given, Constant(None), place)
                return self._or_default(given, self._node(default), default.place)
            case source.Sequence(items=items):
                return self._build(tuple(self._node(item) for item in items))

    def _or_default(self, given: Node | None, default: Node, place: source.Place) -> Node:
        """The argument, or the default written at `place` while it is not given."""
        if given is None:
            return default
        if not (isinstance(given, Parameter) and given.optional):
            return given
        written = (place.row, place.path)
        key = ("fallback", given, written if isinstance(default, Constant) else default)
        if key not in self.expander.nodes:
            nodes = (given, default)
            self.expander.nodes[key] = Fallback(
                self.expander._deepest(nodes), given, default, self.trail, _latent(nodes)
            )
        return self.expander.nodes[key]

    def _captured(self, ref: source.Use | source.Wrap, row: ResolvedRow) -> Environment:
        """What the free arguments of the row referred to come from."""
        received = ref.receivers if isinstance(ref, source.Wrap) else ()
        found: Environment = {}
        for name in row.interface:
            if name in received:
                continue
            opened = ref.renamed.get(name)
            node = self._lookup(name if opened is None else opened.name)
            if opened is not None and opened.default is not None:
                default = self._held(opened.default)
                node = self._or_default(node, default, opened.default.place)
            if node is not None:
                found[name] = self.guarded(node, (ref.place.row, *ref.place.path, "to", name))
        return found

    def _lookup(self, name: str) -> Node | None:
        feed = self.row.feeds.get(name)
        if feed is None:
            return self.environment.get(name)
        return self._held(feed.source)

    def _held(self, bound: Source) -> Node:
        """A binding of a free name: one source for all that it feeds."""
        nodes = self.expander.nodes
        place = (bound.place.row, bound.place.path)
        if isinstance(bound, source.Wrap):
            return self._closure(bound)
        if isinstance(bound, source.Constant):
            return nodes.setdefault(("held", *place), Constant(bound.value))
        needed = tuple(self._lookup(name) for name in self._needs(bound))
        effectful = True
        if isinstance(bound, source.Use):
            row = self.expander.program.resolved[bound.target]
            effectful = self.expander._effectful(row, self._captured(bound, row))
        key = ("held", *place, needed, self.here if effectful else None)
        if key not in nodes:
            inner = self._node(bound)
            if isinstance(inner, Constant):
                nodes[key] = inner
            else:
                owner = self.here if effectful else inner.owner
                nodes[key] = Held(owner, inner, self.trail, _latent((inner,)))
        return nodes[key]

    def _needs(self, bound: Source) -> list[str]:
        """The names of this row that a source draws on, in a fixed order."""
        found: dict[str, None] = {}

        def visit(inner: Source) -> None:
            match inner:
                case source.Open(name=name, default=default):
                    found[name] = None
                    if default is not None:
                        visit(default)
                case source.Sequence(items=items):
                    for item in items:
                        visit(item)
                case source.Use(target=target) | source.Wrap(target=target):
                    received = inner.receivers if isinstance(inner, source.Wrap) else ()
                    for name in self.expander.program.resolved[target].interface:
                        opened = inner.renamed.get(name)
                        if name in received:
                            continue
                        if opened is None:
                            found[name] = None
                        else:
                            visit(opened)
                case _:
                    pass

        visit(bound)
        return list(found)

    def _closure(self, wrap: source.Wrap) -> Node:
        row = self.expander.program.resolved[wrap.target]
        captured = self._captured(wrap, row)
        place = (wrap.place.row, wrap.place.path)
        key = ("closure", *place, row.id, wrap.receivers, tuple(captured.items()))
        nodes = self.expander.nodes
        if key not in nodes:
            body = Activation(self.here.depth + 1, row.id)
            body.parameters = tuple(
                Parameter(body, name or "_", latent=True) for name in wrap.receivers
            )
            environment: Environment = dict(captured)
            for name, parameter in zip(wrap.receivers, body.parameters, strict=True):
                if name is not None:
                    way = (wrap.place.row, *wrap.place.path, "to", name)
                    environment[name] = self.guarded(parameter, way)
            trail = self._step(row, wrap.place)
            body.root = self.expander._instance(row, environment, body, trail)
            owner = self.expander._deepest(captured.values())
            latent = self.expander._effectful(row, environment)
            nodes[key] = Closure(owner, body, trail, latent)
        return nodes[key]

    def _step(self, row: ResolvedRow, place: source.Place) -> Trail:
        """The trail one reference further: this row now points at the reference."""
        here = Trail(self.trail.row, place.span, self.trail.above)
        return Trail(row.row.owner, _anchor(row), here)


def _latent(nodes: Iterable[Node]) -> bool:
    return any(not isinstance(node, Constant) and node.latent for node in nodes)


def _anchor(row: ResolvedRow) -> Span:
    return row.row.parents[0].span if row.row.parents and row.row.inline else row.row.span
