"""The diagnostics of a graph: what its types and effects say is wrong (LANGUAGE 9.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphden.check.infer import Inference
from graphden.errors import Problem
from graphden.model.resolved import Program, ResolvedRow


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
            yield finding.problem(program.rows[finding.place.row].owner)
        yield from _effects(resolved)


def _effects(resolved: ResolvedRow) -> Iterator[Problem]:
    promised = resolved.row.expects_effects
    if promised is None:
        return
    more = sorted(resolved.effects - promised)
    if more:
        listed = " ".join(f":{effect}" for effect in more)
        allowed = " ".join(f":{effect}" for effect in sorted(promised)) or "none"
        yield Problem(
            "effect-not-allowed",
            f":{resolved.row.name} promises the effects {allowed}, and reaches {listed}",
            "Add them to :expects-effects, or do without what has them: "
            "`graphden show` names it.",
            resolved.row.owner,
            resolved.row.span,
            structural=False,
        )
