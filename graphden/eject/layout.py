"""Python as text that people read: lines of a bounded length, comments where rows begin."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

WIDTH = 88
"""Columns of a line, where what stands in it can be broken."""

STEP = 4

Comments: TypeAlias = Callable[[int], str | None]
"""What to say before a statement in which code of a line of the source is evaluated."""

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.And: "and",
    ast.Or: "or",
}

ADDITIVE = (ast.Add, ast.Sub)

CLOSED = (
    ast.Name,
    ast.Constant,
    ast.Call,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Dict,
    ast.ListComp,
    ast.Subscript,
    ast.Attribute,
)
"""Expressions that need no brackets around them, wherever they stand."""


def laid_out(statements: Iterable[ast.stmt], comments: Comments = lambda _: None) -> str:
    """The text of some statements of a module, blank lines around its functions."""
    return "\n".join(_block(list(statements), 0, comments, after_colon=False)) + "\n"


def _block(
    statements: Sequence[ast.stmt],
    indent: int,
    comments: Comments,
    *,
    after_colon: bool = True,
) -> Iterator[str]:
    blank = "" if indent else "\n"
    defined = False
    for index, statement in enumerate(statements):
        defines = isinstance(statement, ast.FunctionDef)
        lines = [comments(line) for line in sorted(_lines(statement))]
        said = [f"{' ' * indent}# {line}" for line in lines if line is not None]
        if (defines or defined) if index else (defines and after_colon and not said):
            yield blank
        defined = defines
        yield from said
        yield from _statement(statement, indent, comments)


def _lines(statement: ast.stmt) -> set[int]:
    """The lines of the source whose code runs in a statement, its blocks left out."""
    found: set[int] = set()
    if isinstance(statement, ast.FunctionDef):
        return {statement.lineno}
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr) and hasattr(node, "lineno"):
            found.add(node.lineno)
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, (ast.stmt, ast.ExceptHandler))
        ]
    return found


def _statement(statement: ast.stmt, indent: int, comments: Comments) -> Iterator[str]:
    margin = " " * indent
    match statement:
        case ast.FunctionDef(name=name, args=arguments, body=body, returns=returns):
            yield from _signature(name, arguments, returns, indent)
            yield from _block(body, indent + STEP, comments, after_colon=False)
        case ast.Return(value=ast.expr() as value):
            yield f"{margin}return {_whole(value, indent, 7)}"
        case ast.Assign(targets=[target], value=value):
            left = f"{ast.unparse(target)} = "
            yield f"{margin}{left}{_whole(value, indent, len(left))}"
        case ast.Expr(value=ast.Constant(value=str() as text)):
            yield from docstring_lines(text, indent)
        case ast.Expr(value=value):
            yield f"{margin}{_whole(value, indent, 0)}"
        case ast.If():
            yield from _if(statement, indent, comments, "if")
        case ast.For(target=target, iter=source, body=body):
            left = f"for {ast.unparse(target)} in "
            yield f"{margin}{left}{_whole(source, indent, len(left), 1)}:"
            yield from _block(body, indent + STEP, comments)
        case ast.Try(body=body, handlers=handlers, orelse=[], finalbody=[]):
            yield f"{margin}try:"
            yield from _block(body, indent + STEP, comments)
            for handler in handlers:
                kind = "" if handler.type is None else f" {ast.unparse(handler.type)}"
                bound = "" if handler.name is None else f" as {handler.name}"
                yield f"{margin}except{kind}{bound}:"
                yield from _block(handler.body, indent + STEP, comments)
        case ast.ImportFrom(module=module, names=names) if not _fits(
            ast.unparse(statement), indent, 0, 0
        ):
            yield f"{margin}from {module} import ("
            yield from (f"{margin}    {ast.unparse(each)}," for each in names)
            yield f"{margin})"
        case _:
            for line in ast.unparse(statement).splitlines():
                yield margin + line


def _if(statement: ast.If, indent: int, comments: Comments, word: str) -> Iterator[str]:
    margin = " " * indent
    while True:
        test = _whole(statement.test, indent, len(word) + 1, 1)
        yield f"{margin}{word} {test}:"
        yield from _block(statement.body, indent + STEP, comments)
        match statement.orelse:
            case []:
                return
            case [ast.If() as following]:
                statement, word = following, "elif"
            case others:
                yield f"{margin}else:"
                yield from _block(others, indent + STEP, comments)
                return


def _signature(
    name: str, arguments: ast.arguments, returns: ast.expr | None, indent: int
) -> Iterator[str]:
    margin = " " * indent
    gives = "" if returns is None else f" -> {ast.unparse(returns)}"
    defaults = [*[None] * (len(arguments.args) - len(arguments.defaults)), *arguments.defaults]
    parts = [_argument(*each) for each in zip(arguments.args, defaults, strict=True)]
    if arguments.kwonlyargs:
        named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        parts += ["*", *(_argument(*each) for each in named)]
    line = f"{margin}def {name}({', '.join(parts)}){gives}:"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"{margin}def {name}("
    for part in parts:
        yield f"{margin}    {part},"
    yield f"{margin}){gives}:"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    if argument.annotation is None:
        return argument.arg if default is None else f"{argument.arg}={ast.unparse(default)}"
    text = f"{argument.arg}: {ast.unparse(argument.annotation)}"
    return text if default is None else f"{text} = {ast.unparse(default)}"


def docstring_lines(text: str, indent: int = 0) -> Iterator[str]:
    """The lines of a docstring; a text that ends in a new line closes on a line of its own."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if escaped.endswith('"'):
        escaped = f'{escaped[:-1]}\\"'
    for line in f'"""{escaped}"""'.split("\n"):
        yield f"{' ' * indent}{line}".rstrip()


