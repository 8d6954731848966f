"""What type each row gives, and where a binding does not fit its slot (LANGUAGE 8.4, 8.5).

A row is analysed once as it stands, its arguments of their declared types, and again wherever a
reference binds some of them more narrowly. What variables stand for is solved for each use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from graphden.check.contracts import Contracts
from graphden.check.findings import Finding, describe, mismatch, subject, wrong_literal
from graphden.check.fit import NEVER, Verdict, disjoint, fit, holds_secret, narrower
from graphden.check.shapes import result_of
from graphden.check.solve import Solver, variables
from graphden.check.values import join, type_of, without_null
from graphden.model.plan import GuardKey
from graphden.model.resolved import (
    Constant,
    Open,
    Place,
    Program,
    ResolvedRow,
    Sequence,
    Slot,
    Source,
    Use,
    Wrap,
)
from graphden.model.rows import RowKind
from graphden.model.types import ANY, NULL, Callable, ListOf, Named, Record, Secret, Type, Union
from graphden.resolve import as_callable, item_type

Environment: TypeAlias = Mapping[str, Type]

ASKED = ">"
"""Begins the names under which an environment tells what a reference is known to give."""

ROUNDS = 5
"""How often a callable whose result feeds its own parameter (`reduce`, `fix`) is gone through
before its type is given up as any."""


@dataclass(frozen=True, slots=True)
class Unproved:
    """Why a value is checked when it comes: what comes, of which type, and where it is from."""

    what: str
    actual: Type
    place: Place


@dataclass(frozen=True, slots=True)
class Typed:
    """A row's types: of its arguments as narrowed by what they feed, and of its result.

    `guards` are the places where a value must be checked when it comes, and the type it must be
    of: `("slot", name)`, `(place row, *path, "to", argument)` for what a reference is given,
    and `("result",)`; `reasons` say why. `references` are the rows it refers to, with their
    types as they are used here.
    """

    parameters: Environment
    result: Type
    findings: tuple[Finding, ...] = ()
    guards: Mapping[GuardKey, Type] = field(default_factory=dict)
    reasons: Mapping[GuardKey, Unproved] = field(default_factory=dict)
    references: tuple[tuple[Use | Wrap, Typed], ...] = ()


class Inference:
    """The types of all rows of a program, each found when it is first asked for."""

    def __init__(self, program: Program, contracts: Contracts) -> None:
        self.program = program
        self.contracts = contracts
        self._rows: dict[str, Typed] = {}
        self._instances: dict[tuple[str, tuple[tuple[str, Type], ...]], Typed] = {}

    def row(self, row_id: str) -> Typed:
        """The types of a row as it stands."""
        found = self._rows.get(row_id)
        if found is None:
            found = self._rows[row_id] = self._row(self.program.resolved[row_id])
        return found

    def instance(self, row_id: str, given: Environment) -> Typed:
        """The types of a row whose arguments are of the types in `given`."""
        standing = self.row(row_id)
        if all(standing.parameters.get(name) == type_ for name, type_ in given.items()):
            return standing
        key = (row_id, tuple(sorted(given.items(), key=lambda item: item[0])))
        found = self._instances.get(key)
        if found is None:
            row = self.program.resolved[row_id]
            if row.row.kind is RowKind.FUNCTION or row.row.kind is RowKind.BASE:
                environment = {**standing.parameters, **given}
                found = _Analysis(self, row, environment, frozenset()).run()
            else:
                found = standing
            self._instances[key] = found
        return found

    def _row(self, row: ResolvedRow) -> Typed:
        parameters = {name: p.type for name, p in row.interface.items()}
        if row.row.kind is RowKind.TYPE:
            return Typed(parameters, Named(row.id))
        unknown = frozenset(
            slot.name for slot in row.slots if slot.source is None and variables(slot.type)
        )
        parameters = self._narrowed(row, parameters)
        return _Analysis(self, row, parameters, unknown).run()

    def _narrowed(self, row: ResolvedRow, parameters: dict[str, Type]) -> dict[str, Type]:
        """The arguments as what the row refers to has narrowed them."""
        types = self.program.types

        def visit(source: Source) -> None:
            match source:
                case Sequence(items=items):
                    for item in items:
                        visit(item)
                case Open(default=default) if default is not None:
                    visit(default)
                case Use(target=target) | Wrap(target=target):
                    received = source.receivers if isinstance(source, Wrap) else ()
                    for name, type_ in self.row(target).parameters.items():
                        opened = source.renamed.get(name)
                        outer = name if opened is None else opened.name
                        if name in received or outer in row.feeds or outer not in parameters:
                            continue
                        mine = parameters[outer]
                        parameters[outer] = narrower(mine, type_, types) or mine

        for slot in row.slots:
            if slot.source is not None:
                visit(slot.source)
        for feed in row.feeds.values():
            visit(feed.source)
        return parameters


class _Analysis:
    """One row in one environment."""

    def __init__(
        self,
        inference: Inference,
        row: ResolvedRow,
        environment: Environment,
        unknown: frozenset[str],
    ) -> None:
        self.inference = inference
        self.program = inference.program
        self.types = inference.program.types
        self.row = row
        # A reference that a guard has asked about is known to be not nil in the guarded part,
        # and in the rows written inline there.
        self.environment = {n: t for n, t in environment.items() if n[0] != ASKED}
        self.overrides = {n: t for n, t in environment.items() if n[0] == ASKED}
        self.unknown = unknown
        self.solver = Solver(self.types)
        self.findings: dict[tuple[str, Place], Finding] = {}
        self.guards: dict[GuardKey, Type] = {}
        self.reasons: dict[GuardKey, Unproved] = {}
        self.references: dict[Place, tuple[Use | Wrap, Typed]] = {}
        self.feeds: dict[str, Type] = {}
        self.actual: dict[str, Type] = {}

    def run(self) -> Typed:
        row = self.row
        callables = []
        for slot in row.slots:
            if as_callable(slot.type, self.types) is not None:
                callables.append(slot)
            else:
                with self.narrowing(slot):
                    self.data(slot)
        self.call(callables)
        for slot in row.slots:
            if slot not in callables:
                self.check(slot)
        for feed_name in row.feeds:
            self.name(feed_name)
        result = self.result()
        return Typed(
            self.parameters(),
            result,
            tuple(self.findings.values()),
            self.guards,
            self.reasons,
            tuple(self.references.values()),
        )

    # -- arguments and results
    # -------------------------------------------------------------------

    def parameters(self) -> dict[str, Type]:
        found = dict(self.environment)
        for slot in self.row.slots:
            is_callable = as_callable(slot.type, self.types) is not None
            if slot.name in self.unknown and slot.source is None and not is_callable:
                solved = self.solver.apply(slot.type, None)
                mine = found[slot.name]
                found[slot.name] = narrower(solved, mine, self.types) or mine
        return found

    def result(self) -> Type:
        root = self.row.root
        declared = self.row.result if root.return_type is None else None
        if root.kind is RowKind.TYPE:
            inferred: Type = Named(root.id)
        else:
            resolved = self.program.resolved[root.id]
            declared = resolved.result
            inferred = self.solver.apply(declared)
            special = result_of(root.id, self, inferred)
            inferred = inferred if special is None else special
            if special is None and self.tells_secrets(inferred):
                inferred = Secret(inferred)
        claim = self.claim()
        if claim is None:
            return inferred
        found = fit(inferred, claim, self.types)
        if found:
            return inferred if narrower(inferred, claim, self.types) == inferred else claim
        if disjoint(inferred, claim, self.types) and found.verdict is Verdict.DIFFERS:
            place = Place(self.row.id, (), self.row.row.span)
            self.report(
                Finding(
                    found.code,
                    place,
                    f":{self.row.row.name} claims to give {claim}, and gives {inferred}",
                    "Correct :return-type, or what the row computes.",
                )
            )
        else:
            place = Place(self.row.id, (), self.row.row.span)
            self.guard(("result",), claim, Unproved("what it computes", inferred, place))
        return claim

    def tells_secrets(self, result: Type) -> bool:
        """Whether a base function that knows nothing of secrets was given one: then what it
        makes of it may tell it.
        """
        return not holds_secret(result, self.types) and any(
            holds_secret(self.actual.get(slot.declaration.name, ANY), self.types)
            and not holds_secret(slot.declaration.type, self.types)
            for slot in self.row.slots
        )

    def claim(self) -> Type | None:
        for row_id in self.row.chain:
            row = self.program.rows[row_id]
            if row.kind is RowKind.FUNCTION and row.return_type is not None:
                return self.program.resolved[row_id].result
        return None

    # -- slots
    # -----------------------------------------------------------------------------------

    def data(self, slot: Slot) -> None:
        """Learn what a slot that takes a value tells of the variables."""
        if slot.source is None and slot.name in self.unknown:
            return
        actual = self.value(slot)
        if actual is None:
            return
        if not variables(slot.type) and not fit(actual, slot.type, self.types):
            actual = slot.type  # it is checked when it comes, or wrong and said so elsewhere
        self.actual[slot.declaration.name] = actual
        self.solver.learn(slot.declaration.type, actual, slot.name)

    def value(self, slot: Slot) -> Type | None:
        declaration = slot.declaration
        match slot.source:
            case None if slot.name in self.environment:
                return self.environment[slot.name]
            case None if declaration.has_default:
                return type_of(declaration.default)
            case None:
                return None if declaration.required else NULL
            case Open(name=name, default=default):
                given = self.environment.get(name, slot.type)
                return (
                    given
                    if default is None
                    else join((given, self.source(default, slot.type)), self.types)
                )
            case source:
                return self.source(source, slot.type)

    def check(self, slot: Slot) -> None:
        """Whether what stands in a slot fits it."""
        expected = self.solver.apply(slot.type)
        item = item_type(slot.type, self.types)
        match slot.source:
            case None:
                return
            case Sequence(items=items) if item is not None:
                wanted = self.solver.apply(item)
                for index, inner in enumerate(items):
                    with self.narrowing(slot, index):
                        self.stands(inner, wanted, slot, ("slot", slot.declaration.name, index))
            case Open(default=default):
                if default is not None:
                    self.stands(default, expected, slot, ("slot", slot.declaration.name))
            case source:
                with self.narrowing(slot):
                    self.stands(source, expected, slot, ("slot", slot.declaration.name))

    def stands(self, source: Source, expected: Type, slot: Slot, key: GuardKey) -> None:
        """Check one value against the type it must be of."""
        if isinstance(source, Constant):
            wanted = (
                Named(self.row.root.id) if self.constructs and expected == ANY else expected
            )
            self.literal(source, wanted, slot.name)
            return
        if isinstance(source, Wrap) or as_callable(expected, self.types) is not None:
            return
        actual = self.source(source, expected)
        if self.constructs and expected == ANY:
            self.constructed(source, actual, slot)
            return
        found = fit(actual, expected, self.types)
        if found.verdict is Verdict.GUARD:
            self.guard(
                key, expected, Unproved(subject(source, self.program), actual, source.place)
            )
        elif not found:
            what = describe(source, actual, self.program)
            fixed = self.solver.fixed_by.get(_variable(slot.declaration.type) or "")
            self.report(
                mismatch(found, source.place, slot.name, expected, what, fixed_by=fixed)
            )

    @property
    def constructs(self) -> bool:
        """Whether the row is made from a type row that checks one value of any kind."""
        root = self.row.root
        body = self.types.get(root.id)
        return root.kind is RowKind.TYPE and not isinstance(body, (Record, ListOf, Callable))

    def constructed(self, source: Source, actual: Type, slot: Slot) -> None:
        """What a type row is to check may be anything, but for what it can only refuse."""
        wanted = Named(self.row.root.id)
        if disjoint(actual, wanted, self.types):
            found = fit(actual, wanted, self.types)
            what = describe(source, actual, self.program)
            self.report(mismatch(found, source.place, slot.name, wanted, what))

    def literal(self, source: Constant, expected: Type, name: str) -> None:
        if as_callable(expected, self.types) is not None and source.value is not None:
            return
        violations = self.inference.contracts.violations(expected, source.value)
        if not violations:
            return
        found = fit(type_of(source.value), expected, self.types)
        code = found.code
        if code == "type-mismatch" and self.refused_by_refinement(source.value, expected):
            code = "refinement-violated"
        secret = holds_secret(expected, self.types)
        self.report(wrong_literal(code, source, name, expected, violations, secret=secret))

    def refused_by_refinement(self, value: object, expected: Type) -> bool:
        return not self.inference.contracts.violations(_stripped(expected, self.types), value)

    # -- sources
    # ---------------------------------------------------------------------------------

    def source(self, source: Source, expected: Type) -> Type:
        match source:
            case Constant(value=value):
                return type_of(value)
            case Use():
                return self.use(source)
            case Wrap():
                callable_ = as_callable(expected, self.types)
                return self.wrap(source, callable_) if callable_ else ANY
            case Open(name=name, default=default):
                given = self.name(name) if name not in self.unknown else source.type
                if default is None:
                    return given
                return join((given, self.source(default, expected)), self.types)
            case Sequence(items=items):
                item = item_type(expected, self.types) or ANY
                return ListOf(join((self.source(i, item) for i in items), self.types))

    def name(self, name: str) -> Type:
        """The type of a name that references draw on."""
        if name in self.overrides:
            return self.overrides[name]
        feed = self.row.feeds.get(name)
        if feed is None:
            found = self.environment.get(name)
            if found is None:
                parameter = self.row.interface.get(name)
                found = ANY if parameter is None else parameter.type
            return found
        if name not in self.feeds:
            self.feeds[name] = ANY
            self.feeds[name] = self.handed_over(feed.source, feed.type)
            if isinstance(feed.source, Constant):
                self.literal(feed.source, feed.type, name)
        return self.feeds[name]

    def handed_over(self, source: Source, expected: Type) -> Type:
        """The type of what stands for a name of another row: the variables in what is expected
        are those of another signature, not of this row's.
        """
        own, self.solver = self.solver, Solver(self.types)
        try:
            return self.source(source, expected)
        finally:
            self.solver = own

    def use(self, ref: Use) -> Type:
        override = self.overrides.get(ASKED + ref.target)
        if override is not None:
            known = replace(self.inference.row(ref.target), result=override)
            self.references[ref.place] = ref, known
            return override
        typed = self.inference.instance(ref.target, self.captured(ref))
        self.references[ref.place] = ref, typed
        self.adopt(typed, ref)
        return typed.result

    def captured(self, ref: Use | Wrap) -> dict[str, Type]:
        """The types of what a reference hands to the row it refers to, each checked."""
        received = ref.receivers if isinstance(ref, Wrap) else ()
        wanted = self.inference.row(ref.target).parameters
        found: dict[str, Type] = {}
        if self.program.rows[ref.target].inline:
            found.update({n: t for n, t in self.overrides.items() if n[0] == ASKED})
        for name, expected in wanted.items():
            if name in received:
                continue
            opened = ref.renamed.get(name)
            outer = name if opened is None else opened.name
            is_fed = outer in self.row.feeds
            if not is_fed and outer not in self.environment:
                if opened is not None and opened.default is not None:
                    found[name] = self.handed_over(opened.default, expected)
                continue
            actual = self.name(outer)
            if opened is not None and opened.default is not None:
                default = self.handed_over(opened.default, expected)
                actual = join((actual, default), self.types)
            found[name] = self.handed(ref, name, actual, expected, outer)
        return found

    def handed(
        self, ref: Use | Wrap, name: str, actual: Type, expected: Type, outer: str
    ) -> Type:
        """What an argument of a reference is taken to be, after its check."""
        verdict = fit(actual, expected, self.types)
        if verdict:
            return actual
        feed = self.row.feeds.get(outer)
        if verdict.verdict is Verdict.GUARD:
            key = (ref.place.row, *ref.place.path, "to", name)
            if feed is None:
                why = Unproved(f"the argument :{outer}", actual, ref.place)
            else:
                what = subject(feed.source, self.program)
                why = Unproved(what, actual, feed.source.place)
            self.guard(key, expected, why)
        elif feed is not None and isinstance(feed.source, Constant):
            self.literal(feed.source, expected, outer)
        else:
            place = ref.place if feed is None else feed.source.place
            what = f":{outer} is {actual}"
            if feed is not None:
                what = describe(feed.source, actual, self.program)
            target = self.program.rows[ref.target].name
            code = "argument-conflict" if feed is None else None
            self.report(mismatch(verdict, place, name, expected, what, of=target, code=code))
        return expected

    # -- callables
    # -------------------------------------------------------------------------------

    def call(self, slots: list[Slot]) -> None:
        """Go through the callables until what they give no longer changes what they are
        given.
        """
        before: dict[str, Type] = {}
        for _ in range(ROUNDS):
            before = dict(self.solver.known)
            for slot in slots:
                self.callable(slot)
            if self.solver.known == before:
                return
        for name, type_ in self.solver.known.items():
            if before.get(name) != type_:
                self.solver.known[name] = ANY
        for slot in slots:
            self.callable(slot)

    def callable(self, slot: Slot) -> None:
        wanted = as_callable(slot.declaration.type, self.types) or as_callable(
            slot.type, self.types
        )
        narrowed = as_callable(slot.type, self.types)
        if wanted is None or narrowed is None:
            return
        match slot.source:
            case Wrap() as ref:
                given: Type = self.wrap(ref, wanted if variables(narrowed) else narrowed)
            case None if slot.name in self.environment:
                given = self.environment[slot.name]
            case Open(name=name) if name in self.environment:
                given = self.environment[name]
            case Use() as ref:
                given = self.use(ref)
            case _:
                return
        self.actual[slot.declaration.name] = given
        members = given.members if isinstance(given, Union) else (given,)
        for each in members:
            if isinstance(each, Callable):
                self.called(slot, each, wanted, narrowed)

    def called(self, slot: Slot, given: Callable, wanted: Callable, narrowed: Callable) -> None:
        """What one callable, of those that may stand in a slot, takes and gives."""
        self.parameters_fit(slot, given, wanted)
        self.solver.learn(wanted.result, given.result, slot.name)
        expected = self.solver.apply(narrowed.result)
        found = fit(given.result, expected, self.types)
        if found.verdict is Verdict.DIFFERS and slot.source is not None:
            what = f"its result is {given.result}"
            self.report(mismatch(found, slot.source.place, slot.name, expected, what))

    def parameters_fit(self, slot: Slot, given: Callable, wanted: Callable) -> None:
        """Whether a callable that comes from elsewhere can take what it is called with."""
        if isinstance(slot.source, Wrap):
            return
        if isinstance(slot.source, Use) and len(given.parameters) != len(wanted.parameters):
            what = describe(slot.source, given, self.program)
            found = fit(given, wanted, self.types)
            self.report(mismatch(found, slot.source.place, slot.name, wanted, what))
            return
        pairs = zip(given.parameters, wanted.parameters, strict=False)
        for (name, theirs), (_, mine) in pairs:
            found = fit(self.solver.apply(mine), theirs, self.types)
            if found.verdict is Verdict.DIFFERS:
                what = f"it is called with {self.solver.apply(mine)}"
                place = slot.source.place if slot.source else slot.place
                self.report(mismatch(found, place, name, theirs, what, of=slot.name))

    def wrap(self, ref: Wrap, wanted: Callable) -> Callable:
        """The callable that a row makes, given what it will be called with."""
        target = self.inference.row(ref.target)
        environment = self.captured(ref)
        given: list[tuple[str, Type]] = []
        for (parameter, type_), receiver in zip(wanted.parameters, ref.receivers, strict=True):
            known = self.handed_by_call(type_, target, receiver)
            given.append((parameter, known))
            if receiver is not None:
                expected = target.parameters[receiver]
                environment[receiver] = self.received(ref, parameter, receiver, known, expected)
        typed = self.inference.instance(ref.target, environment)
        self.references[ref.place] = ref, typed
        self.adopt(typed, ref)
        return Callable(tuple(given), typed.result)

    def handed_by_call(self, type_: Type, target: Typed, receiver: str | None) -> Type:
        """The type of a call's parameter; a variable that nothing fixes takes what is asked."""
        open_ = variables(type_) - self.solver.known.keys()
        if open_ and receiver is not None and not isinstance(type_, Callable):
            self.solver.learn(type_, target.parameters[receiver], receiver)
        unknown = NEVER if isinstance(type_, Callable) else ANY
        return self.solver.apply(type_, unknown)

    def received(
        self, ref: Wrap, parameter: str, receiver: str, given: Type, expected: Type
    ) -> Type:
        verdict = fit(given, expected, self.types)
        if verdict:
            return given
        if verdict.verdict is Verdict.GUARD:
            key = (ref.place.row, *ref.place.path, "to", receiver)
            self.guard(key, expected, Unproved(f":{parameter} of the call", given, ref.place))
            return expected
        name = self.program.rows[ref.target].name
        hint = (
            f"Narrow or rename :{receiver} in :{name}."
            if receiver == parameter
            else f"Bind :{receiver} in :{name} to ignore what the call hands over, or open a "
            f"slot under that name with {{:as :{parameter}}}."
        )
        self.report(
            Finding(
                verdict.code,
                ref.place,
                f":{name} is called with :{parameter} ({given}), which would go to its "
                f":{receiver}, and that takes {expected}",
                hint,
            )
        )
        return expected

    # -- narrowing by a guard
    # --------------------------------------------------------------------

    @contextmanager
    def narrowing(self, slot: Slot, index: int | None = None) -> Iterator[None]:
        """In an arm that a direct `some?` or `nil?` guards, what it asks about is not nil."""
        before = dict(self.overrides)
        self.overrides.update(self.known_in(slot, index))
        yield
        self.overrides = before

    def known_in(self, slot: Slot, index: int | None) -> dict[str, Type]:
        name = self.row.root.id
        slots = {s.declaration.name: s for s in self.row.slots}
        if name == "core.logic/if" and slot.declaration.name in ("then", "else"):
            return self.asked(slots["test"].source, slot.declaration.name == "then")
        if name == "core.logic/cond" and index is not None:
            clauses = slot.source
            found: dict[str, Type] = {}
            if isinstance(clauses, Sequence):
                for test in range(0, index - index % 2, 2):
                    found.update(self.asked(clauses.items[test], holds=False))
                if index % 2:
                    found.update(self.asked(clauses.items[index - 1], holds=True))
            return found
        return {}

    def asked(self, test: Source | None, holds: bool) -> dict[str, Type]:
        """What is known to be not nil when `test` holds, or does not."""
        if not isinstance(test, Use):
            return {}
        target = self.program.resolved[test.target]
        wanted = {"core.logic/some?": True, "core.logic/nil?": False}.get(target.root.id)
        if wanted is None or wanted is not holds:
            return {}
        [slot] = target.slots
        match slot.source:
            case None:
                opened = test.renamed.get(slot.name)
                outer = slot.name if opened is None else opened.name
                return {outer: without_null(self.name(outer))}
            case Use(target=asked) as ref if not self.program.resolved[asked].interface:
                return {ASKED + asked: without_null(self.use(ref))}
            case Use(target=asked) as ref if not ref.renamed and not test.renamed:
                return {ASKED + asked: without_null(self.use(Use(asked, ref.place)))}
        return {}

    # -- findings
    # --------------------------------------------------------------------------------

    def guard(self, key: GuardKey, expected: Type, why: Unproved) -> None:
        """Note a value that is checked when it comes."""
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
            finding = finding.at(place, self.program.rows[finding.place.row].name)
        self.findings.setdefault((finding.code, finding.place), finding)

    def findings_of(self, row: str) -> tuple[Finding, ...]:
        return self.inference.row(row).findings

    def adopt(self, typed: Typed, ref: Use | Wrap) -> None:
        """What is wrong with a row only as this reference uses it is wrong at the reference."""
        target = self.program.rows[ref.target]
        known = {f.origin for f in self.findings_of(ref.target)}
        for finding in typed.findings:
            if target.inline:
                self.findings.setdefault((finding.code, finding.place), finding)
            elif finding.origin not in known:
                self.report(finding.at(ref.place, target.name))


def _variable(type_: Type) -> str | None:
    names = variables(type_)
    return next(iter(names)) if len(names) == 1 else None


def _stripped(type_: Type, types: Mapping[str, Type]) -> Type:
    """`type_` without its refinements, as far as its outermost parts go."""
    from graphden.model.types import Refined, Union

    match type_:
        case Named(row):
            return _stripped(types.get(row, ANY), types)
        case Refined(base, _):
            return _stripped(base, types)
        case Union(members):
            return Union(tuple(_stripped(member, types) for member in members))
    return type_
