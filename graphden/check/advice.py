"""What to do about what the types say is wrong, in the names of the rows it is about."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from graphden.check.conversion import convert
from graphden.check.examples import example
from graphden.check.findings import Clash, Finding, literal, short
from graphden.check.fit import Types, fit
from graphden.check.infer import Inference
from graphden.check.origins import handing, source_at
from graphden.check.values import type_of, without_null
from graphden.check.within import way
from graphden.edn import Keyword, write
from graphden.model.resolved import Constant, Program, ResolvedRow, Source, Use, Wrap
from graphden.model.types import ListOf, Primitive, Type
from graphden.resolve import as_callable


def advice(finding: Finding, inference: Inference) -> str:
    """What to do about a finding."""
    program = inference.program
    clash = finding.clash
    row = program.resolved[finding.place.row]
    source = source_at(row, finding.place)
    if finding.first is not None:
        return f"Bind here what fits there, or change :{finding.inside} so that it takes this."
    if clash is None:
        return _call(row, source, program) or finding.hint
    types = program.types
    match finding.code:
        case "secret-flow":
            return (
                "What prints, stores or changes a value takes no secret: leave it out, or hand "
                "it to a slot of the type [:secret …]."
            )
        case "missing-field":
            return _give_field(clash, source, program)
        case "refinement-violated":
            return _obey(clash, program)
        case "argument-conflict":
            return _rename(clash)
    if finding.hint:
        return finding.hint
    if isinstance(source, Constant):
        return _correct(clash, source.value, types)
    if clash.path:
        return _inside(clash, source, program)
    if isinstance(source, Use):
        clash = replace(clash, came=inference.row(source.target).result)
    return convert(clash, source, program)


def _call(row: ResolvedRow, source: Source | None, program: Program) -> str:
    """What to do about a callable that takes, under the same name, another type than it is
    called with.
    """
    names = " and ".join(f":{slot.name}" for slot in handing(row, source))
    if not isinstance(source, Wrap) or not names or not _takes_by_name(row, source, program):
        return ""
    target = program.rows[source.target]
    name = "this row" if target.inline else f":{target.name}"
    return (
        f"Bind {names} to what {name} takes, convert it first in {name}, or write "
        ":lambda-params [] there to ignore it."
    )


def _takes_by_name(row: ResolvedRow, source: Wrap, program: Program) -> bool:
    wanted = (as_callable(slot.declaration.type, program.types) for slot in row.slots)
    return any(
        receiver == name
        for each in wanted
        if each is not None
        for (name, _), receiver in zip(each.parameters, source.receivers, strict=False)
    )


def _give_field(clash: Clash, source: Source | None, program: Program) -> str:
    if not clash.path:
        return "Give what is missing."
    field = str(clash.path[-1])
    wanted = way(clash.expected, clash.path, program.types).type
    value = (example(wanted, program.types) if wanted else None) or "…"
    at = _where_made(source, program) or ", here"
    owner = _own_type(way(clash.expected, clash.path[:-1], program.types).rows, program)
    given = f"Give it, such as :{field} {value}{at}"
    if owner is None or wanted is None:
        return f"{given}."
    return (
        f"{given}; or write :{field} {{:type {wanted} :required false}} in :{owner}, if it may "
        "be left out."
    )


def _where_made(source: Source | None, program: Program) -> str:
    if isinstance(source, Use) and not program.rows[source.target].inline:
        return f", in :{program.rows[source.target].name}"
    return ""


def _own_type(rows: tuple[str, ...], program: Program) -> str | None:
    """The innermost type row, if the author can change it."""
    if not rows or program.rows[rows[-1]].package is not None:
        return None
    return program.rows[rows[-1]].name


def _obey(clash: Clash, program: Program) -> str:
    value = None if clash.path else example(clash.expected, program.types)
    where = f" at {way(clash.expected, clash.path, program.types).text}" if clash.path else ""
    such = f", such as {value}" if value and "…" not in value else ""
    owner = _own_type(way(clash.expected, clash.path, program.types).rows, program)
    change = f", or change :{owner}" if owner else ""
    return f"Write a value that obeys it{where}{such}{change}."


def _rename(clash: Clash) -> str:
    other = f"{{:parent :{clash.of} :args {{:{clash.name} {{:as :{clash.of}-{clash.name}}}}}}}"
    if clash.of is None or ">" in clash.of:
        return f"Rename one of the two with {{:as …}}, such as {{:as :other-{clash.name}}}."
    return f"To make them two arguments, rename one: write {other} here."


def _correct(clash: Clash, value: object, types: Types) -> str:
    """How a literal would be right."""
    text = ""
    if clash.path:
        text = f" at {way(clash.expected, clash.path, types).text}"
        for step in clash.path:
            value = _at(value, step)
    wanted = way(clash.expected, clash.path, types).type
    wanted = None if wanted is None else without_null(wanted)
    match value:
        case str() if not isinstance(value, Keyword) and _is_number(wanted):
            if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", value):
                return f"Write {value}{text}, without the quotes."
        case Keyword() if wanted == Primitive("text"):
            return f'Write "{value.text}"{text}.'
        case int() | float() | Decimal() if wanted == Primitive("text"):
            return f'Write "{write(value)}"{text}, in quotes.'
        case str() if wanted == Primitive("keyword"):
            written = f":{value}" if text else f"{{:value :{value}}}"
            return f"Write {written}{text}, a keyword."
    if isinstance(wanted, ListOf) and fit(type_of(value), wanted.item, types):
        return f"Write {literal([value])}{text}, a list."
    shown = None if wanted is None else example(wanted, types)
    if isinstance(wanted, Primitive) and wanted.name == "keyword" and not text:
        shown = "{:value :name}"
    if wanted is not None and as_callable(wanted, types) is not None:
        return f"Name a row{text}, such as :double; it is called each time."
    if wanted is None or shown is None:
        return f"Write what it takes{text}."
    return f"Write a value of {short(wanted)}{text}, such as {shown}."


def _at(value: object, step: object) -> object:
    match value:
        case dict():
            return next((v for k, v in value.items() if k == step), None)
        case list() if isinstance(step, int) and step < len(value):
            return value[step]
    return None


def _is_number(type_: Type | None) -> bool:
    return isinstance(type_, Primitive) and type_.name in ("int", "float", "decimal", "numeric")


def _inside(clash: Clash, source: Source | None, program: Program) -> str:
    found = way(clash.expected, clash.path, program.types)
    wanted = short(clash.wanted) if clash.wanted is not None else "what is expected"
    owner = _own_type(found.rows, program)
    other = f"; or let :{owner} take {short(clash.came)} there" if owner and clash.came else ""
    return f"Make {found.text} {wanted}{_where_made(source, program)}{other}."
