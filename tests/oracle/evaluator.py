"""A slow, obvious evaluator of resolved rows: what LANGUAGE 7 says, read from top to bottom.

It knows no plan, no sharing between activations, no cells and no generated code, so it tells
what compiled code must do. Three ideas carry it:

Activation   one run of an entry row or one call of a callable, with what was evaluated in it.
Origin       where the value of a free argument comes from: an identity, and a way to get it.
Stay         a row being evaluated: its arguments' origins, in an activation.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from graphden.errors import Cancelled
from graphden.model.resolved import (
    Constant,
    Open,
    Place,
    Program,
    ResolvedRow,
    Sequence,
    Slot,
    Source,
    Use,
    Wrap,
)
from graphden.model.types import ListOf
from graphden.run import Body, Context

VOLATILE = {"time", "random"}

Compute = Callable[[], object]


class Once:
    """A computation that runs at its first `get`; a failure is remembered like a value."""

    def __init__(self, compute: Compute) -> None:
        self.compute = compute
        self.lock = threading.RLock()
        self.outcome: tuple[object, BaseException | None] | None = None

    def get(self) -> object:
        with self.lock:
            if self.outcome is None:
                try:
                    self.outcome = self.compute(), None
                except Cancelled:
                    raise
                except BaseException as error:
                    self.outcome = None, error
            value, failure = self.outcome
        if failure is not None:
            raise failure
        return value


@dataclass(eq=False)
class Activation:
    """LANGUAGE 7.2: within it, what has the same key is evaluated at most once."""

    done: dict[Hashable, Once] = field(default_factory=dict)

    def once(self, key: Hashable, compute: Compute) -> Compute:
        return self.done.setdefault(key, Once(compute)).get


@dataclass(frozen=True)
class Origin:
    """The source of a free argument. `given` is False for an optional one that nobody gave."""

    key: Hashable
    get: Compute
    optional: bool = False
    given: bool = True


Origins = Mapping[str, Origin]


@dataclass(frozen=True)
class Oracle:
    """Evaluates the rows of a program; `bodies` are the base functions by row."""

    program: Program
    bodies: Mapping[str, Body]
    context: Context

    def run(self, entry: str, arguments: Mapping[str, object]) -> object:
        """The value of row `entry`; failures are raised as the base functions raised them."""
        origins = {
            name: Origin(
                ("argument", name),
                _given(arguments.get(name)),
                optional=not parameter.required,
                given=name in arguments,
            )
            for name, parameter in self.program.resolved[entry].interface.items()
        }
        return self.evaluate(entry, origins, Activation())

    def evaluate(self, target: str, origins: Origins, activation: Activation) -> object:
        """A reference: at most once per activation for the same row and origins (7.2), but
        always anew for a row that reaches time or random (7.3).
        """
        row = self.program.resolved[target]
        stay = Stay(self, row, origins, activation)
        if row.effects & VOLATILE:
            return stay.value()
        key = (row.id, *(origins[name].key for name in row.interface))
        return activation.once(key, stay.value)()


@dataclass(frozen=True)
class Stay:
    """One row, with the origins of its free arguments, in an activation."""

    oracle: Oracle
    row: ResolvedRow
    origins: Origins
    activation: Activation

    def value(self) -> object:
        """The base function at the root of the row's chain, applied (7.1, 7.6)."""
        body = self.oracle.bodies[self.row.root.id]
        strict = {
            slot.name: self.slot(slot) for slot in self.row.slots if not slot.declaration.lazy
        }
        inputs = [
            self.lazy(slot) if slot.declaration.lazy else strict[slot.name]
            for slot in self.row.slots
        ]
        extra = {"context": self.oracle.context} if body.takes_context else {}
        return body.function(*inputs, **extra)

    def lazy(self, slot: Slot) -> object:
        """A function, or a list of functions, for a base function to call as it needs them."""
        if isinstance(slot.source, Sequence):
            return [Once(partial(self.source, item)).get for item in slot.source.items]
        if isinstance(slot.declaration.type, ListOf):
            values: Any = self.slot(slot)
            return [_given(value) for value in (() if values is None else values)]
        return Once(partial(self.slot, slot)).get

    def slot(self, slot: Slot) -> object:
        """What an own slot gets. A name that it is open under is the callers', not that of a
        binding for references (5.4).
        """
        match slot.source:
            case None | Open():
                origin = self.origins[slot.name]
                if origin.given:
                    return origin.get()
                if slot.source is None or slot.source.default is None:
                    return slot.declaration.default
                return self.source(slot.source.default)
            case bound:
                return self.source(bound)

    def source(self, source: Source) -> object:
        """The value of what a binding is bound to."""
        match source:
            case Constant(value=value):
                return value
            case Sequence(items=items):
                return [self.source(item) for item in items]
            case Open(name=name, default=default):
                origin = self.find(name)
                if origin.given:
                    return origin.get()
                return None if default is None else self.source(default)
            case Use(target=target):
                return self.oracle.evaluate(target, self.handed(source), self.activation)
            case Wrap():
                return self.callable(source)

    def callable(self, wrap: Wrap) -> Callable[..., object]:
        """A row as a callable: each call is an activation of its own (7.2). What it captures
        comes from here, whoever calls it (6.3).
        """
        captured = self.handed(wrap)

        def call(*values: object) -> object:
            self.oracle.context.check()
            received = {
                name: Origin(object(), _given(value))
                for name, value in zip(wrap.receivers, values, strict=True)
                if name is not None
            }
            return self.oracle.evaluate(wrap.target, {**captured, **received}, Activation())

        return call

    def handed(self, ref: Use | Wrap) -> dict[str, Origin]:
        """The origins of the free arguments of the row referred to: by name from here, but for
        those that were renamed on the way.
        """
        received = ref.receivers if isinstance(ref, Wrap) else ()
        found: dict[str, Origin] = {}
        for name in self.oracle.program.resolved[ref.target].interface:
            if name not in received:
                opened = ref.renamed.get(name)
                found[name] = self.find(name) if opened is None else self.opened(opened)
        return found

    def opened(self, opened: Open) -> Origin:
        origin = self.find(opened.name)
        if opened.default is None or not origin.optional:
            return origin
        default = self.binding(opened.default)
        key = ("default", origin.key, default.key)
        return Origin(key, origin.get if origin.given else default.get)

    def find(self, name: str) -> Origin:
        """A name that references have free: fed by a binding of this row (5.3), else by whoever
        refers to it.
        """
        feed = self.row.feeds.get(name)
        return self.origins[name] if feed is None else self.binding(feed.source)

    def binding(self, source: Source) -> Origin:
        """The binding of a free name: evaluated at most once in the activation that binds it,
        whatever its effects (7.3). Two bindings are never one, whatever they are bound to.
        """
        place = _written(source.place)
        if isinstance(source, Constant):
            return Origin(("literal", place), _given(source.value))
        drawn_on = tuple(self.find(name).key for name in sorted(set(self.names(source))))
        key = ("binding", place, drawn_on, self.activation)
        return Origin(key, self.activation.once(key, partial(self.source, source)))

    def names(self, source: Source) -> Iterator[str]:
        """The names of this row that a source draws on."""
        match source:
            case Open(name=name, default=default):
                yield name
                if default is not None and name not in self.row.feeds:
                    yield from self.names(default)
            case Sequence(items=items):
                for item in items:
                    yield from self.names(item)
            case Use(target=target) | Wrap(target=target):
                received = source.receivers if isinstance(source, Wrap) else ()
                for name in self.oracle.program.resolved[target].interface:
                    opened = source.renamed.get(name)
                    if opened is not None:
                        yield from self.names(opened)
                    elif name not in received:
                        yield name
            case Constant():
                pass


def _given(value: object) -> Compute:
    return lambda: value


def _written(place: Place) -> Hashable:
    return place.row, place.path