# -- expressions: `before` and `after` are the characters around one in its first and last line


def _fits(text: str, indent: int, before: int, after: int) -> bool:
    return indent + before + len(text) + after <= WIDTH


def _whole(node: ast.expr, indent: int, before: int, after: int = 0) -> str:
    """An expression that is a whole statement, or all of its test: around one operator it is
    broken in the brackets at its end, where it ends in such.
    """
    if _fits(ast.unparse(node), indent, before, after):
        return ast.unparse(node)
    match node:
        case ast.BoolOp(op=operator, values=[left, right]):
            word = OPERATORS[type(operator)]
        case ast.Compare(left=left, ops=[compared], comparators=[right]):
            word = OPERATORS[type(compared)]
        case ast.BinOp(left=left, op=operation, right=right) if not (
            isinstance(left, ast.BinOp) and _alike(left.op, operation)
        ):
            word = OPERATORS[type(operation)]
        case _:
            return _bracketed(node, indent, before, after)
    first = f"{_operand(left, indent, before)} {word} "
    broken = not isinstance(right, CLOSED) or isinstance(right, (ast.Call, ast.List, ast.Dict))
    if broken and "\n" not in first and _fits(first, indent, before, 1):
        return first + _operand(right, indent, before + len(first), after)
    return _bracketed(node, indent, before, after)


def _bracketed(node: ast.expr, indent: int, before: int, after: int = 0) -> str:
    """An expression that is a whole statement or a part between commas: one that is broken
    between operators needs brackets.
    """
    text = ast.unparse(node)
    if _fits(text, indent, before, after):
        return text
    if isinstance(node, CLOSED):
        return _expression(node, indent, before, after)
    return _wrapped(node, indent)


def _wrapped(node: ast.expr, indent: int) -> str:
    inside = _expression(node, indent + STEP, 0)
    return f"(\n{' ' * (indent + STEP)}{inside}\n{' ' * indent})"


