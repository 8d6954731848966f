"""Functions and nodes as Python: what is evaluated where, and under which name."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from graphden.compile import ending
from graphden.compile.choosing import Choice
from graphden.compile.code import DEEPEST, Code, Writer, call, is_, load, store
from graphden.compile.linking import BodyOf, Check, Literal
from graphden.compile.names import Names
from graphden.compile.schedule import Bodies
from graphden.compile.spans import Variant
from graphden.compile.static import static_type
from graphden.compile.steps import Steps, each
from graphden.model.plan import (
    Activation,
    Apply,
    Build,
    Call,
    Closure,
    Constant,
    Evaluated,
    Fallback,
    Guard,
    Held,
    Input,
    Mode,
    Node,
    Parameter,
    Trail,
    children,
)
from graphden.model.types import Primitive, Type

Statement = TypeVar("Statement", bound=ast.stmt)
Expression = TypeVar("Expression", bound=ast.expr)

# A field that Python 3.12 added and asks for.
TYPE_PARAMETERS: dict[str, Any] = {"type_params": []} if sys.version_info >= (3, 12) else {}

BOOL = Primitive("bool")


class Functions(Names):
    """Writes activations as functions, and nodes as expressions with statements before them."""

    surroundings: tuple[str, ...] = ("context",)
    """What the entry takes before its arguments."""

    def __init__(
        self,
        bodies: Bodies,
        choice: Choice,
        types: Mapping[str, Type],
        variant: Variant,
    ) -> None:
        super().__init__()
        self.bodies = bodies
        self.chosen = choice
        self.elements: dict[Parameter, tuple[str, str]] = {}
        self.types = types
        self.variant = variant
        self.lines: list[Trail] = []
        self.parameters: dict[Parameter, ast.expr] = {}
        self.cell_names: dict[Node, str] = {}
        self.outermost: dict[Activation, Writer] = {}
        self.line = 1
        self.looks = False

    # -- functions

    def function(
        self,
        activation: Activation,
        name: str,
        *,
        outermost: bool = False,
        around: Writer | None = None,
    ) -> Steps[ast.FunctionDef]:
        """A function that evaluates the activation."""
        arguments: list[str] = []
        defaults: list[ast.expr] = []
        for parameter in activation.parameters:
            arguments.append(self.parameter(parameter))
            if (outermost and parameter.optional) or defaults:
                defaults.append(load("MISSING"))
        writer = Writer(around)
        result = yield self.inside(activation, writer)
        body = [*writer.cells, *writer.statements, self.at(ast.Return(result.expression))]
        if not outermost:
            body = self.checked(body)
        elif self.looks:
            body.insert(0, self.at(ending.begun()))
        names = [*self.surroundings, *arguments] if outermost else arguments
        return self.define(name, names, body, defaults)

    def parameter(self, parameter: Parameter) -> str:
        """A new name for a parameter."""
        name = self.fresh("p")
        self.parameters[parameter] = load(name)
        return name

    def inside(self, activation: Activation, writer: Writer) -> Steps[Code]:
        """What the activation returns; `writer` has what comes before."""
        self.outermost[activation] = writer
        found: Code = yield self.value(activation.root, writer)
        return found

    def check(self) -> list[ast.stmt]:
        """Look whether the run should end (LANGUAGE 7.5)."""
        if not self.variant.checks:
            return []
        self.looks = True
        return [self.at(ending.look())]

    def checked(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The body of a callable or of a loop, which looks before it does anything."""
        check = self.check()
        return [*check, *ending.without_look(statements)] if check else statements

    def looking(self) -> list[ast.expr]:
        """What a comprehension tests first."""
        if not self.variant.checks:
            return []
        self.looks = True
        return [self.on(ending.condition())]

    def define(
        self,
        name: str,
        arguments: list[str],
        body: list[ast.stmt],
        defaults: list[ast.expr] | None = None,
    ) -> ast.FunctionDef:
        signature = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(argument) for argument in arguments],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=defaults or [],
        )
        return self.at(ast.FunctionDef(name, signature, body, [], **TYPE_PARAMETERS))

    def at(self, statement: Statement) -> Statement:
        statement.lineno = statement.end_lineno = self.line
        statement.col_offset = statement.end_col_offset = 0
        return statement

    def on(self, expression: Expression) -> Expression:
        expression.lineno = expression.end_lineno = self.line
        expression.col_offset = expression.end_col_offset = 0
        return expression

    def add(self, writer: Writer, statement: ast.stmt) -> None:
        writer.statements.append(self.at(statement))

    # -- nodes

    def value(self, node: Node, writer: Writer) -> Steps[Code]:
        """An expression for the node's value, what it needs written before."""
        match node:
            case Constant(value=value):
                return Code(self.constant(value), settled=True)
            case Parameter():
                return Code(self.parameters[node], settled=True)
            case Fallback(present=Parameter() as given, default=Constant() as default):
                own = self.parameters[given]
                missing = is_(own, load("MISSING"))
                chosen = ast.IfExp(missing, self.constant(default.value), own)
                return Code(chosen, settled=True, depth=1)
        known = writer.value_of(node)
        if known is not None:
            return known
        if node in self.chosen.cells:
            if node not in self.cell_names:
                yield self.cell(node)
            cell = load(self.cell_names[node])
            if isinstance(node, Closure):
                return Code(cell, settled=True)
            code = Code(call(cell), depth=1)
        else:
            code = yield self.evaluate(node, writer)
        if code.named:
            writer.known[node] = code
            return code
        if self.chosen.uses.get(node, 2) > 1 or code.depth > DEEPEST:
            return self.keep(code, writer, node)
        return code

    def keep(self, code: Code, writer: Writer, node: Node | None = None) -> Code:
        """Evaluate now, into a local."""
        if code.named:
            return code
        name = self.fresh("v")
        statement = store(name, code.expression)
        line = self.line
        self.line = getattr(code.expression, "lineno", line)
        self.add(writer, statement)
        self.line = line
        if node is not None:
            writer.known[node] = Code(load(name), settled=True)
        return Code(load(name), settled=True)

    def values(self, nodes: Iterable[Node], writer: Writer) -> Steps[list[Code]]:
        """Expressions that are evaluated one after another: where one of them needs statements
        before it, those that come before it are evaluated before these.
        """
        found: list[Code] = []
        for node in nodes:
            written = len(writer.statements)
            code = yield self.value(node, writer)
            if any(
                not isinstance(each, ast.FunctionDef) for each in writer.statements[written:]
            ):
                late = writer.statements[written:]
                del writer.statements[written:]
                found = [each if each.settled else self.keep(each, writer) for each in found]
                writer.statements.extend(late)
            found.append(code)
        return found

    def cell(self, node: Evaluated) -> Steps[None]:
        """Write the cell of a node at the start of the function that owns it.

        A closure needs none: to make it is to define it.
        """
        outer = self.outermost[node.owner]
        # A cell's body may use what the function evaluates in place: it is called after that.
        inside = Writer(outer)
        line = self.line
        if isinstance(node, Closure):
            made = yield self.evaluate(node, inside)
            assert isinstance(made.expression, ast.Name)
            self.cell_names[node] = made.expression.id
            outer.cells.extend(inside.statements)
            return
        name = self.cell_names[node] = self.fresh("c")
        compute = self.fresh("k")
        result = yield self.evaluate(node, inside)
        self.add(inside, ast.Return(result.expression))
        outer.cells.append(self.define(compute, [], inside.statements))
        outer.cells.append(self.at(store(name, call(load("cell"), [load(compute)]))))
        self.line = line

    def evaluate(self, node: Evaluated, writer: Writer) -> Steps[Code]:
        """Write what evaluates a node."""
        line = self.line
        self.lines.append(node.trail)
        number = self.line = len(self.lines)
        code: Code
        match node:
            case Call():
                code = yield self.call(node, writer)
            case Build(items=items):
                codes = yield self.values(items, writer)
                code = self.list_of(codes)
            case Fallback(given=given, present=present, default=default):
                missing = is_(self.parameters[given], load("MISSING"))
                inside, within = Writer(writer), Writer(writer)
                other = yield self.value(default, inside)
                value = yield self.value(present, within)
                self.line = number
                absent = Code(missing, settled=True, depth=1)
                code = self.choice(absent, (inside, other), (within, value), writer)
            case Held(inner=inner):
                code = yield self.value(inner, writer)
            case Guard(inner=inner, type=type_):
                inner_code = yield self.value(inner, writer)
                self.line = number
                check = self.shared(Check(type_), "t")
                checked = self.on(call(load(check), [inner_code.expression]))
                code = Code(checked, depth=inner_code.depth + 1)
            case Closure(body=body):
                name = self.fresh("f")
                definition = yield self.function(body, name, around=writer)
                self.line = number
                writer.statements.append(definition)
                code = Code(load(name), settled=True)
            case Apply():
                code = yield self.apply(node, writer)
        self.line = line
        return code

    def apply(self, node: Apply, writer: Writer) -> Steps[Code]:
        number = self.line
        codes = yield self.values(children(node), writer)
        self.line = number
        function, *arguments = (each.expression for each in codes)
        depth = 1 + max(each.depth for each in codes)
        return Code(self.on(call(function, arguments)), depth=depth)

    def list_of(self, codes: list[Code]) -> Code:
        depth = 1 + max((each.depth for each in codes), default=0)
        items = ast.List([each.expression for each in codes], ast.Load())
        return Code(self.on(items), depth=depth)

    def choice(
        self,
        test: Code,
        then: tuple[Writer, Code],
        otherwise: tuple[Writer, Code],
        writer: Writer,
    ) -> Code:
        """One of two values, each with what must be written before it."""
        if isinstance(test.expression, ast.Constant):
            inside, code = then if test.expression.value else otherwise
            writer.statements.extend(inside.statements)
            return code
        depth = 1 + max(test.depth, then[1].depth, otherwise[1].depth)
        if not then[0].statements and not otherwise[0].statements and depth <= DEEPEST:
            chosen = ast.IfExp(test.expression, then[1].expression, otherwise[1].expression)
            settled = test.settled and then[1].settled and otherwise[1].settled
            return Code(self.on(chosen), settled, depth)
        name = self.fresh("v")
        arms = []
        for inside, code in (then, otherwise):
            self.add(inside, store(name, code.expression))
            arms.append(inside.statements)
        self.add(writer, ast.If(test.expression, *arms))
        return Code(load(name), settled=True)

    def call(self, node: Call, writer: Writer) -> Steps[Code]:
        """Write a call; `Forms` knows more ways."""
        code: Code = yield self.plain(node, writer)
        return code

    def plain(self, node: Call, writer: Writer) -> Steps[Code]:
        """Call the base function's body."""
        number = self.line
        body = self.bodies[node.function]
        strict = [i for i in node.inputs if i.mode in (Mode.STRICT, Mode.LAZY_LIST)]
        codes = yield self.values((taken.nodes[0] for taken in strict), writer)
        before = dict(zip(map(id, strict), codes, strict=True))
        arguments: list[ast.expr] = []
        for taken in node.inputs:
            if taken.mode is Mode.STRICT:
                arguments.append(before[id(taken)].expression)
            elif taken.mode is Mode.LAZY_LIST:
                arguments.append(call(load("thunks"), [before[id(taken)].expression]))
            else:
                once = body.inline is not None
                arguments.append((yield self.lazy(taken, writer, once=once)))
        self.line = number
        keywords = [ast.keyword("context", load("context"))] if body.takes_context else []
        function = load(self.shared(BodyOf(node.function), "b"))
        called = self.on(ast.Call(function, arguments, keywords))
        return Code(called, depth=1 + max((each.depth for each in codes), default=0))

    def lazy(self, taken: Input, writer: Writer, *, once: bool) -> Steps[ast.expr]:
        found = yield each(self.thunk(node, writer, once=once) for node in taken.nodes)
        return found[0] if taken.mode is Mode.LAZY else ast.List(found, ast.Load())

    def thunk(self, node: Node, writer: Writer, *, once: bool) -> Steps[ast.expr]:
        """A function that evaluates the node, at most once even if it is called more often."""
        if isinstance(node, Constant):
            return self.named(Literal(node.value, delayed=True))
        inside = Writer(writer)
        code = yield self.value(node, inside)
        once = once or (code.settled and not inside.statements) or node in self.chosen.cells
        name = self.fresh("l")
        self.add(inside, ast.Return(code.expression))
        writer.statements.append(self.define(name, [], inside.statements))
        # A body may ask twice; the forms that are known here do not.
        return load(name) if once else call(load("cell"), [load(name)])

    def truth(self, code: Code, node: Node) -> Code:
        """Only nil and false are false (LANGUAGE 7.1)."""
        value = code.expression
        if isinstance(value, ast.Constant):
            holds = value.value is not None and value.value is not False
            return Code(ast.Constant(holds), settled=True)
        if static_type(node, self.types) == BOOL:
            return code
        compared = ast.Compare(
            ast.Constant(None), [ast.IsNot(), ast.IsNot()], [value, ast.Constant(False)]
        )
        return Code(self.on(compared), code.settled, code.depth + 1)
