"""One row, analysed in one environment."""

from __future__ import annotations

from graphden.check.findings import Finding, describe, mismatch
from graphden.check.fit import Verdict, disjoint, fit, holds_secret, narrower
from graphden.check.shapes import result_of
from graphden.check.slots import Slots
from graphden.check.solve import variables
from graphden.check.typed import Typed, Unproved
from graphden.model.resolved import Open, Place, Slot, Use, Wrap
from graphden.model.rows import RowKind
from graphden.model.types import ANY, Callable, Named, Secret, Type, Union
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
