"""The error codes that the sources raise, and the texts that go with them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

ERRORS = {"RunError", "UsageError", "ReadError", "GraphdenError", "Problem", "Finding"}
"""Calls whose first argument is a code."""


def raised() -> dict[str, set[str]]:
    """Each code, with the messages and hints that it is raised with, `…` where a value stands.

    A code that is chosen between, `"a" if … else "b"`, or kept in a constant is found too.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for folder in ("graphden", "backends"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            constants = dict(_constants(tree))
            for node in ast.walk(tree):
                for code in _codes(node, constants):
                    found[code].update(_texts(node))
    return found


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _codes(node: ast.AST, constants: dict[str, ast.expr]) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in ERRORS:
            yield from _strings(first, constants)
        case ast.Assign(targets=[ast.Name(id="code")], value=value):
            yield from _strings(value, constants)
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id="code"), *_])], value=ast.Tuple()):
            yield from _strings(node.value.elts[0], constants)


def _strings(node: ast.expr, constants: dict[str, ast.expr]) -> Iterator[str]:
    match node:
        case ast.Constant(value=str() as code):
            yield code
        case ast.IfExp(body=body, orelse=other):
            yield from _strings(body, constants)
            yield from _strings(other, constants)
        case ast.Name(id=name) if name in constants:
            yield from _strings(constants[name], {})


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        for argument in (*node.args[1:], *(keyword.value for keyword in node.keywords)):
            if text := _template(argument):
                yield text


def _template(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_template(part) or "…" for part in parts)
        case ast.IfExp(body=body):
            return _template(body)
    return ""
