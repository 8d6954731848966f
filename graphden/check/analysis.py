"""One row, analysed in one environment."""

from __future__ import annotations

from collections.abc import Iterator

from graphden.check.bounded import bounded
from graphden.check.findings import Finding, describe, mismatch
from graphden.check.fit import disjoint, fit, holds_secret, narrower
from graphden.check.recursion import widen_input
from graphden.check.shapes import result_of
from graphden.check.slots import Slots
from graphden.check.solve import variables
from graphden.check.typed import Typed, Unproved
from graphden.check.values import alternatives, join
from graphden.check.verdicts import Verdict
from graphden.model.resolved import Open, Place, Slot, Source, Use, Wrap
from graphden.model.rows import RowKind
from graphden.model.types import ANY, Callable, Named, Secret, Type
from graphden.resolve import as_callable

ROUNDS = 5
"""How often a callable whose result feeds its own parameter (`reduce`, `fix`) is gone through
before its type is given up as any."""


class Analysis(Slots):
    """The types of a row, from its arguments to its result."""

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
        self.demands()
        for feed_name in row.feeds:
            self.name(feed_name)
        result = self.result()
        return Typed(
            self.parameters(),
            bounded(result, self.types),
            tuple(self.findings.values()),
            self.guards,
            self.reasons,
            tuple(self.references.values()),
            frozenset(self.doubted),
            self.absent,
            self.optional,
        )

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
            if self.becomes_secret(inferred, claim):
                place = Place(self.row.id, (), self.row.row.span)
                self.guard(("result",), claim, Unproved("what it computes", inferred, place))
                return claim
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
        if self.row.result is self.program.resolved[self.row.root.id].result:
            return None
        for row_id in self.row.chain:
            row = self.program.rows[row_id]
            if row.kind is RowKind.FUNCTION and row.return_type is not None:
                return self.program.resolved[row_id].result
        return None

    def call(self, slots: list[Slot]) -> None:
        """Go through the callables until what they give no longer changes what they are
        given.
        """
        for slot in slots:
            widen_input(self, slot)
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
        called_as = wanted if variables(narrowed) else narrowed
        found = list(self.standing(slot, called_as))
        for source, given in found:
            for each in alternatives(given, self.types):
                if isinstance(each, Callable):
                    self.called(slot, source, each, wanted, narrowed)
        if found:
            self.actual[slot.declaration.name] = join((each for _, each in found), self.types)

    def standing(self, slot: Slot, wanted: Callable) -> Iterator[tuple[Source | None, Type]]:
        """The callables that may stand in a slot; one that callers give has no source."""
        source = slot.source
        if source is None and slot.name in self.environment:
            yield None, self.environment[slot.name]
        if isinstance(source, Open):
            if source.name in self.environment:
                yield None, self.environment[source.name]
            source = source.default
        match source:
            case Wrap():
                yield source, self.wrap(source, wanted)
            case Use():
                yield source, self.use(source)

    def called(
        self,
        slot: Slot,
        source: Source | None,
        given: Callable,
        wanted: Callable,
        narrowed: Callable,
    ) -> None:
        """What one callable, of those that may stand in a slot, takes and gives."""
        self.parameters_fit(slot, source, given, wanted, narrowed)
        self.solver.learn(wanted.result, given.result, slot.name)
        expected = self.solver.apply(narrowed.result)
        found = fit(given.result, expected, self.types)
        if found.verdict is Verdict.DIFFERS and slot.source is not None:
            what = f"its result is {given.result}"
            self.report(mismatch(found, slot.source.place, slot.name, expected, what))

    def parameters_fit(
        self,
        slot: Slot,
        source: Source | None,
        given: Callable,
        wanted: Callable,
        narrowed: Callable,
    ) -> None:
        """Whether a callable can take what it is called with."""
        place = slot.source.place if slot.source else slot.place
        if isinstance(source, Use) and len(given.parameters) != len(wanted.parameters):
            what = describe(source, given, self.program)
            found = fit(given, wanted, self.types)
            self.report(mismatch(found, place, slot.name, wanted, what))
            return
        key = ("slot", slot.declaration.name)
        calls = zip(given.parameters, wanted.parameters, narrowed.parameters, strict=False)
        for (name, theirs), (_, mine), (_, said) in calls:
            handed = self.solver.apply(mine)
            if not variables(said):
                if self.must_be_looked_at(slot, name, handed, said):
                    checked = Callable(narrowed.parameters, ANY)
                    why = Unproved(f"what :{slot.name} is called with", handed, place)
                    self.guard(key, checked, why)
                handed = said
            if isinstance(source, Wrap):
                continue  # what the call hands over was looked at as it was wrapped
            if self.must_be_looked_at(slot, name, handed, theirs):
                if source is None:
                    opened = slot.source
                    self.doubted.add(opened.name if isinstance(opened, Open) else slot.name)
                else:
                    self.doubt(source, None if isinstance(slot.source, Open) else key, given)

    def must_be_looked_at(self, slot: Slot, name: str, handed: Type, takes: Type) -> bool:
        """Whether only the value can tell that a callable takes what it is called with."""
        found = fit(handed, takes, self.types)
        if found.verdict is Verdict.DIFFERS:
            what = f"it is called with {handed}"
            place = slot.source.place if slot.source else slot.place
            self.report(mismatch(found, place, name, takes, what, of=slot.name))
        return found.verdict is Verdict.GUARD