def _expression(node: ast.expr, indent: int, before: int, after: int = 0) -> str:
    """An expression over as many lines as it needs, brackets being around it where it does."""
    text = ast.unparse(node)
    if _fits(text, indent, before, after):
        return text
    margin = " " * indent
    deeper = f"\n{' ' * (indent + STEP)}"
    match node:
        case ast.Call(func=function, args=arguments, keywords=keywords) if (
            arguments or keywords
        ):
            called = _operand(function, indent, before)
            parts = [f"{deeper}{_bracketed(each, indent + STEP, 0, 1)}," for each in arguments]
            for each in keywords:
                left = f"{each.arg}="
                value = _bracketed(each.value, indent + STEP, len(left), 1)
                parts.append(f"{deeper}{left}{value},")
            return f"{called}({''.join(parts)}\n{margin})"
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) if items:
            brackets = {ast.List: "[]", ast.Tuple: "()", ast.Set: "{}"}[type(node)]
            parts = [f"{deeper}{_bracketed(each, indent + STEP, 0, 1)}," for each in items]
            return f"{brackets[0]}{''.join(parts)}\n{margin}{brackets[1]}"
        case ast.Dict(keys=keys, values=values) if values:
            parts = []
            for key, item in zip(keys, values, strict=True):
                if key is None:
                    left = "**"
                    shown = _operand(item, indent + STEP, len(left), 1)
                else:
                    left = f"{ast.unparse(key)}: "
                    shown = _bracketed(item, indent + STEP, len(left), 1)
                parts.append(f"{deeper}{left}{shown},")
            return f"{{{''.join(parts)}\n{margin}}}"
        case ast.ListComp(elt=item, generators=[each]):
            if _fits(text[1:-1], indent + STEP, 0, 0):
                return f"[{deeper}{text[1:-1]}\n{margin}]"
            source = _operand(each.iter, indent + STEP, len(ast.unparse(each.target)) + 8)
            tests = [f"{deeper}if {_operand(test, indent + STEP, 3)}" for test in each.ifs]
            shown = _bracketed(item, indent + STEP, 0)
            walk = f"{deeper}for {ast.unparse(each.target)} in {source}{''.join(tests)}"
            return f"[{deeper}{shown}{walk}\n{margin}]"
        case ast.BoolOp() | ast.BinOp() | ast.Compare() | ast.IfExp():
            return f"\n{margin}".join(_between_operators(node, indent))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"not {_operand(operand, indent, before + 4, after)}"
        case ast.Attribute(value=value, attr=name):
            return f"{_operand(value, indent, before)}.{name}"
        case ast.Subscript(value=value, slice=key):
            return f"{_operand(value, indent, before)}[{_bracketed(key, indent, 1, 1)}]"
    return text


def _operand(node: ast.expr, indent: int, before: int, after: int = 0) -> str:
    """An expression beside an operator: brackets around whatever might need them."""
    if isinstance(node, CLOSED):
        return _expression(node, indent, before, after)
    text = ast.unparse(node)
    return f"({text})" if _fits(text, indent, before + 2, after) else _wrapped(node, indent)


def _between_operators(node: ast.expr, indent: int) -> Iterator[str]:
    match node:
        case ast.BoolOp(op=operator, values=[first, *others]):
            word = OPERATORS[type(operator)]
            yield _operand(first, indent, 0)
            for each in others:
                yield f"{word} {_operand(each, indent, len(word) + 1)}"
        case ast.Compare(left=left, ops=operators, comparators=others):
            yield _operand(left, indent, 0)
            for compared, each in zip(operators, others, strict=True):
                word = OPERATORS[type(compared)]
                yield f"{word} {_operand(each, indent, len(word) + 1)}"
        case ast.BinOp(left=left, op=operator, right=right):
            word = OPERATORS[type(operator)]
            if isinstance(left, ast.BinOp) and _alike(left.op, operator):
                yield from _between_operators(left, indent)
            else:
                yield _operand(left, indent, 0)
            yield f"{word} {_operand(right, indent, len(word) + 1)}"
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            yield _operand(body, indent, 0)
            yield f"if {_operand(test, indent, 3)}"
            if isinstance(otherwise, ast.IfExp):
                chain = _between_operators(otherwise, indent)
                yield f"else {next(chain)}"
                yield from chain
            else:
                yield f"else {_operand(otherwise, indent, 5)}"


def _alike(one: ast.operator, other: ast.operator) -> bool:
    """Whether a line is broken at both of two operators, or at neither."""
    return isinstance(one, ADDITIVE) == isinstance(other, ADDITIVE)
