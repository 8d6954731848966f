"""The diagnostics of a graph: what its types and effects say is wrong (LANGUAGE 9.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphden.check.advice import advice
from graphden.check.findings import Finding, short
from graphden.check.infer import Inference
from graphden.check.origins import of_effect, of_finding, source_at
from graphden.check.within import way
from graphden.errors import Problem
from graphden.model.resolved import Constant, Program, ResolvedRow
from graphden.resolve.types import accepts_null, as_callable


def diagnose(
    program: Program, inference: Inference, rows: Iterable[str] | None = None
) -> Iterator[Problem]:
    """The diagnostics of `rows`, or of all; each at a place that the row itself writes."""
    for row_id in program.resolved if rows is None else rows:
        resolved = program.resolved.get(row_id)
        # An inline row is judged where it stands, by what is known there.
        if resolved is None or resolved.row.inline:
            continue
        for finding in inference.row(row_id).findings:
            if not _said_already(program, finding):
                yield _problem(inference, finding)
        yield from _effects(program, resolved)


def _said_already(program: Program, finding: Finding) -> bool:
    """Whether it is a `nil` for a callable, which was refused when it was bound."""
    row = program.resolved[finding.place.row]
    source = source_at(row, finding.place)
    if not isinstance(source, Constant) or source.value is not None:
        return False
    taken = [slot.type for slot in row.slots if slot.source is source]
    taken += [feed.type for feed in row.feeds.values() if feed.source is source]
    return any(
        as_callable(type_, program.types) and not accepts_null(type_, program.types)
        for type_ in taken
    )


def _problem(inference: Inference, finding: Finding) -> Problem:
    program = inference.program
    clash = finding.clash
    message = finding.message
    if clash is not None and clash.from_types and clash.path:
        at = way(clash.expected, clash.path, program.types).text
        if finding.code == "missing-field":
            message += f", without {at}"
        elif clash.came is not None and clash.wanted is not None:
            message += f"; at {at} it is {short(clash.came)}, not {short(clash.wanted)}"
    if finding.first is not None:
        message = f"with what is bound here, {message}"
    return Problem(
        finding.code,
        message,
        advice(finding, inference),
        program.rows[finding.place.row].owner,
        finding.place.span,
        structural=False,
        notes=of_finding(program, finding),
    )


def _effects(program: Program, resolved: ResolvedRow) -> Iterator[Problem]:
    promised = resolved.row.expects_effects
    if promised is None:
        return
    more = sorted(resolved.effects - promised)
    if not more:
        return
    name = resolved.row.name
    brought = [(effect, *of_effect(program, resolved, effect)) for effect in more]
    reached = " and ".join(f":{effect} ({_through(base)})" for effect, base, _ in brought)
    allowed = " ".join(f":{effect}" for effect in sorted(promised))
    said = f"no effects but {allowed}" if promised else "to have no effects"
    every = " ".join(f":{effect}" for effect in sorted(promised | set(more)))
    yield Problem(
        "effect-not-allowed",
        f":{name} promises {said}, and reaches {reached}",
        f"Write :expects-effects #{{{every}}} in :{name}, or take out what is needed for it.",
        resolved.row.owner,
        resolved.row.span,
        structural=False,
        notes=tuple(dict.fromkeys(note for _, _, notes in brought for note in notes)),
    )


def _through(base: str) -> str:
    return f"through :{base}" if base else "itself"
