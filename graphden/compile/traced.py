"""The traced variant: the same functions, which tell a tracer of every row they evaluate."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from graphden.compile.choosing import Choice
from graphden.compile.code import Code, Writer, call, load, store
from graphden.compile.forms import Forms
from graphden.compile.linking import SiteOf
from graphden.compile.schedule import Bodies
from graphden.compile.spans import Variant
from graphden.compile.steps import Steps
from graphden.model.plan import Activation, Call, Evaluated, Guard, Held, Node
from graphden.model.types import Type

_HERE = "here"
"""The local of every function with what it tells."""


class Traced(Forms):
    """Writes every call between the beginning and the end of a span.

    A call becomes statements by that, so the order of evaluation, and what an arm alone needs,
    is kept as it is for all statements.
    """

    surroundings = ("context", "trace")

    def __init__(
        self,
        bodies: Bodies,
        choice: Choice,
        types: Mapping[str, Type],
        variant: Variant,
    ) -> None:
        super().__init__(bodies, choice, types, variant)
        self.span: str | None = None
        """The local with the span around what is written now, if there is one."""
        self.around: dict[Activation, str | None] = {}
        """The span around what stands at the start of an activation, but runs later."""
        self.roots: dict[Node, str] = {}
        """The names of the spans of what activations return."""

    def call(self, node: Call, writer: Writer) -> Steps[Code]:
        number = self.line
        outer, span = self.span, self.roots.get(node) or self.fresh("s")
        around = ast.Constant(None) if outer is None else load(outer)
        self.add(writer, store(span, _tell("open", load(self.site(node)), around)))
        self.span = span
        code = yield super().call(node, writer)
        self.span = outer
        self.line = number
        kept = self.keep(code, writer)
        self.add(writer, ast.Expr(_tell("close", load(span), kept.expression)))
        return Code(kept.expression, settled=True)

    def site(self, node: Call) -> str:
        """The name of what the node's spans are of."""
        trail = node.trail
        key = f"{trail.span} {trail.row}"
        site = SiteOf(key, trail.row, trail.inline, trail.span, node.function, node.type)
        return self.shared(site, "w")

    def inside(self, activation: Activation, writer: Writer) -> Steps[Code]:
        root = activation.root
        celled = root in self.chosen.cells
        while isinstance(root, (Guard, Held)):
            root = root.inner
            celled = celled or root in self.chosen.cells
        if isinstance(root, Call) and root.owner is activation and not celled:
            self.roots[root] = self.around[activation] = self.fresh("s")
        else:
            self.around[activation] = self.span
        found: Code = yield super().inside(activation, writer)
        return found

    def cell(self, node: Evaluated) -> Steps[None]:
        outer, self.span = self.span, self.around[node.owner]
        yield super().cell(node)
        self.span = outer

    def define(
        self,
        name: str,
        arguments: list[str],
        body: list[ast.stmt],
        defaults: list[ast.expr] | None = None,
    ) -> ast.FunctionDef:
        # Who knows in which thread a function is called, and with how many spans open?
        mark = self.fresh("m")
        here = call(ast.Attribute(load("trace"), "here", ast.Load()))
        failed = [ast.Expr(_tell("fail", load(mark))), ast.Raise()]
        handler = ast.ExceptHandler(load("BaseException"), None, failed)
        marked: list[ast.stmt] = [
            self.at(store(_HERE, here)),
            self.at(store(mark, _tell("mark"))),
            self.at(ast.Try(body, [handler], [], [])),
        ]
        return super().define(name, arguments, marked, defaults)

    def left(self, writer: Writer) -> list[ast.stmt]:
        mark = self.fresh("m")
        self.add(writer, store(mark, _tell("mark")))
        return [self.at(ast.Expr(_tell("fail", load(mark))))]


def _tell(method: str, *arguments: ast.expr) -> ast.Call:
    return call(ast.Attribute(load(_HERE), method, ast.Load()), list(arguments))
