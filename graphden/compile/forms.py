"""Control forms, loops and templates: calls that are written out instead of made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphden.compile import templates
from graphden.compile.code import DEEPEST, Code, Writer, is_, load, store
from graphden.compile.linking import Literal
from graphden.compile.loops import Loops
from graphden.compile.schedule import together
from graphden.compile.steps import Steps
from graphden.compile.texts import Texts
from graphden.model.plan import Build, Call, Node


class Forms(Loops, Texts):
    """Writes calls as the schedule has chosen."""

    def call(self, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        form = self.chosen.forms.get(node)
        code: Code
        match form:
            case None:
                code = yield self.plain(node, writer)
            case templates.Chosen(template=template, nodes=nodes, parameters=parameters):
                codes = yield self.values(nodes, writer)
                self.line = number
                for index in templates.used_twice(template, parameters):
                    codes = [
                        self.keep(each, writer) if i <= index and not each.settled else each
                        for i, each in enumerate(codes)
                    ]
                    codes[index] = self.keep(codes[index], writer)
                if codes and not templates.gives_one(template):
                    codes[0] = self.variable(codes[0])
                code = templates.written(template, parameters, codes)
                if all(code.expression is not each.expression for each in codes):
                    self.on(code.expression)
            case "if":
                code = yield self.if_(node, writer)
            case "coalesce":
                code = yield self.coalesce(node, writer)
            case "and" | "or":
                code = yield self.logic(form, node.inputs[0].nodes, writer)
            case "cond":
                code = yield self.cond(node.inputs[0].nodes, writer)
            case "do":
                code = yield self.do(node.inputs[0].nodes[0], writer)
            case "str":
                code = yield self.text(node, writer)
            case _:
                code = yield self.loop(form, node, writer)
        return code

    def variable(self, code: Code) -> Code:
        """A constant under a name: Python warns of literals that are called, or compared by
        identity.
        """
        if not isinstance(code.expression, ast.Constant):
            return code
        return Code(self.named(Literal(code.expression.value)), settled=True)

    def if_(self, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        test, then, otherwise = (taken.nodes[0] for taken in node.inputs)
        truth = self.truth((yield self.value(test, writer)), test)
        arms = []
        for arm in (then, otherwise):
            inside = Writer(writer)
            arms.append((inside, (yield self.value(arm, inside))))
        self.line = number
        return self.choice(truth, arms[0], arms[1], writer)

    def coalesce(self, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        value, default = (taken.nodes[0] for taken in node.inputs)
        kept = self.keep((yield self.value(value, writer)), writer)
        inside = Writer(writer)
        other = yield self.value(default, inside)
        self.line = number
        if isinstance(kept.expression, ast.Constant):
            is_nil = Code(ast.Constant(kept.expression.value is None), settled=True)
            return self.choice(is_nil, (inside, other), (Writer(writer), kept), writer)
        is_nil = Code(is_(kept.expression, ast.Constant(None)), settled=True, depth=1)
        return self.choice(is_nil, (inside, other), (Writer(writer), kept), writer)

    def logic(self, form: str, nodes: tuple[Node, ...], writer: Writer) -> Steps[Code]:
        """Items of `and` or `or`: in one expression, or some inside each other and the next
        ones after them.
        """
        number = self.line
        decided = form == "or"
        groups: list[list[tuple[Writer, Code]]] = []
        for index, group in enumerate(together(nodes)):
            inside = Writer(writer) if index else writer
            groups.append([])
            for node in group:
                groups[-1].append((inside, self.truth((yield self.value(node, inside)), node)))
                inside = Writer(inside)
        self.line = number
        flat = [each for group in groups for each in group]
        if not flat:
            return Code(ast.Constant(not decided), settled=True)
        if all(not inside.statements for inside, _ in flat[1:]) and len(flat) <= DEEPEST:
            if len(flat) == 1:
                return flat[0][1]
            operator = ast.Or() if decided else ast.And()
            expression = ast.BoolOp(operator, [code.expression for _, code in flat])
            depth = 1 + max(code.depth for _, code in flat)
            return Code(self.on(expression), all(code.settled for _, code in flat), depth)
        name = self.fresh("v")
        undecided = load(name) if form == "and" else ast.UnaryOp(ast.Not(), load(name))
        for index, items in enumerate(groups):
            first = items[0][0] if index else writer
            self.nested(decided, items, name)
            if index:
                self.add(writer, ast.If(undecided, first.statements, []))
        return Code(load(name), settled=True)

    def nested(self, decided: bool, items: list[tuple[Writer, Code]], name: str) -> None:
        """Some items, each tried inside the one before; the result comes into `name`."""
        for index in range(len(items) - 1, -1, -1):
            inside, truth = items[index]
            if index == len(items) - 1:
                following: list[ast.stmt] = [self.at(store(name, ast.Constant(not decided)))]
            else:
                following = items[index + 1][0].statements
            done: list[ast.stmt] = [self.at(store(name, ast.Constant(decided)))]
            branches = (done, following) if decided else (following, done)
            self.add(inside, ast.If(truth.expression, *branches))

    def cond(self, nodes: tuple[Node, ...], writer: Writer) -> Steps[Code]:
        """Clauses: some inside each other, the next ones after them when none of them held."""
        number = self.line
        groups: list[list[tuple[Writer, Code, Writer, Code]]] = []
        for index, clauses in enumerate(together(nodes)):
            inside = Writer(writer) if index else writer
            groups.append([])
            for test, result in zip(clauses[::2], clauses[1::2], strict=True):
                truth = self.truth((yield self.value(test, inside)), test)
                arm = Writer(inside)
                code = yield self.value(result, arm)
                groups[-1].append((inside, truth, arm, code))
                inside = Writer(inside)
        self.line = number
        if not groups:
            return Code(ast.Constant(None), settled=True)
        if len(groups) == 1:
            return self.clauses(groups[0], Code(ast.Constant(None), settled=True))
        name = self.fresh("v")
        for index, group in enumerate(groups):
            first = writer if index == 0 else group[0][0]
            last = index == len(groups) - 1
            nothing = ast.Constant(None) if last else load("MISSING")
            code = self.clauses(group, Code(nothing, settled=True))
            self.add(first, store(name, code.expression))
            if index:
                none_held = is_(load(name), load("MISSING"))
                self.add(writer, ast.If(none_held, first.statements, []))
        return Code(load(name), settled=True)

    def clauses(self, group: list[tuple[Writer, Code, Writer, Code]], otherwise: Code) -> Code:
        """The result of the first clause whose test holds, else `otherwise`."""
        found = otherwise
        outer = Writer()
        for inside, truth, arm, code in reversed(group):
            found = self.choice(truth, (arm, code), (outer, found), inside)
            outer = inside
        return found

    def do(self, steps: Node, writer: Writer) -> Steps[Code]:
        last = Code(ast.Constant(None), settled=True)
        for step in _steps(steps):
            if not last.settled:
                self.add(writer, ast.Expr(last.expression))
            last = yield self.value(step, writer)
        return last


def _steps(node: Node) -> Iterator[Node]:
    yield from node.items if isinstance(node, Build) else ()
