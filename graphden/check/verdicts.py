"""The answer to whether a type fits another, and what several such answers come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from graphden.model.types import NULL, Type


class Verdict(StrEnum):
    """The answer."""

    FITS = "fits"
    """Every value fits."""
    GUARD = "guard"
    """`any` or `jsonb` hides whether it fits: the value is checked when it comes."""
    DIFFERS = "differs"
    """The types do not promise that it fits."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A verdict. When it is not `FITS`, `path` leads into the types to the place that decided,
    where `actual` met `expected`; `code` is the diagnostic's.
    """

    verdict: Verdict
    path: tuple[str, ...] = ()
    actual: Type | None = None
    expected: Type | None = None
    code: str = "type-mismatch"

    def __bool__(self) -> bool:
        return self.verdict is Verdict.FITS


FITS = Fit(Verdict.FITS)


def differs(actual: Type, expected: Type, code: str) -> Fit:
    return Fit(Verdict.DIFFERS, (), actual, expected, code)


def guarded(actual: Type, expected: Type) -> Fit:
    return Fit(Verdict.GUARD, (), actual, expected)


def at(step: str, found: Fit) -> Fit:
    return found or replace(found, path=(step, *found.path))


def worst(found: Iterable[Fit]) -> Fit:
    guard = FITS
    for each in found:
        if each.verdict is Verdict.DIFFERS:
            return each
        if each.verdict is Verdict.GUARD and guard:
            guard = each
    return guard


def best(found: list[Fit], actual: Type, expected: Type) -> Fit:
    for verdict in (Verdict.FITS, Verdict.GUARD):
        for each in found:
            if each.verdict is verdict:
                return each
    others = [f for f in found if f.expected != NULL and f.path]
    # Only one alternative of the same shape: its own trouble says more than "none of them".
    if len(others) == 1:
        return others[0]
    return Fit(
        Verdict.DIFFERS, (), actual, expected, found[0].code if found else "type-mismatch"
    )
