"""What callables are handed: a parameter of a plainly different type is a diagnostic."""

from __future__ import annotations

from collections.abc import Iterable

from graphden.check.relate import Relation, relate
from graphden.errors import Problem
from graphden.model.resolved import Handing, Program


def check_handings(program: Program) -> Iterable[Problem]:
    """A diagnostic for each argument that cannot take the parameter it receives."""
    for resolved in program.resolved.values():
        for handing in resolved.handings:
            if relate(handing.given, handing.wanted, program.types) is Relation.DIFFERS:
                yield _problem(handing, resolved.row.owner, program)


def _problem(handing: Handing, owner: str, program: Program) -> Problem:
    target = program.rows[handing.target]
    where = f":{target.name}"
    message = (
        f"{where} is called with :{handing.parameter} ({handing.given}), which would go to its "
        f":{handing.argument}, and that takes {handing.wanted}"
    )
    if handing.argument == handing.parameter:
        hint = f"Narrow or rename :{handing.argument} in {where}."
    else:
        hint = (
            f"Bind :{handing.argument} in {where} to ignore what the call hands over, or open "
            f"a slot under that name with {{:as :{handing.parameter}}}."
        )
    return Problem("type-mismatch", message, hint, owner, handing.place.span, structural=False)
