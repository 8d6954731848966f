"""Rows that are used so often, each time with other arguments, that they are written once and
called: without that, code would double with every row that uses another one twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphden.compile.schedule import atomic
from graphden.compile.static import latent, optional_argument, static_type
from graphden.model.plan import (
    Activation,
    Apply,
    Closure,
    Constant,
    Guard,
    Node,
    Parameter,
    Trail,
)
from graphden.model.types import Callable, Type

Given = Mapping[str, Node]


def passed(node: Node) -> bool:
    """Whether a function is given the node itself: nothing is evaluated by that."""
    return atomic(node) or isinstance(node, Closure)


def possible(given: Iterable[Node]) -> bool:
    """Whether a function can be given these: a check of what may stand for nothing has no value
    to give then.
    """
    return not any(isinstance(node, Guard) and absent(node) for node in given)


def kind(given: Given, types: Mapping[str, Type]) -> tuple[object, ...]:
    """What two uses of a row must have in common to call one function."""
    return tuple(
        (name, static_type(node, types), passed(node), absent(node), latent((node,)))
        for name, node in given.items()
    )


def parameters(
    body: Activation, given: Given, types: Mapping[str, Type], trail: Trail
) -> dict[str, Node]:
    """The parameters of a function that is called with `given`, as nodes of its body."""
    found: dict[str, Node] = {}
    taken = []
    for name, node in given.items():
        type_, effectful = static_type(node, types), latent((node,))
        if passed(node):
            parameter = Parameter(body, name, absent(node), effectful, type_)
            found[name] = parameter
        else:
            parameter = Parameter(body, name, latent=effectful, type=Callable((), type_))
            found[name] = Apply(body, parameter, (), trail, effectful, type_)
        taken.append(parameter)
    body.parameters = tuple(taken)
    return found


def absent(node: Node) -> bool:
    """Whether it may stand for nothing."""
    return optional_argument(node) is not None


def argument(node: Node) -> Node:
    """What a function is called with to be given the node: it is evaluated when needed, and
    once, whoever needs it.
    """
    if isinstance(node, (Constant, Parameter)) or passed(node):
        return node
    body = Activation(node.owner.depth + 1, node.trail.row)
    body.root = node
    return Closure(node.owner, body, node.trail, node.latent)
