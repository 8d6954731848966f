"""The parts of an ejected module, put together."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import replace

from graphden.checked import Checked
from graphden.compile import Source, plan, source
from graphden.compile.linking import BodyOf, Check, Literal
from graphden.compile.spans import PLAIN
from graphden.eject.interface import Argument, docstring, main_block, public_function
from graphden.eject.layout import docstring_lines, laid_out
from graphden.eject.literals import literal, scalars
from graphden.eject.naming import short
from graphden.eject.places import comments, files_of, where
from graphden.eject.provided import EJECTED, Provided
from graphden.eject.source import Renamed, asks, defaults_of, name_locals, row_at
from graphden.entries import Signature
from graphden.errors import UsageError
from graphden.model.plan import Constant, Plan
from graphden.model.resolved import Program, ResolvedRow
from graphden.run import secrets
from graphden.run.registry import Body

SUPPORT = {
    "MISSING": "MISSING",
    "cell": "once",
    "thunks": "thunks",
    "Cancelled": "Cancelled",
    "as_run_error": "as_run_error",
}
"""What generated code calls, and what `graphden.ejected` calls it."""


def eject(row: ResolvedRow, checked: Checked, rows: Collection[str]) -> str:
    """The text of a module that gives what `row` gives; `rows` are those that it reaches.

    Raises UsageError `secret-literal` when it would hold a secret that a row writes, `no-text`
    for a value or type that nothing in a text stands for.
    """
    program = checked.program
    planned = plan(program, row.id, checked.inference)
    _refuse_secrets(row, program, rows, planned)
    written = source(planned, _readable(checked.bodies), PLAIN)
    *lifted, entry = (each for each in written.module.body if isinstance(each, ast.FunctionDef))
    signature = Signature.of(row, checked.inference)
    provided = Provided(program, planned)
    named = {
        name: provided.function(meant.row)
        for name, meant in written.globals.items()
        if isinstance(meant, BodyOf)
    }
    public = provided.names.give(short(row.id))
    private = named["entry"] = provided.names.give(f"_{public}")
    places = [argument.arg for argument in entry.args.args[1:]]
    arguments = dict(zip(places, signature.takes, strict=True))
    defaults = defaults_of(
        written.module,
        lambda place, value: (
            not checked.contracts.violations(signature.takes[arguments[place]], value)
        ),
    )
    entry.args.defaults = []
    _name_globals(written, provided, named)
    name_locals(written, named, provided.names)
    Renamed(named).visit(written.module)
    provided.row(row.id, signature)
    function = public_function(
        row,
        [
            Argument(
                argument,
                named[place],
                signature.takes[argument],
                required=argument in signature.required,
                default=literal(defaults[place]) if place in defaults else None,
            )
            for place, argument in arguments.items()
        ],
        signature.gives,
        provided,
        names=(public, private),
    )
    main = "" if signature.required else main_block(row, provided, public)
    said = docstring(row, files_of(program, rows), public, asks=asks(written.module))
    head = [
        "\n".join(docstring_lines(said)),
        provided.imports.text().rstrip("\n"),
        provided.types(),
        laid_out(provided.statements).rstrip("\n"),
    ]
    told = comments(written, program, rows, row.row.written)
    parts = [
        "\n\n".join(head),
        *(laid_out([each], told) for each in lifted),
        f"# {where(row.row)}\n{laid_out([entry], told)}",
        laid_out([function]),
        *([main] if main else []),
    ]
    return "\n\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _name_globals(written: Source, provided: Provided, named: dict[str, str]) -> None:
    """Name what the generated code refers to, in the order in which it does."""
    loads = (node for node in ast.walk(written.module) if isinstance(node, ast.Name))
    for node in sorted(loads, key=lambda each: (each.lineno, each.id)):
        name = node.id
        if name in named:
            continue
        near = row_at(written, node.lineno)
        match written.globals.get(name):
            case Check(type=type_):
                named[name] = provided.check(type_, near)
            case Literal(value=value, delayed=True):
                named[name] = provided.deferred(value, near)
            case Literal(value=value):
                named[name] = provided.value(value, near)
            case _ if name in SUPPORT:
                named[name] = provided.imports.add(EJECTED, SUPPORT[name])


def _readable(bodies: Mapping[str, Body]) -> dict[str, Body]:
    """The base functions; one that reads better as a call is called."""
    return {
        row: replace(body, inline=None) if body.inline == "str" else body
        for row, body in bodies.items()
    }


def _refuse_secrets(
    row: ResolvedRow, program: Program, rows: Collection[str], planned: Plan
) -> None:
    kept: list[object] = []
    secrets.note_literals(program, rows, kept.append)
    hidden = [(type(each), each) for value in kept for each in scalars(value)]
    hidden = [each for each in hidden if each[0] not in (bool, type(None))]
    for node in planned.nodes() if hidden else ():
        if isinstance(node, Constant) and any(
            (type(each), each) in hidden for each in scalars(node.value)
        ):
            raise UsageError(
                "secret-literal",
                f":{row.row.name} is not written as Python: a row that it reaches has a "
                "secret written out",
                hint="Leave that slot open and give the secret as an argument, or read it "
                "with :env.",
            )
