"""The function that callers of an ejected module see: keyword arguments, types, defaults."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from textwrap import fill

from graphden.compile.code import load
from graphden.eject.literals import literal
from graphden.eject.provided import EJECTED, Provided
from graphden.model.resolved import ResolvedRow
from graphden.model.types import (
    Callable,
    ListOf,
    MapOf,
    Named,
    Primitive,
    Record,
    Refined,
    Secret,
    Type,
    Variable,
)

WIDTH = 88
PLAIN = {"bool": "bool", "int": "int", "float": "float", "text": "str", "null": "None"}
"""Types that Python has under a name of its own."""


def docstring(row: ResolvedRow, files: list[str], public: str, *, asks: bool) -> str:
    """The text at the top of the module: what it is, and what it needs."""
    command = " ".join(["graphden eject", row.row.name, *files])
    paragraphs = [
        f"Written by graphden {version('graphden')}: `{command}`.",
        f"`{public}` gives what the row gives, has its effects, and fails with its codes. A "
        "comment names each row where its code begins. No row is read: base functions come "
        "from the packages that bring them, and graphden.ejected checks arguments and "
        "contracts.",
    ]
    if asks:
        paragraphs.append(
            "Only None and False are false here: `None is not x is not False` asks for that."
        )
    if row.effects:
        effects = f"Effects: {', '.join(sorted(row.effects))}."
        if "db" in row.effects:
            effects += " The database comes with the context, that of a graphden.App."
        paragraphs.append(effects)
    filled = [fill(text, WIDTH, break_on_hyphens=False) for text in paragraphs]
    return "\n\n".join([f"The row :{row.id} as Python.", *filled]) + "\n"


def main_block(row: ResolvedRow, provided: Provided, public: str) -> str:
    """What running the module does: it prints the value."""
    write = provided.imports.add("graphden.edn", "write")
    if "db" not in row.effects:
        return f'if __name__ == "__main__":\n    print({write}({public}(), lossy=True))\n'
    app = provided.imports.add("graphden", "App")
    return (
        'if __name__ == "__main__":\n'
        f"    with {app}.open() as app, app.context() as context:\n"
        f"        print({write}({public}(context=context), lossy=True))\n"
    )


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a row: its name, what Python calls it, and the literal that it has when it
    is not given.
    """

    name: str
    python: str
    type: Type
    required: bool
    default: ast.expr | None = None


def public_function(
    row: ResolvedRow,
    arguments: Sequence[Argument],
    gives: Type,
    provided: Provided,
    *,
    names: tuple[str, str],
) -> ast.FunctionDef:
    """The function that callers see, the first of `names`: it checks arguments and calls the
    second.
    """
    public, private = names

    def typed(type_: Type) -> ast.expr:
        text = annotation(type_, provided) or provided.imports.add("typing", "Any")
        return ast.parse(text, mode="eval").body

    values: list[ast.expr | None] = []
    for each in arguments:
        left_out = each.default is None and not each.required
        missing = load(provided.imports.add(EJECTED, "MISSING")) if left_out else None
        values.append(each.default or missing)
    context = f"{provided.imports.add('graphden.run', 'Context')} | None"
    taken = [
        *(ast.arg(each.python, typed(each.type)) for each in arguments),
        ast.arg("context", ast.parse(context, mode="eval").body),
    ]
    given = ast.Dict(
        [literal(each.name) for each in arguments], [load(each.python) for each in arguments]
    )
    run = ast.Attribute(load("ROW"), "run", ast.Load())
    body: list[ast.stmt] = [
        ast.Expr(ast.Constant(_said(row, arguments))),
        ast.Return(ast.Call(run, [load(private), given, load("context")], [])),
    ]
    signature = ast.arguments(
        posonlyargs=[],
        args=[],
        kwonlyargs=taken,
        kw_defaults=[*values, ast.Constant(None)],
        defaults=[],
    )
    return ast.FunctionDef(public, signature, body, [], typed(gives), lineno=0)


def annotation(type_: Type, provided: Provided) -> str | None:
    """What Python says of a type, as far as it says the same; None for any value."""
    match type_:
        case Primitive(name):
            return PLAIN.get(name)
        case Refined(base, _) | Secret(base):
            return annotation(base, provided)
        case Named(row):
            return annotation(provided.body_of(row), provided)
        case ListOf(item):
            inner = annotation(item, provided) or provided.imports.add("typing", "Any")
            return f"list[{inner}]"
        case MapOf() | Record():
            return f"dict[str, {provided.imports.add('typing', 'Any')}]"
        case Callable():
            function = provided.imports.add("collections.abc", "Callable")
            return f"{function}[..., {provided.imports.add('typing', 'Any')}]"
    return None


def _said(row: ResolvedRow, arguments: Sequence[Argument]) -> str:
    first = row.row.description or f"The value of the row :{row.id}."
    told = [_told(each, row.interface[each.name].description) for each in arguments]
    return "\n".join([first, "", *told, ""]) if told else first


def _told(argument: Argument, description: str) -> str:
    shown = ":any" if isinstance(argument.type, Variable) else str(argument.type)
    return f"{argument.python}: `{shown}`{f'. {description}' if description else ''}"
