"""Texts put together by `str`, written out as one f-string.

What the types do not tell is turned into text by the function that the body uses. Nothing is
turned into text before all parts are evaluated: that may fail.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias

from graphden.check.fit import fit
from graphden.compile.code import Code, Writer, call, load
from graphden.compile.functions import Functions
from graphden.compile.linking import NeedOf
from graphden.compile.static import static_type
from graphden.compile.steps import Steps
from graphden.model.plan import Build, Call, Constant, Node
from graphden.model.types import Primitive, Type, Union

Types: TypeAlias = Mapping[str, Type]

LONG_PARTS = 8
"""How many parts that may be long are joined before it is seen whether the text is too long."""

SMALL = 1_000_000_000
"""Ints up to this are compared, and turned into digits, without asking how long they are."""


class Kind(StrEnum):
    """How a part becomes text."""

    TEXT = "text"
    NULLABLE = "nullable"
    INT = "int"
    BOOL = "bool"
    ANY = "any"


NAMED = Union(tuple(map(Primitive, ("text", "keyword", "uuid", "decimal"))))
KINDS: tuple[tuple[Type, Kind], ...] = (
    (Primitive("int"), Kind.INT),
    (Primitive("bool"), Kind.BOOL),
    (NAMED, Kind.TEXT),
    (Union((Primitive("text"), Primitive("null"))), Kind.NULLABLE),
)


def kind_of(part: Node, types: Types) -> Kind:
    """How a part becomes text, as far as its type tells."""
    type_ = static_type(part, types)
    return next((kind for known, kind in KINDS if fit(type_, known, types)), Kind.ANY)


class Texts(Functions):
    """Writes calls of `str`."""

    def text(self, node: Call, writer: Writer) -> Steps[Code]:
        """The text of parts that stand in the row."""
        number = self.line
        for needed in self.bodies[node.function].needs:
            self.globals[needed] = NeedOf(node.function, needed)
        build = node.inputs[0].nodes[0]
        assert isinstance(build, Build)
        codes: list[Code] = yield self.values(build.items, writer)
        self.line = number
        kinds = [kind_of(part, self.types) for part in build.items]
        if Kind.ANY in kinds:
            codes = [each if each.settled else self.keep(each, writer) for each in codes]
        depth = 2 + max((each.depth for each in codes), default=0)
        parts: list[ast.expr] = []
        long_parts = 0
        for part, kind, code in zip(build.items, kinds, codes, strict=True):
            if long_parts == LONG_PARTS:
                parts = [_formatted(self.within(parts))]
                long_parts = 0
            long_parts += not isinstance(part, Constant)
            parts.extend(self.part(kind, code))
        return Code(self.within(parts), depth=depth)

    def part(self, kind: Kind, code: Code) -> Iterator[ast.expr]:
        value = code.expression
        match kind:
            case Kind.TEXT if isinstance(value, ast.Constant):
                yield value
            case Kind.TEXT:
                yield _formatted(value, str_first=True)
            case Kind.NULLABLE:
                either = ast.BoolOp(ast.Or(), [value, ast.Constant("")])
                yield _formatted(either, str_first=True)
            case Kind.BOOL:
                words = (ast.Constant("true"), ast.Constant("false"))
                yield _formatted(ast.IfExp(value, *words))
            case Kind.INT:
                yield self.digits(value)
            case _:
                yield _formatted(call(load("as_text"), [value]))

    def digits(self, value: ast.expr) -> ast.expr:
        """An int whose digits Python may write, or else the text of its digits."""
        match value:
            case ast.Constant(value=int() as number) if abs(number) < SMALL:
                return ast.Constant(str(number))
        first = again = value
        if not isinstance(value, ast.Name):
            again = load(self.fresh("v"))
            first = ast.NamedExpr(ast.Name(again.id, ast.Store()), value)
        small = ast.Compare(
            ast.Constant(-SMALL), [ast.Lt(), ast.Lt()], [first, ast.Constant(SMALL)]
        )
        return _formatted(ast.IfExp(small, again, call(load("digits_of"), [again])))

    def within(self, parts: list[ast.expr]) -> ast.expr:
        """The parts as one text, of which it is seen that it is not too long."""
        made = self.fresh("v")
        joined = ast.NamedExpr(ast.Name(made, ast.Store()), self.on(_joined(parts)))
        length = call(load("len"), [joined])
        test = ast.Compare(length, [ast.LtE()], [load("MOST_CHARACTERS")])
        return self.on(ast.IfExp(test, load(made), self.on(call(load("too_long")))))


def _formatted(value: ast.expr, *, str_first: bool = False) -> ast.FormattedValue:
    return ast.FormattedValue(value, ord("s") if str_first else -1, None)


def _joined(parts: list[ast.expr]) -> ast.JoinedStr:
    """An f-string; texts beside each other are one."""
    found: list[ast.expr] = []
    for part in parts:
        match found, part:
            case [*_, ast.Constant(value=str() as left)], ast.Constant(value=str() as right):
                found[-1] = ast.Constant(left + right)
            case _:
                found.append(part)
    return ast.JoinedStr(found)
