"""Values of EDN as Python writes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from math import isfinite
from uuid import UUID

from graphden.compile.code import call, load
from graphden.edn import Keyword, Symbol
from graphden.errors import UsageError

DIGITS = 4_000
"""From so many decimal digits on, Python refuses to read an integer that is not written in
hexadecimal."""

HOMES = {
    "Keyword": "graphden.edn",
    "Symbol": "graphden.edn",
    "Decimal": "decimal",
    "UUID": "uuid",
    "datetime": "datetime",
}
"""Where the names that literals use are imported from."""


def literal(value: object) -> ast.expr:
    """An expression for a value that EDN can write. Raises UsageError `no-text` for another."""
    match value:
        case None | bool():
            return ast.Constant(value)
        case int():
            return _integer(value)
        case float():
            return _float(value)
        case Keyword():
            return _made("Keyword", value.text)
        case Symbol():
            return _made("Symbol", value.name)
        case str():
            return ast.Name(quoted(value), ast.Load())
        case bytes():
            return ast.Constant(value)
        case Decimal():
            return _made("Decimal", str(value))
        case UUID():
            return _made("UUID", str(value))
        case datetime():
            read = ast.Attribute(load("datetime"), "fromisoformat", ast.Load())
            return call(read, [literal(value.isoformat())])
        case list():
            return ast.List([literal(item) for item in value], ast.Load())
        case tuple():
            return ast.Tuple([literal(item) for item in value], ast.Load())
        case dict():
            keys: list[ast.expr | None] = [literal(key) for key in value]
            return ast.Dict(keys, [literal(item) for item in value.values()])
        case frozenset() if not value:
            return call(load("frozenset"))
        case frozenset():
            # The order of a set changes from process to process.
            items = sorted(map(literal, value), key=ast.unparse)
            return call(load("frozenset"), [ast.Set(items)])
    raise UsageError(
        "no-text",
        f"a {type(value).__name__} has no text in Python that stands for it",
        hint="Leave the slot open, and give the value as an argument.",
    )


def scalars(value: object) -> Iterator[object]:
    """What a value is made of."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as held:
                waiting += [*held, *held.values()]
            case list() | tuple() | frozenset() as held:
                waiting += held
            case scalar:
                yield scalar


def quoted(text: str) -> str:
    """A text as Python writes it, in double quotes where these need no more escapes."""
    single = repr(text + '"')[1:-2]  # in single quotes, whatever is in the text
    if text.count('"') > text.count("'"):
        return f"'{single}'"
    inside = single.replace("\\'", "'").replace('"', '\\"')
    return f'"{inside}"'


def _integer(value: int) -> ast.expr:
    if value < 0:
        return ast.UnaryOp(ast.USub(), _integer(-value))
    if value.bit_length() > DIGITS * 3:
        return ast.Name(f"0x{value:X}", ast.Load())
    return ast.Constant(value)


def _float(value: float) -> ast.expr:
    if not isfinite(value):
        return call(load("float"), [literal(str(value))])
    if str(value).startswith("-"):
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _made(name: str, text: str) -> ast.expr:
    return call(load(name), [literal(text)])
