"""How a value that a row gives, or an argument, could be made to fit."""

from __future__ import annotations

from graphden.check.examples import example
from graphden.check.findings import Clash, short
from graphden.check.fit import fit, opened
from graphden.check.values import without_null
from graphden.model.resolved import Open, Program, Source, Use
from graphden.model.types import NULL, ListOf, Named, Primitive, Refined, Type, Union

_CONVERSIONS = {
    ("text", "int"): "{:parent :parse-int :args {:string %s}}",
    ("text", "float"): "{:parent :parse-int :args {:string %s}}",
    ("text", "numeric"): "{:parent :parse-int :args {:string %s}}",
    ("text", "uuid"): "{:parent :parse-uuid :args {:string %s}}",
    ("text", "keyword"): "{:parent :str-to-keyword :args {:string %s}}",
    ("keyword", "text"): "{:parent :keyword-to-str :args {:keyword %s}}",
}
"""Rows of the standard library that make one kind of value from another."""


def convert(clash: Clash, source: Source | None, program: Program) -> str:
    """What to write in the place of `source`, so that it fits."""
    types = program.types
    came, wanted = clash.came, clash.wanted
    written = _written(source, program)
    if came is None or wanted is None or written is None:
        return "Change the one or the other."
    rest = without_null(came)
    if came == NULL or (came != rest and fit(rest, wanted, types)):
        default = example(wanted, types) or "…"
        return (
            f"It may be nil. Say what holds then: {{:parent :coalesce :args {{:value {written} "
            f":default {default}}}}}; or stop the run there: "
            f"{{:parent :assert-some :args {{:value {written}}}}}."
        )
    if isinstance(wanted, ListOf) and fit(came, wanted.item, types):
        return f"For a list of this one item, write [{written}]."
    checks = isinstance(wanted, Named) and isinstance(types.get(wanted.row), Refined | Union)
    if checks and fit(wanted, came, types):
        return (
            f"Check it first: {{:parent {wanted} :args {{:value {written}}}}} refuses what is "
            f"not {wanted} when it runs."
        )
    conversion = _CONVERSIONS.get((_kind(opened(came, types)), _kind(opened(wanted, types))))
    if conversion is not None:
        return f"Convert it: {conversion % written}."
    if opened(wanted, types) == Primitive("text"):
        return f"Make text of it: {{:parent :to-str :args {{:value {written}}}}}."
    return _promise(came, wanted, source, written, program)


def _promise(
    came: Type, wanted: Type, source: Source | None, written: str, program: Program
) -> str:
    match source:
        case Open(name=name) if fit(wanted, came, program.types):
            return f"Narrow it: {{:as :{name} :type {short(wanted)}}}."
        case Open(name=name):
            return f"Write {{:as :{name} :type {short(wanted)}}}, or bind it elsewhere."
        case Use(target=target) if fit(wanted, came, program.types):
            if not program.rows[target].inline:
                return (
                    f"If it always is {short(wanted)}, promise it: write :return-type "
                    f"{short(wanted)} in {written}, and it is checked when it runs."
                )
    return f"Bind a row that gives {short(wanted)} here, or change {written}."


def _kind(type_: Type) -> str:
    return type_.name if isinstance(type_, Primitive) else ""


def _written(source: Source | None, program: Program) -> str | None:
    """A reference as one writes it."""
    match source:
        case Use(target=target):
            row = program.rows[target]
            if not row.inline:
                return f":{row.name}"
            return f"{{:parent {' '.join(f':{parent.text}' for parent in row.parents)} …}}"
        case Open(name=name):
            return f"{{:as :{name}}}"
    return None
