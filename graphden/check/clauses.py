"""Clauses that are written in pairs, where `cond` and `case` take a flat list."""

from __future__ import annotations

from collections.abc import Iterator

from graphden.check.findings import Finding, literal
from graphden.check.fit import Types, disjoint
from graphden.check.values import type_of
from graphden.model.resolved import Constant, ResolvedRow, Sequence
from graphden.model.types import ANY, Type

ALWAYS_TRUE = "core.logic/cond"
COMPARED = "core.logic/case"


def paired_clauses(row: ResolvedRow, value: Type, types: Types) -> Iterator[Finding]:
    """The vectors that stand where a test must: always true in a `cond`, and in a `case` all of
    pairs never equal to its value of type `value`.
    """
    if row.root.id not in (ALWAYS_TRUE, COMPARED):
        return
    for slot in row.slots:
        if slot.declaration.name != "clauses" or not isinstance(slot.source, Sequence):
            continue
        all_pairs = all(
            isinstance(each, Constant) and isinstance(each.value, list) and len(each.value) == 2
            for each in slot.source.items
        )
        for test in slot.source.items[::2]:
            if not isinstance(test, Constant) or not isinstance(test.value, list):
                continue
            if row.root.id == ALWAYS_TRUE:
                said = "is always true"
            elif all_pairs and value != ANY and disjoint(value, type_of(test.value), types):
                said = "never equals :value"
            else:
                continue
            yield Finding(
                "type-mismatch",
                test.place,
                f"a test stands here, and the vector {literal(test.value)} {said}",
                f"Write :{slot.name} as a flat list: [test result test result …].",
            )
