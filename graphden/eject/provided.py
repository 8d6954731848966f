"""What stands before the functions of an ejected module: base functions, checks, literals."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graphden.check import Contracts, holds_secret
from graphden.compile.code import call, load
from graphden.edn import Keyword
from graphden.edn.layout import format_text
from graphden.eject.imports import Imports, home_of
from graphden.eject.literals import HOMES, literal, scalars
from graphden.eject.naming import Names, identifier, short
from graphden.ejected.types import named_in, standing_alone, type_rows_text, type_text
from graphden.entries import Signature
from graphden.files import packages
from graphden.model.plan import Call, Constant, Plan
from graphden.model.resolved import Program
from graphden.model.rows import RowKind
from graphden.model.types import Type

EJECTED = "graphden.ejected"
"""The module that ejected ones import."""

_SHARED = (Keyword, str, int, float, bool, type(None))


class Provided:
    """Gives names to what generated code refers to, and gathers the statements that make it."""

    def __init__(self, program: Program, planned: Plan) -> None:
        self.names = Names(("context", "ending", "app", "TYPES", "ROW"))
        self.imports = Imports(self.names)
        self.imports.add(EJECTED, "Types")
        self.statements: list[ast.stmt] = []
        self._program = program
        self._planned = planned
        self._contracts = Contracts(program.types)
        self._rows: set[str] = set()
        self._known: dict[object, str] = {}

    def function(self, row_id: str) -> str:
        """The name of a base function, or of the constructor of a type row."""
        row = self._program.rows[row_id]
        if row.kind is RowKind.TYPE:
            self._rows.add(row_id)
            return self._made(short(row_id), _of_types("constructor", literal(row_id)))
        body = next(
            body
            for package in packages()
            if package.name == row.package
            for body in package.functions
            if body.name == row.name
        )
        home = home_of(body.function)
        result = self._program.resolved[row_id].result
        plain = home is not None and not body.takes_types and not self._hides(result)
        if home is not None and plain:
            return self.imports.add(*home)
        if home is not None:
            function: ast.expr = load(self.imports.add(*home))
        else:
            function = load(self.imports.add(EJECTED, "base_function"))
            function = call(function, [literal(row.package), literal(row.name)])
        if body.takes_types:
            self._rows.update(self._asked_for(row_id))
            function = _of_types("asking", function)
        if self._hides(result):
            function = _of_types("noting", function, literal(self._text(result)))
        return self._made(short(row_id), function)

    def check(self, type_: Type, near: str) -> str:
        """The name of a type's check; `near` is a row that has it."""
        text = self._text(type_)
        named = text.rpartition("/")[2] if text[:1] == ":" else near
        made = _of_types("check", literal(text))
        return self._made(f"check_{identifier(named.lstrip(':'), near)}", made)

    def value(self, value: object, near: str) -> str:
        """The name of a literal; `near` is the row that has it."""
        wanted = identifier(value.text) if isinstance(value, Keyword) else near
        written = self._literal(value)
        key = ast.unparse(written) if isinstance(value, _SHARED) else object()
        if key not in self._known:
            self._known[key] = self._made(wanted.upper(), written)
        return self._known[key]

    def deferred(self, value: object, near: str) -> str:
        """The name of a function that gives a literal."""
        written = self._literal(value)
        key = "deferred", ast.unparse(written)
        if key not in self._known:
            wanted = "nothing" if value is None else f"get_{near}"
            function = load(self.imports.add(EJECTED, "constantly"))
            self._known[key] = self._made(wanted, call(function, [written]))
        return self._known[key]

    def row(self, row_id: str, signature: Signature) -> None:
        """Make `ROW`, which checks what the row takes and hides what it must not give."""
        takes = ast.Dict(
            [literal(name) for name in signature.takes],
            [literal(self._text(type_)) for type_ in signature.takes.values()],
        )
        made = ast.Call(
            ast.Attribute(load("TYPES"), "row", ast.Load()), [literal(row_id), takes], []
        )
        optional = [name for name in signature.takes if name not in signature.required]
        if optional:
            listed = ast.List([literal(name) for name in optional], ast.Load())
            made.keywords.append(ast.keyword("optional", listed))
        gives = signature.gives
        if self._hides(gives) or self._contracts.holds_callable(gives):
            made.keywords.append(ast.keyword("gives", literal(self._text(gives))))
        self.statements.append(_assigned("ROW", made))

    def body_of(self, row: str) -> Type:
        """What a type row says."""
        return self._program.types[row]

    def types(self) -> str:
        """The statement that makes `TYPES`."""
        types = self._program.types
        rows = sorted({*self._rows, *named_in((types[row] for row in self._rows), types)})
        if not rows:
            return "TYPES = Types()"
        text = format_text(type_rows_text(types, rows))
        text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        return f'TYPES = Types(\n    """\n{_indented(text)}\n    """\n)'

    def _made(self, wanted: str, value: ast.expr) -> str:
        name = self.names.give(wanted)
        self.statements.append(_assigned(name, value))
        return name

    def _literal(self, value: object) -> ast.expr:
        written = literal(value)
        for node in ast.walk(written):
            if isinstance(node, ast.Name) and node.id in HOMES:
                node.id = self.imports.add(HOMES[node.id], node.id)
        return written

    def _text(self, type_: Type) -> str:
        found = standing_alone(type_)
        self._rows.update(named_in([found], self._program.types))
        return type_text(found)

    def _hides(self, type_: Type) -> bool:
        return holds_secret(type_, self._program.types)

    def _asked_for(self, row_id: str) -> Iterable[str]:
        """The type rows that calls of `is-a?` may ask for."""
        asked: set[str] = set()
        for node in self._planned.nodes():
            if isinstance(node, Call) and node.function == row_id:
                match node.inputs[1].nodes[0]:
                    case Constant(value=value):
                        asked.update(each for each in scalars(value) if isinstance(each, str))
                    case _:
                        return self._program.types
        rows = self._program.types
        meant = [r for r in rows if r in asked or r.rpartition("/")[2] in asked]
        return {*meant, *named_in((rows[row] for row in meant), rows)}


def _of_types(method: str, *arguments: ast.expr) -> ast.expr:
    return call(ast.Attribute(load("TYPES"), method, ast.Load()), [*arguments])


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
