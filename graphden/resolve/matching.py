"""Which free argument of a wrapped row receives which parameter of a call (LANGUAGE 6.2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from graphden.errors import Notes
from graphden.model.resolved import ResolvedRow
from graphden.model.rows import Row
from graphden.model.types import Callable
from graphden.resolve.places import all_of


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why the parameters cannot be given out."""

    code: str
    message: str
    hint: str
    notes: Notes = ()


def match_parameters(
    target: ResolvedRow, callable_: Callable, fed: Collection[str]
) -> tuple[str | None, ...] | Mismatch:
    """The argument of `target` for each parameter, None where it is ignored.

    `fed` are the names that bindings on the referring row's chain supply.
    """
    parameters = [name for name, _ in callable_.parameters]
    declared = target.row.lambda_params
    free = target.interface
    shown = display(target.row)
    if declared is not None:
        names = [name.text for name in declared]
        if len(names) > len(parameters):
            return Mismatch(
                "invalid-lambda-params",
                f"{shown} names {len(names)} :lambda-params, the call has {len(parameters)}",
                f"The call hands {_listed(parameters) or 'nothing'}.",
                (("named here", all_of(declared)),),
            )
        receivers = [name if name in free else None for name in names]
        return tuple(receivers + [None] * (len(parameters) - len(names)))
    if len(parameters) != 1:
        return tuple(name if name in free else None for name in parameters)
    (parameter,) = parameters
    if parameter in free:
        return (parameter,)
    candidates = [name for name in free if name not in fed]
    match candidates:
        case []:
            return (None,)
        case [only]:
            return (only,)
    return Mismatch(
        "ambiguous-lambda-params",
        f"the call's :{parameter} may go to {_listed(candidates)} of {shown}",
        f"Name the one that takes it: {shown} needs :lambda-params [:{candidates[0]}], "
        f"or {{:as :{parameter}}} in its place, or [] to ignore it.",
        ((f"{shown} has {_listed(candidates, 'and')} free", target.row.name_span),)
        if not target.row.inline
        else (),
    )


def display(row: Row) -> str:
    """A row as a message names it."""
    return "this inline row" if row.inline else f":{row.name}"


def _listed(names: Collection[str], word: str = "or") -> str:
    *most, last = [f":{name}" for name in names] or [""]
    return f"{', '.join(most)} {word} {last}" if most else last
