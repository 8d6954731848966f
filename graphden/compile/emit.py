"""From a plan to Python, written through `ast`. This decides nothing: it writes what the plan
and the schedule say, in the order of evaluation.

Every node has a line of its own in the generated function; `Compiled.lines` says which row, and
which way to it, a line stands for. Arguments are positional and in the order of the plan.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from types import FunctionType
from typing import Any, TypeAlias, TypeVar

from graphden.compile.schedule import (
    Bodies,
    FunctionBody,
    atomic,
    cells,
    inline_form,
    together,
)
from graphden.compile.steps import Steps, each, run
from graphden.compile.support import MISSING, cell, constantly, thunks
from graphden.edn import Keyword
from graphden.model.plan import (
    Activation,
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
    Plan,
    Trail,
)
from graphden.model.types import Type

__all__ = ["Compiled", "FunctionBody", "emit"]

Guards: TypeAlias = Callable[[Type], Callable[[object], object]]

Statement = TypeVar("Statement", bound=ast.stmt)

# A field that Python 3.12 added and asks for.
TYPE_PARAMETERS: dict[str, Any] = {"type_params": []} if sys.version_info >= (3, 12) else {}


@dataclass(frozen=True, slots=True)
class Compiled:
    """An entry row as a Python function.

    `function(context, *arguments)` takes the arguments in the order of the row's interface;
    `MISSING` stands for one that was not given. Line n of the file `filename` is `lines[n -
    1]`.
    """

    function: Callable[..., object]
    filename: str
    lines: tuple[Trail, ...]
    source: ast.Module


def emit(plan: Plan, bodies: Bodies, guard: Guards, filename: str) -> Compiled:
    """Write `plan` as a function and compile it.

    `bodies` are looked up by base function row; `guard` makes the check of a type.
    """
    emitter = _Emitter(bodies, guard, cells(plan.entry, bodies))
    definition = run(emitter.function(plan.entry, "entry", outermost=True))
    module = ast.Module(body=[definition], type_ignores=[])
    ast.fix_missing_locations(module)
    namespace = emitter.globals
    exec(compile(module, filename, "exec"), namespace)  # noqa: S102 - the code is our own
    function = namespace["entry"]
    if not isinstance(function, FunctionType):
        msg = "the generated module defines no entry"
        raise TypeError(msg)
    return Compiled(function, filename, tuple(emitter.lines), module)


class _Writer:
    """The statements of one block, and what is already evaluated in it or around it."""

    def __init__(self, around: _Writer | None = None) -> None:
        self.statements: list[ast.stmt] = []
        self.cells: list[ast.stmt] = []
        self.around = around
        self.names: dict[Node, str] = {}

    def name_of(self, node: Node) -> str | None:
        writer: _Writer | None = self
        while writer is not None:
            if node in writer.names:
                return writer.names[node]
            writer = writer.around
        return None


class _Emitter:
    def __init__(self, bodies: Bodies, guard: Guards, celled: frozenset[Node]) -> None:
        self.bodies = bodies
        self.guard = guard
        self.celled = celled
        self.lines: list[Trail] = []
        self.globals: dict[str, object] = {
            "__name__": "graphden.generated",
            "MISSING": MISSING,
            "cell": cell,
            "thunks": thunks,
        }
        self.counter = 0
        self.parameters: dict[Parameter, str] = {}
        self.cell_names: dict[Node, str] = {}
        self.outermost: dict[Activation, _Writer] = {}
        self.functions: dict[str, str] = {}
        self.line = 1

    def fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    # -- functions ---------------------------------------------------------------------------

    def function(
        self,
        activation: Activation,
        name: str,
        *,
        outermost: bool = False,
        around: _Writer | None = None,
    ) -> Steps[ast.FunctionDef]:
        arguments: list[str] = []
        defaults: list[ast.expr] = []
        for parameter in activation.parameters:
            own = self.fresh("p")
            self.parameters[parameter] = own
            arguments.append(own)
            if (outermost and parameter.optional) or defaults:
                defaults.append(_load("MISSING"))
        writer = _Writer(around)
        self.outermost[activation] = writer
        result = yield self.value(activation.root, writer)
        self.add(writer, ast.Return(result))
        body = [*writer.cells, *writer.statements]
        if not outermost:
            stopped = ast.Attribute(_load("context"), "stopped", ast.Load())
            check = ast.Expr(_call(ast.Attribute(_load("context"), "check", ast.Load())))
            body.insert(0, self.at(ast.If(stopped, [check], [])))
        names = ["context", *arguments] if outermost else arguments
        return self.define(name, names, body, defaults)

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

    def add(self, writer: _Writer, statement: ast.stmt) -> None:
        writer.statements.append(self.at(statement))

    def assign(self, writer: _Writer, name: str, value: ast.expr) -> None:
        self.add(writer, _store(name, value))

    # -- nodes ---------------------------------------------------------------------------------

    def value(self, node: Node, writer: _Writer) -> Steps[ast.expr]:
        """An expression for the node's value, what it needs written before."""
        match node:
            case Constant(value=value):
                return self.constant(value)
            case Parameter():
                return _load(self.parameters[node])
            case Fallback(given=given, default=Constant() as default):
                own = _load(self.parameters[given])
                missing = ast.Compare(own, [ast.Is()], [_load("MISSING")])
                return ast.IfExp(missing, self.constant(default.value), own)
        name = writer.name_of(node)
        if name is not None:
            return _load(name)
        if node in self.celled:
            if node not in self.cell_names:
                yield self.cell(node)
            if isinstance(node, Closure):
                return _load(self.cell_names[node])
            name = self.fresh("v")
            self.assign(writer, name, _call(_load(self.cell_names[node])))
        else:
            name = yield self.evaluate(node, writer)
        writer.names[node] = name
        return _load(name)

    def cell(self, node: Evaluated) -> Steps[None]:
        """Write the cell of a node at the start of the function that owns it.

        A closure needs none: to make it is to define it.
        """
        outer = self.outermost[node.owner]
        if isinstance(node, Closure):
            at_start = _Writer(outer)
            self.cell_names[node] = yield self.evaluate(node, at_start)
            outer.cells.extend(at_start.statements)
            return
        name = self.cell_names[node] = self.fresh("c")
        # A cell's body may use what the function evaluates in place: it is called after that.
        inside = _Writer(outer)
        line = self.line
        compute = self.fresh("k")
        result = yield self.evaluate(node, inside)
        self.add(inside, ast.Return(_load(result)))
        outer.cells.append(self.define(compute, [], inside.statements))
        outer.cells.append(self.at(_store(name, _call(_load("cell"), [_load(compute)]))))
        self.line = line

    def evaluate(self, node: Evaluated, writer: _Writer) -> Steps[str]:
        """Write the statements that evaluate a node; the name that holds its value."""
        name: str
        line = self.line
        self.lines.append(node.trail)
        number = len(self.lines)
        self.line = number
        match node:
            case Call():
                name = yield self.call(node, writer, number)
            case Build(items=items):
                values = yield each(self.value(item, writer) for item in items)
                name = self.fresh("v")
                self.line = number
                self.assign(writer, name, ast.List(values, ast.Load()))
            case Fallback(given=given, default=default):
                name = self.fresh("v")
                given_value = yield self.value(given, writer)
                missing = ast.Compare(given_value, [ast.Is()], [_load("MISSING")])
                arm = yield self.arm(default, name, writer)
                kept: list[ast.stmt] = [self.at(_store(name, given_value))]
                self.add(writer, ast.If(missing, arm, kept))
            case Held(inner=inner):
                held = yield self.value(inner, writer)
                name = self.fresh("v")
                self.assign(writer, name, held)
            case Guard(inner=inner, type=type_):
                value = yield self.value(inner, writer)
                check = self.fresh("t")
                self.globals[check] = self.guard(type_)
                name = self.fresh("v")
                self.line = number
                self.assign(writer, name, _call(_load(check), [value]))
            case Closure(body=body):
                name = self.fresh("f")
                definition = yield self.function(body, name, around=writer)
                self.line = number
                writer.statements.append(definition)
        self.line = line
        return name

    def arm(self, node: Node, name: str, writer: _Writer) -> Steps[list[ast.stmt]]:
        """A block that evaluates `node` into `name`."""
        inside = _Writer(writer)
        self.assign(inside, name, (yield self.value(node, inside)))
        return inside.statements

    def call(self, call: Call, writer: _Writer, number: int) -> Steps[str]:
        name = self.fresh("v")
        match inline_form(call, self.bodies):
            case "if":
                test, *arms = (taken.nodes[0] for taken in call.inputs)
                truth = _truthy((yield self.value(test, writer)))
                self.line = number
                then = yield self.arm(arms[0], name, writer)
                otherwise = yield self.arm(arms[1], name, writer)
                self.add(writer, ast.If(truth, then, otherwise))
            case "coalesce":
                value, default = (taken.nodes[0] for taken in call.inputs)
                self.assign(writer, name, (yield self.value(value, writer)))
                is_nil = ast.Compare(_load(name), [ast.Is()], [ast.Constant(None)])
                arm = yield self.arm(default, name, writer)
                self.add(writer, ast.If(is_nil, arm, []))
            case "and" | "or" as form:
                yield self.logic(form, call.inputs[0].nodes, name, writer)
            case "cond":
                yield self.cond(call.inputs[0].nodes, name, writer)
            case "do":
                build = call.inputs[0].nodes[0]
                last: ast.expr = ast.Constant(None)
                for step in build.items if isinstance(build, Build) else ():
                    last = yield self.value(step, writer)
                self.assign(writer, name, last)
            case _:
                yield self.plain(call, name, writer, number)
        return name

    def logic(
        self, form: str, nodes: tuple[Node, ...], name: str, writer: _Writer
    ) -> Steps[None]:
        """Items of `and` or `or`: some inside each other, the next ones after them."""
        decided = form == "or"
        undecided = _load(name) if form == "and" else ast.UnaryOp(ast.Not(), _load(name))
        first, *rest = together(nodes) if nodes else ((),)
        yield self.items(decided, first, name, writer)
        for more in rest:
            inside = _Writer(writer)
            yield self.items(decided, more, name, inside)
            self.add(writer, ast.If(undecided, inside.statements, []))

    def items(
        self, decided: bool, nodes: tuple[Node, ...], name: str, writer: _Writer
    ) -> Steps[None]:
        if not nodes:
            self.assign(writer, name, ast.Constant(not decided))
            return
        truth = _truthy((yield self.value(nodes[0], writer)))
        inside = _Writer(writer)
        yield self.items(decided, nodes[1:], name, inside)
        done: list[ast.stmt] = [self.at(_store(name, ast.Constant(decided)))]
        branches = (done, inside.statements) if decided else (inside.statements, done)
        self.add(writer, ast.If(truth, *branches))

    def cond(self, nodes: tuple[Node, ...], name: str, writer: _Writer) -> Steps[None]:
        """Clauses: some inside each other, the next ones after them when none of them held."""
        groups = list(together(nodes)) or [()]
        for index, clauses in enumerate(groups):
            inside = _Writer(writer) if index else writer
            last = index == len(groups) - 1
            otherwise = ast.Constant(None) if last else _load("MISSING")
            yield self.clauses(clauses, otherwise, name, inside)
            if index:
                none_held = ast.Compare(_load(name), [ast.Is()], [_load("MISSING")])
                self.add(writer, ast.If(none_held, inside.statements, []))

    def clauses(
        self, nodes: tuple[Node, ...], otherwise: ast.expr, name: str, writer: _Writer
    ) -> Steps[None]:
        if not nodes:
            self.assign(writer, name, otherwise)
            return
        truth = _truthy((yield self.value(nodes[0], writer)))
        result = yield self.arm(nodes[1], name, writer)
        inside = _Writer(writer)
        yield self.clauses(nodes[2:], otherwise, name, inside)
        self.add(writer, ast.If(truth, result, inside.statements))

    def plain(self, call: Call, name: str, writer: _Writer, number: int) -> Steps[None]:
        body = self.bodies[call.function]
        values: list[ast.expr | None] = []
        for taken in call.inputs:
            match taken.mode:
                case Mode.STRICT:
                    values.append((yield self.value(taken.nodes[0], writer)))
                case Mode.LAZY_LIST:
                    whole = yield self.value(taken.nodes[0], writer)
                    values.append(_call(_load("thunks"), [whole]))
                case _:
                    values.append(None)
        for index, taken in enumerate(call.inputs):
            if values[index] is None:
                once = body.inline is not None
                values[index] = yield self.lazy(taken, writer, once=once)
        self.line = number
        keywords = [ast.keyword("context", _load("context"))] if body.takes_context else []
        function = self.global_function(call.function, body)
        arguments = [value for value in values if value is not None]
        self.assign(writer, name, ast.Call(_load(function), arguments, keywords))

    def lazy(self, taken: Input, writer: _Writer, *, once: bool) -> Steps[ast.expr]:
        found = yield each(self.thunk(node, writer, once=once) for node in taken.nodes)
        return found[0] if taken.mode is Mode.LAZY else ast.List(found, ast.Load())

    def thunk(self, node: Node, writer: _Writer, *, once: bool) -> Steps[ast.expr]:
        """A function that evaluates the node, at most once even if it is called more often."""
        if isinstance(node, Constant):
            name = self.fresh("g")
            self.globals[name] = constantly(node.value)
            return _load(name)
        once = once or atomic(node) or node in self.celled
        inside = _Writer(writer)
        value = yield self.value(node, inside)
        name = self.fresh("l")
        self.add(inside, ast.Return(value))
        writer.statements.append(self.define(name, [], inside.statements))
        # A body may ask twice; the forms that are known here do not.
        return _load(name) if once else _call(_load("cell"), [_load(name)])

    # -- globals -------------------------------------------------------------------------------

    def constant(self, value: object) -> ast.expr:
        if value is None or isinstance(value, (bool, int)):
            return ast.Constant(value)
        if isinstance(value, float) and isfinite(value):
            return ast.Constant(value)
        if isinstance(value, str) and not isinstance(value, Keyword):
            return ast.Constant(value)
        name = self.fresh("g")
        self.globals[name] = value
        return _load(name)

    def global_function(self, function: str, body: FunctionBody) -> str:
        name = self.functions.get(function)
        if name is None:
            name = self.functions[function] = self.fresh("b")
            self.globals[name] = body.function
        return name


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _store(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _call(function: ast.expr, arguments: list[ast.expr] | None = None) -> ast.Call:
    return ast.Call(function, arguments or [], [])


def _truthy(value: ast.expr) -> ast.expr:
    """Only nil and false are false (LANGUAGE 7.1)."""
    if isinstance(value, ast.Constant):
        return ast.Constant(value.value is not None and value.value is not False)
    return ast.Compare(
        ast.Constant(None),
        [ast.IsNot(), ast.IsNot()],
        [value, ast.Constant(False)],
    )
