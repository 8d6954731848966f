"""A plan: what one entry row computes, as a graph of nodes in which equal work is one node.

All inheritance, renaming and passing by name has ended here. A node belongs to an *activation*
(one run of the entry, or one call of a callable): it is evaluated at most once in each, when
first needed, and its `owner` says in which. Nodes compare by identity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from graphden.errors import Frame, Span
from graphden.model.types import ANY, Type


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The way from the entry to a row: the places of the references that lead there. An
    `inline` row is told by the row that it is written in.
    """

    row: str
    span: Span | None
    above: Trail | None = None
    inline: bool = False

    def frames(self) -> tuple[Frame, ...]:
        """The way as frames, the entry first."""
        found = []
        step: Trail | None = self
        while step is not None:
            found.append(Frame(step.row, step.span))
            step = step.above
        return tuple(reversed(found))


@dataclass(slots=True, eq=False)
class Activation:
    """One run of the entry, or one call of a callable. `root` is what it returns."""

    depth: int
    row: str
    parameters: tuple[Parameter, ...] = ()
    root: Node = field(init=False)


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A literal."""

    value: object


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """An argument of an activation; `optional` when it may not have been given."""

    owner: Activation
    name: str
    optional: bool = False
    latent: bool = True
    type: Type = ANY


class Mode(StrEnum):
    """How a call takes one of its inputs."""

    STRICT = "strict"
    """The value."""
    LAZY = "lazy"
    """A function that evaluates it."""
    LAZY_ITEMS = "lazy items"
    """A list of functions, one for each item written."""
    LAZY_LIST = "lazy list"
    """A list of functions, one for each item of a list that is evaluated whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What a call takes for one slot; one node but for `LAZY_ITEMS`."""

    mode: Mode
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A base function (or the constructor of a type row) applied to its inputs."""

    owner: Activation
    function: str
    inputs: tuple[Input, ...]
    trail: Trail
    latent: bool
    type: Type = ANY


@dataclass(frozen=True, slots=True, eq=False)
class Build:
    """A list of items."""

    owner: Activation
    items: tuple[Node, ...]
    trail: Trail
    latent: bool


@dataclass(frozen=True, slots=True, eq=False)
class Fallback:
    """An argument when it was given, else its default. `present` is its value: the argument
    itself, or what is checked of it.
    """

    owner: Activation
    given: Parameter
    present: Node
    default: Node
    trail: Trail
    latent: bool


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A binding that feeds references: evaluated at most once in the activation that binds it,
    whatever its effects, also when several threads need it (LANGUAGE 7.3).
    """

    owner: Activation
    inner: Node
    trail: Trail
    latent: bool


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A value that must be of a type which only its coming can show (LANGUAGE 8.5)."""

    owner: Activation
    inner: Node
    type: Type
    trail: Trail
    latent: bool


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A row as a callable. Each call is an activation of its own."""

    owner: Activation
    body: Activation
    trail: Trail
    latent: bool


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """A function of the plan's own, called: a row that is used too often to be written at each
    use, or what such a row is given, which it evaluates when it needs it.
    """

    owner: Activation
    function: Closure | Parameter
    arguments: tuple[Node, ...]
    trail: Trail
    latent: bool
    type: Type = ANY


Evaluated: TypeAlias = Call | Build | Fallback | Held | Guard | Closure | Apply
Node: TypeAlias = Constant | Parameter | Evaluated

GuardKey: TypeAlias = tuple[str | int, ...]
"""Names a place in a row where a value is checked: `("slot", name)` with the index of an item
perhaps, `(row, *path, "to", argument)` for what a reference is given, `("result",)`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What running `row` computes."""

    row: str
    entry: Activation
    types: Mapping[str, Type]

    def nodes(self) -> Iterator[Node]:
        """Every node, once."""
        seen: set[Node] = set()
        stack: list[Node] = [self.entry.root]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            yield node
            stack.extend(children(node))


def children(node: Node) -> tuple[Node, ...]:
    """The nodes that a node is made of."""
    match node:
        case Call(inputs=inputs):
            return tuple(inner for each in inputs for inner in each.nodes)
        case Build(items=items):
            return items
        case Fallback(given=given, present=present, default=default):
            return (given, default) if present is given else (given, present, default)
        case Held(inner=inner) | Guard(inner=inner):
            return (inner,)
        case Closure(body=body):
            return (body.root,)
        case Apply(function=function, arguments=arguments):
            return (function, *arguments)
        case _:
            return ()
