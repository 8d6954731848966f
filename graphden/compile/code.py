"""Pieces of generated Python: expressions, and the statements of a block."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from graphden.model.plan import Node

DEEPEST = 20
"""How deep calls and operators nest in one expression; Python's compiler goes down by
recursion."""


@dataclass(frozen=True, slots=True)
class Code:
    """An expression that is written, and not yet evaluated.

    One that is `settled` gives the same whenever it is evaluated, and cannot fail: it may wait
    while something else is evaluated.
    """

    expression: ast.expr
    settled: bool = False
    depth: int = 0

    @property
    def named(self) -> bool:
        """Whether it costs nothing to write it again."""
        return isinstance(self.expression, (ast.Name, ast.Constant))

    def again(self) -> Code:
        """The same, when it is `named`, as an expression of its own."""
        match self.expression:
            case ast.Name(id=name):
                return Code(load(name), settled=True)
            case ast.Constant(value=value):
                return Code(ast.Constant(value), settled=True)
        raise TypeError(self)


class Writer:
    """The statements of one block, and what is already evaluated in it or around it."""

    def __init__(self, around: Writer | None = None) -> None:
        self.statements: list[ast.stmt] = []
        self.cells: list[ast.stmt] = []
        self.around = around
        self.known: dict[Node, Code] = {}

    def value_of(self, node: Node) -> Code | None:
        """The local that holds a node's value, or the literal that it came to, if it is
        evaluated.
        """
        writer: Writer | None = self
        while writer is not None:
            if node in writer.known:
                return writer.known[node].again()
            writer = writer.around
        return None


def load(name: str) -> ast.Name:
    """The value of a name."""
    return ast.Name(name, ast.Load())


def store(name: str, value: ast.expr) -> ast.Assign:
    """An assignment."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def call(function: ast.expr, arguments: list[ast.expr] | None = None) -> ast.Call:
    """A call with positional arguments."""
    return ast.Call(function, arguments or [], [])


def is_(left: ast.expr, right: ast.expr) -> ast.Compare:
    """Whether two values are one object."""
    return ast.Compare(left, [ast.Is()], [right])


def defines(statements: list[ast.stmt]) -> bool:
    """Whether a function is made among the statements."""
    return any(
        isinstance(each, (ast.FunctionDef, ast.Lambda))
        for statement in statements
        for each in ast.walk(statement)
    )


def names_values(expression: ast.expr) -> bool:
    """Whether a part of an expression is named in it. That may stand in a comprehension, but
    not where it takes its items from.
    """
    return any(isinstance(each, ast.NamedExpr) for each in ast.walk(expression))


def free_names(function: ast.FunctionDef) -> list[str]:
    """The names that a function uses and does not bind, in the order of their use.

    No two of the names that are made for generated code are the same.
    """
    used: dict[str, None] = {}
    bound: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used[name] = None
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str() as name):
                bound.add(name)
    return [name for name in used if name not in bound]
