"""Base functions that are written out in the place of their call.

A template stands for a call only where the types prove that both give the same; then what it
writes neither fails nor has effects, unless it says that it calls something.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from graphden.check import fit
from graphden.compile.code import DEEPEST, Code
from graphden.compile.static import static_type
from graphden.model.plan import Build, Call, Constant, Input, Mode, Node
from graphden.model.types import Primitive, Type, Union

Types: TypeAlias = Mapping[str, Type]


@dataclass(frozen=True, slots=True)
class Expression:
    """A Python expression over the slots of a base function, by the names of its parameters.

    `slots` says of which type a slot's value must be proved to be, by the name of a primitive
    or several of them; `given` are slots that must be literals other than 0. An expression that
    `calls` may fail and have effects.
    """

    text: str
    slots: Mapping[str, str] = field(default_factory=dict)
    nonzero: str = ""
    calls: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """The items of the one slot, a list, joined from the left by an operator such as `+`; each
    is proved to be of type `item`.
    """

    operator: str
    item: str


@dataclass(frozen=True, slots=True)
class Pair:
    """The two items of the one slot, a list, compared by an operator such as `<`; both are
    proved to be of one of the types `items`.
    """

    operator: str
    items: tuple[str, ...]


Template: TypeAlias = Expression | Fold | Pair


def chosen(
    template: Template, call: Call, parameters: tuple[str, ...], types: Types
) -> tuple[Node, ...] | None:
    """The nodes that a template takes, in the order in which they are evaluated; None where the
    types do not prove that it holds.
    """
    match template:
        case Expression(slots=slots, nonzero=nonzero):
            if any(each.mode is not Mode.STRICT for each in call.inputs):
                return None
            by_name = dict(zip(parameters, call.inputs, strict=True))
            for name, kinds in slots.items():
                if not _is(by_name[name].nodes[0], kinds.split(), types):
                    return None
            if nonzero:
                match by_name[nonzero].nodes[0]:
                    case Constant(value=int() as value) if value:
                        pass
                    case _:
                        return None
            return tuple(each.nodes[0] for each in call.inputs)
        case Fold(item=item):
            items = _items(call.inputs)
            if items is None or not 2 <= len(items) <= DEEPEST:
                return None
            return items if all(_is(each, [item], types) for each in items) else None
        case Pair(items=kinds):
            items = _items(call.inputs)
            if items is None or len(items) != 2:
                return None
            for kind in kinds:
                if all(_is(each, [kind], types) for each in items):
                    return items
            return None


def _items(inputs: tuple[Input, ...]) -> tuple[Node, ...] | None:
    match inputs:
        case [Input(mode=Mode.STRICT, nodes=(Build(items=items),))]:
            return items
        case [Input(mode=Mode.STRICT, nodes=(Constant(value=list() as values),))]:
            return tuple(map(Constant, values))
    return None


def _is(node: Node, kinds: list[str], types: Types) -> bool:
    wanted: Type = (
        Primitive(kinds[0]) if len(kinds) == 1 else Union(tuple(map(Primitive, kinds)))
    )
    return bool(fit(static_type(node, types), wanted, types))


@dataclass(frozen=True, slots=True)
class Chosen:
    """A template that stands for a call, and the nodes that it takes."""

    template: Template
    nodes: tuple[Node, ...]
    parameters: tuple[str, ...] = ()


OPERATORS: dict[str, ast.operator] = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult()}
COMPARISONS: dict[str, ast.cmpop] = {
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "==": ast.Eq(),
    "!=": ast.NotEq(),
}


def written(template: Template, parameters: tuple[str, ...], taken: list[Code]) -> Code:
    """The template over expressions for what it takes."""
    depth = 1 + max((each.depth for each in taken), default=0)
    settled = all(each.settled for each in taken)
    match template:
        case Fold(operator=operator):
            found = taken[0].expression
            for each in taken[1:]:
                found = ast.BinOp(found, OPERATORS[operator], each.expression)
            return Code(found, settled, depth + len(taken) - 2)
        case Pair(operator=operator):
            left, right = (each.expression for each in taken)
            return Code(ast.Compare(left, [COMPARISONS[operator]], [right]), settled, depth)
        case Expression(text=text, calls=calls):
            values = {p: each.expression for p, each in zip(parameters, taken, strict=True)}
            tree = ast.parse(text, mode="eval").body
            return Code(_Filled(values).visit(tree), settled and not calls, depth)


class _Filled(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for stale in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(node, stale):
                delattr(node, stale)
        return super().generic_visit(node)


def gives_one(template: Template) -> bool:
    """Whether a template is nothing but what it takes."""
    return isinstance(template, Expression) and template.text.isidentifier()


def used_twice(template: Template, parameters: tuple[str, ...]) -> Iterator[int]:
    """The places of the slots that a template writes more than once: these must be named."""
    if isinstance(template, Expression):
        names = [
            node.id for node in ast.walk(ast.parse(template.text)) if isinstance(node, ast.Name)
        ]
        for index, parameter in enumerate(parameters):
            if names.count(parameter) > 1:
                yield index
