"""Callables that are written out where a known base function calls them."""

from __future__ import annotations

import ast

from graphden.compile.code import Code, Writer, call, defines, load, names_values, store
from graphden.compile.functions import Functions
from graphden.compile.linking import NeedOf
from graphden.compile.steps import Steps
from graphden.model.plan import Call, Closure, Constant, Parameter


class Loops(Functions):
    """Writes the bodies of callables as parts of the function around them."""

    def loop(self, form: str, node: Call, writer: Writer) -> Steps[Code]:
        code: Code
        match form:
            case "map" | "filter" | "for-each":
                code = yield self.over_items(form, node, writer)
            case "reduce":
                code = yield self.reduce(node, writer)
            case "try":
                code = yield self.try_(node, writer)
            case "element":
                pair, index = (each.nodes[0] for each in node.inputs[:2])
                if not isinstance(pair, Parameter) or not isinstance(index, Constant):
                    raise TypeError(form)
                second = index.value == 1
                code = Code(load(self.elements[pair][second]), settled=True)
            case "fix":
                code = yield self.fix(node, writer)
            case _:
                code = yield self.plain(node, writer)
        return code

    def over_items(self, form: str, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        closure, coll = _callable(node, 0), node.inputs[1].nodes[0]
        [parameter] = closure.body.parameters
        item = self.parameter(parameter)
        inside = Writer(writer)
        result = yield self.inside(closure.body, inside)
        root = closure.body.root
        if form == "filter":
            result = self.truth(result, root)
        self.line = number
        statements = [*inside.cells, *inside.statements]
        if defines(statements) or defines([ast.Expr(result.expression)]):
            body = self.checked([*statements, self.at(ast.Return(result.expression))])
            called: Code = yield self.called(node, closure, [item], body, writer)
            return called
        source = yield self.value(coll, writer)
        self.line = number
        if form != "for-each" and not statements:
            if names_values(source.expression):
                source = self.keep(source, writer)
            tests, made = self.looking(), result.expression
            if form == "filter":
                tests, made = [*tests, made], load(item)
            each = ast.comprehension(_target(item), source.expression, tests, 0)
            listed = self.on(ast.ListComp(made, [each]))
            return Code(listed, depth=1 + max(source.depth, result.depth))
        name = self.fresh("v")
        append = ast.Attribute(load(name), "append", ast.Load())
        match form:
            case "map":
                last: ast.stmt = ast.Expr(call(append, [result.expression]))
            case "filter":
                kept = self.at(ast.Expr(call(append, [load(item)])))
                last = ast.If(result.expression, [kept], [])
            case _:
                last = ast.Pass() if result.settled else ast.Expr(result.expression)
        if form != "for-each":
            self.add(writer, store(name, ast.List([], ast.Load())))
        body = self.checked([*statements, self.at(last)])
        self.add(writer, ast.For(_target(item), source.expression, body, []))
        if form == "for-each":
            return Code(ast.Constant(None), settled=True)
        return Code(load(name), settled=True)

    def reduce(self, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        closure = _callable(node, 0)
        [parameter] = closure.body.parameters
        folded, item = self.fresh("a"), self.fresh("p")
        apart = parameter in self.chosen.apart
        if apart:
            self.elements[parameter] = (folded, item)
            pair = ""
        else:
            pair = self.parameter(parameter)
        inside = Writer(writer)
        result = yield self.inside(closure.body, inside)
        self.line = number
        statements = [*inside.cells, *inside.statements]
        if defines(statements) or defines([ast.Expr(result.expression)]):
            taken = pair or self.fresh("p")
            body = self.checked([*statements, self.at(ast.Return(result.expression))])
            if apart:
                names: list[ast.expr] = [_target(folded), _target(item)]
                unpacked = ast.Assign([ast.Tuple(names, ast.Store())], load(taken))
                body.insert(0, self.at(unpacked))
            called: Code = yield self.called(node, closure, [taken], body, writer)
            return called
        codes = yield self.values((each.nodes[0] for each in node.inputs[1:]), writer)
        self.line = number
        init, source = codes
        if not source.settled:
            init = self.keep(init, writer)
        self.add(writer, store(folded, init.expression))
        body = [*statements, self.at(store(folded, result.expression))]
        if not apart:
            both: list[ast.expr] = [load(folded), load(item)]
            body.insert(0, self.at(store(pair, ast.List(both, ast.Load()))))
        body = self.checked(body)
        self.add(writer, ast.For(_target(item), source.expression, body, []))
        return Code(load(folded), settled=True)

    def called(
        self,
        node: Call,
        closure: Closure,
        arguments: list[str],
        body: list[ast.stmt],
        writer: Writer,
    ) -> Steps[Code]:
        """Call the base function after all, with a callable whose body is written already."""
        name = self.fresh("f")
        writer.statements.append(self.define(name, arguments, body))
        writer.known[closure] = Code(load(name), settled=True)
        code: Code = yield self.plain(node, writer)
        return code

    def try_(self, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        body, handler = _callable(node, 0), node.inputs[1].nodes[0]
        known: Code | None = None
        if not self.chosen.in_place(handler):
            known = self.keep((yield self.value(handler, writer)), writer)
        name = self.fresh("v")
        tried = Writer(writer)
        result = yield self.inside(body.body, tried)
        self.line = number
        error = self.fresh("e")
        for needed in self.bodies[node.function].needs:
            self.globals[needed] = NeedOf(node.function, needed)
        run_error = call(load("as_run_error"), [load(error)])
        caught = Writer(writer)
        if known is None and isinstance(handler, Closure):
            [parameter] = handler.body.parameters
            given = self.parameter(parameter)
            answer = yield self.inside(handler.body, caught)
            self.line = number
            handled = [
                self.at(store(given, run_error)),
                *self.check(),
                *caught.cells,
                *caught.statements,
                self.at(store(name, answer.expression)),
            ]
        else:
            assert known is not None
            handled = [self.at(store(name, self.on(call(known.expression, [run_error]))))]
        done = self.at(store(name, result.expression))
        handled = [*self.left(writer), *handled]
        self.add(
            writer,
            ast.Try(
                [*self.check(), *tried.cells, *tried.statements, done],
                [
                    _handler("Cancelled", None, [self.at(ast.Raise())]),
                    _handler("BaseException", error, handled),
                ],
                [],
                [],
            ),
        )
        return Code(load(name), settled=True)

    def left(self, writer: Writer) -> list[ast.stmt]:  # noqa: ARG002 - for traced code
        """What the handler of a `try` does first, about what the error came through; `writer`
        is before the `try`.
        """
        return []

    def fix(self, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        closure, given = _callable(node, 0), node.inputs[1].nodes[0]
        name = self.fresh("f")
        taken, itself = closure.body.parameters
        argument = self.parameter(taken)
        self.parameters[itself] = load(name)
        inside = Writer(writer)
        result = yield self.inside(closure.body, inside)
        self.line = number
        returned = self.at(ast.Return(result.expression))
        body = self.checked([*inside.cells, *inside.statements, returned])
        handed = self.lift(self.define(name, [argument], body))
        first = yield self.value(given, writer)
        self.line = number
        called = call(load(name), [first.expression, *handed])
        return Code(self.on(called), depth=first.depth + 1)


def _callable(node: Call, index: int) -> Closure:
    found = node.inputs[index].nodes[0]
    assert isinstance(found, Closure)
    return found


def _target(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _handler(kind: str, name: str | None, body: list[ast.stmt]) -> ast.ExceptHandler:
    return ast.ExceptHandler(load(kind), name, body)
