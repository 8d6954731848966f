"""Rows that are tests: public rows in a namespace with a segment `tests`, such as
`orders.tests`, that need no argument. They pass when they run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from graphden.errors import RunError
from graphden.model.resolved import Program, ResolvedRow
from graphden.model.rows import RowKind

SEGMENT = "tests"


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """One test that ran: the row's identity, how long it took, and how it failed, if it did."""

    __test__ = False  # pytest takes classes of this name for its own

    row: str
    ms: float
    error: RunError | None = None

    @property
    def passed(self) -> bool:
        """Whether the row ran to its end."""
        return self.error is None

    @property
    def sides(self) -> dict[str, object]:
        """What a failed `assert-eq` compared, `actual` and `expected`; else nothing."""
        match self.error:
            case RunError(code="assertion-failed", data=dict() as data):
                return {side: data[side] for side in ("actual", "expected") if side in data}
        return {}


def is_test(resolved: ResolvedRow) -> bool:
    """Whether a row is a test."""
    return _stands_as_test(resolved) and not _needs(resolved)


def not_run(rows: Iterable[ResolvedRow], program: Program) -> dict[str, tuple[str, ...]]:
    """The rows that stand where tests do and are none, for they need arguments: those by row.
    What another row needs is a helper, and not among them.
    """
    needed = {
        each for row in program.resolved.values() for each in (*row.parents, *row.targets)
    }
    return {
        resolved.id: needs
        for resolved in rows
        if _stands_as_test(resolved)
        and resolved.id not in needed
        and (needs := _needs(resolved))
    }


def _stands_as_test(resolved: ResolvedRow) -> bool:
    row = resolved.row
    return (
        row.kind is RowKind.FUNCTION
        and not row.private
        and not row.inline
        and SEGMENT in row.namespace.split(".")
    )


def _needs(resolved: ResolvedRow) -> tuple[str, ...]:
    return tuple(each.name for each in resolved.interface.values() if each.required)


def outcomes(
    rows: Iterable[ResolvedRow], run: Callable[[str], object]
) -> Iterator[TestOutcome]:
    """Run the tests among `rows`, each when its outcome is asked for."""
    for resolved in rows:
        if not is_test(resolved):
            continue
        error = None
        began = time.perf_counter()
        try:
            run(resolved.id)
        except RunError as failed:
            error = failed
        yield TestOutcome(resolved.id, (time.perf_counter() - began) * 1000, error)
