"""One row in the place where it is used: its slots as nodes (LANGUAGE 7.2, 7.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphden.check import Typed
from graphden.compile.static import latent, optional_argument, static_type
from graphden.compile.steps import Steps, each
from graphden.errors import Span
from graphden.model import resolved as source
from graphden.model.plan import (
    Activation,
    Build,
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
    Trail,
)
from graphden.model.resolved import VOLATILE, ResolvedRow, Slot, Source
from graphden.model.types import ANY, Type
from graphden.resolve.reach import names_drawn
from graphden.resolve.types import item_type

if TYPE_CHECKING:
    from graphden.compile.expand import Expander

Environment = dict[str, Node]


class Scope:
    """One row with the sources of its free arguments, in an activation."""

    def __init__(
        self,
        expander: Expander,
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
            absent = frozenset(name for name, node in nodes.items() if optional_argument(node))
            self.typed = expander.inference.instance(row.id, given, absent)
            self.guards = self.typed.guards
        self.held: dict[int, Node] = {}
        self.captured: dict[int, Environment] = {}
        self.same: dict[str, Node] = {}  # what uses come to that differ in their places only

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
        return Build(self.expander.deepest(nodes), nodes, self.trail, latent(nodes))

    def _node(self, bound: Source) -> Steps[Node]:
        node: Node
        match bound:
            case source.Constant(value=value):
                return Constant(value)
            case source.Use(target=target, place=place, renamed=renamed):
                if not renamed and target in self.same:
                    return self.same[target]
                row = self.expander.program.resolved[target]
                captured = yield self._captured(bound, row)
                node = yield self.expander.instance(
                    row, captured, self.here, self._step(row, place)
                )
                if not renamed and not self.guards and not row.effects & VOLATILE:
                    self.same[target] = node
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
                self.expander.deepest(nodes),
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
            effectful = self.expander.effectful(row, captured)
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
            body.root = yield self.expander.instance(row, environment, body, trail)
            owner = self.expander.deepest(captured.values())
            effectful = self.expander.effectful(row, environment)
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
        return Trail(row.row.owner, anchor(row), here, row.row.inline)


def anchor(row: ResolvedRow) -> Span:
    return row.row.parents[0].span if row.row.parents and row.row.inline else row.row.span
