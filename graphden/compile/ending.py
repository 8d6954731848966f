"""Where code looks whether its run should end (LANGUAGE 7.5).

The entry keeps the context's list of cancelled scopes in a local; to look is to ask whether it
is empty. Its `check` raises when one of them concerns the run or the thread.
"""

from __future__ import annotations

import ast

from graphden.compile.code import call, load, store

_NAME = "ending"


def begun() -> ast.stmt:
    """What the entry does before any look."""
    return store(_NAME, ast.Attribute(load("context"), _NAME, ast.Load()))


def look() -> ast.stmt:
    """A look, as a statement."""
    return ast.If(load(_NAME), [ast.Expr(_check())], [])


def condition() -> ast.expr:
    """A look, as a condition that holds or raises."""
    no_check = ast.UnaryOp(ast.Not(), _check())
    return ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), load(_NAME)), no_check])


def without_look(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that come right after a look: a `try` need not begin with another."""
    match statements:
        case [ast.Try(body=[ast.If(test=ast.Name(id="ending")), *body]) as first, *_]:
            first.body = body
    return statements


def _check() -> ast.expr:
    return call(ast.Attribute(load(_NAME), "check", ast.Load()))
