"""What the types prove of a node's value before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphden.check import join, type_of
from graphden.model.plan import (
    Apply,
    Build,
    Call,
    Closure,
    Constant,
    Fallback,
    Guard,
    Held,
    Node,
    Parameter,
)
from graphden.model.types import Callable, ListOf, Type


def static_type(node: Node, types: Mapping[str, Type]) -> Type:
    """The type of a node's value; `any` where nothing is known."""
    match node:
        case Constant(value=value):
            return type_of(value)
        case Parameter(type=type_) | Call(type=type_) | Guard(type=type_) | Apply(type=type_):
            return type_
        case Held(inner=inner):
            return static_type(inner, types)
        case Build(items=items):
            return ListOf(join((static_type(item, types) for item in items), types))
        case Fallback(present=present, default=default):
            return join((static_type(present, types), static_type(default, types)), types)
        case Closure(body=body):
            taken = tuple((each.name, each.type) for each in body.parameters)
            return Callable(taken, static_type(body.root, types))


def optional_argument(node: Node) -> Parameter | None:
    """The argument that a node is, checked perhaps, if it may stand for nothing."""
    while isinstance(node, Guard):
        node = node.inner
    return node if isinstance(node, Parameter) and node.optional else None


def latent(nodes: Iterable[Node]) -> bool:
    """Whether one of the nodes may be, or hold, a callable whose effects are not known."""
    return any(not isinstance(node, Constant) and node.latent for node in nodes)
