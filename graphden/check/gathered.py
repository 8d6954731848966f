"""What comes up while a row is analysed: findings, guards, and the rows it refers to."""

from __future__ import annotations

from dataclasses import replace

from graphden.check.findings import Finding, wrong_literal
from graphden.check.fit import Types, fit, holds_secret
from graphden.check.solve import Solver
from graphden.check.typed import ASKED, Environment, Rows, Typed, Unproved
from graphden.check.values import type_of
from graphden.check.variants import hint_of_variant, inside_variants
from graphden.model.plan import GuardKey
from graphden.model.resolved import Constant, Place, ResolvedRow, Use, Wrap
from graphden.model.types import ANY, Named, Refined, Type, Union
from graphden.resolve import as_callable


class Gathered:
    """One row in one environment, and what was found so far."""

    def __init__(
        self,
        rows: Rows,
        row: ResolvedRow,
        environment: Environment,
        unknown: frozenset[str],
        *,
        absent: frozenset[str],
        optional: frozenset[str],
    ) -> None:
        self.rows = rows
        self.program = rows.program
        self.types = rows.program.types
        self.row = row
        # A reference that a guard has asked about is known to be not nil in the guarded part,
        # and in the rows written inline there.
        self.environment = {n: t for n, t in environment.items() if n[0] != ASKED}
        self.overrides = {n: t for n, t in environment.items() if n[0] == ASKED}
        self.unknown = unknown
        self.absent = absent
        self.optional = optional
        self.solver = Solver(self.types)
        self.elsewhere = False  # whether the variables met are those of another signature
        self.findings: dict[tuple[str, Place], Finding] = {}
        self.guards: dict[GuardKey, Type] = {}
        self.reasons: dict[GuardKey, Unproved] = {}
        self.references: dict[Place, tuple[Use | Wrap, Typed]] = {}
        self.doubted: set[str] = set()
        self.used: dict[int, Type] = {}  # what references give, by identity; each is used twice
        # What rows give that are used more than once, alike but for the places.
        self.same: dict[str, tuple[dict[str, Type], frozenset[str], Typed]] = {}
        self.nil_tests: dict[int, list[int]] = {}  # the clauses that ask `nil?`, by identity
        self.feeds: dict[str, Type] = {}
        self.actual: dict[str, Type] = {}

    def becomes_secret(self, actual: Type, expected: Type) -> bool:
        """Whether a value is no secret before it comes to where one is taken."""
        return holds_secret(expected, self.types) and not holds_secret(actual, self.types)

    def guard(self, key: GuardKey, expected: Type, why: Unproved) -> None:
        """Note a value that is looked at when it comes: whether it is what it must be, or what
        it is from here on, a secret.
        """
        self.guards[key] = expected
        self.reasons[key] = why

    def report(self, finding: Finding) -> None:
        """Note a finding, at a place that the row itself writes."""
        own = self.row.id
        if finding.place.row != own:
            bound = [s.place for s in self.row.slots if s.place.row == own]
            bound += [f.source.place for f in self.row.feeds.values() if f.bound_by == own]
            place = bound[0] if bound else Place(own, (), self.row.row.span)
            known = {f.origin for row in self.row.parents for f in self.findings_of(row)}
            if finding.origin in known:
                return
            finding = finding.at(place, self.program.rows[finding.place.row].owner)
        self.findings.setdefault((finding.code, finding.place), finding)

    def findings_of(self, row: str) -> tuple[Finding, ...]:
        return self.rows.row(row).findings

    def adopt(self, typed: Typed, ref: Use | Wrap) -> None:
        """What is wrong with a row only as this reference uses it is wrong at the reference."""
        target = self.program.rows[ref.target]
        known = {f.origin for f in self.findings_of(ref.target)}
        for finding in typed.findings:
            if target.inline:
                self.findings.setdefault((finding.code, finding.place), finding)
            elif finding.origin not in known:
                self.report(finding.at(ref.place, target.name))

    def literal(self, source: Constant, expected: Type, name: str) -> None:
        if as_callable(expected, self.types) is not None and source.value is not None:
            return
        contracts, types = self.rows.contracts, self.types
        violations = contracts.violations(expected, source.value)
        if not violations:
            return
        found = fit(type_of(source.value), expected, self.types)
        code = found.code
        if code == "type-mismatch" and self.refused_by_refinement(source.value, expected):
            code = "refinement-violated"
        if code == "type-mismatch" and all(v.came == "nothing" for v in violations):
            code = "missing-field"  # by its type alone, an int may be no :positive-int
        secret = holds_secret(expected, types)
        hint = "" if secret else hint_of_variant(violations, expected, source.value, types)
        inner = inside_variants(
            violations, expected, source.value, contracts, self.rows.spelling
        )
        violations = tuple(inner) or violations
        finding = wrong_literal(code, source, name, expected, violations, secret=secret)
        self.report(replace(finding, hint=hint))

    def refused_by_refinement(self, value: object, expected: Type) -> bool:
        return not self.rows.contracts.violations(_stripped(expected, self.types), value)


def _stripped(type_: Type, types: Types) -> Type:
    """`type_` without its refinements, as far as its outermost parts go."""
    match type_:
        case Named(row):
            return _stripped(types.get(row, ANY), types)
        case Refined(base, _):
            return _stripped(base, types)
        case Union(members):
            return Union(tuple(_stripped(member, types) for member in members))
    return type_
