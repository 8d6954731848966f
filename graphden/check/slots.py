"""Whether what stands in the slots of a row fits them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphden.check.clauses import paired_clauses
from graphden.check.demands import unmet
from graphden.check.findings import Finding, describe, mismatch, short, subject
from graphden.check.fit import disjoint, fit
from graphden.check.guarded import known_in
from graphden.check.hidden import flows_out
from graphden.check.references import References
from graphden.check.solve import variables
from graphden.check.typed import Unproved
from graphden.check.values import join, type_of
from graphden.check.verdicts import Verdict
from graphden.model.plan import GuardKey
from graphden.model.resolved import Constant, Open, Sequence, Slot, Source, Use, Wrap
from graphden.model.rows import RowKind
from graphden.model.types import ANY, NULL, Callable, ListOf, Named, Record, Type
from graphden.resolve import as_callable, item_type


class Slots(References):
    """A row with its slots for values; those for callables are gone through in `Analysis`."""

    def data(self, slot: Slot) -> None:
        """Learn what a slot that takes a value tells of the variables."""
        if slot.source is None and slot.name in self.unknown:
            if slot.name in self.absent:
                return
            if variables(self.environment[slot.name]):
                self.actual[slot.declaration.name] = ANY  # whatever a caller will give
                return
        actual = self.value(slot)
        if actual is None:
            return
        self.actual[slot.declaration.name] = actual
        self.solver.learn(slot.declaration.type, actual, slot.name)

    def value(self, slot: Slot) -> Type | None:
        """What a slot holds; None when it must be given, and is not."""
        match slot.source:
            case None:
                given = self.environment.get(slot.name)
                if given is None or slot.name in self.absent:
                    return self.declared(slot)
                return self.or_declared(slot, slot.name, given)
            case Open(name=name, default=default):
                given = self.environment.get(name, slot.type)
                if default is None:
                    return self.or_declared(slot, name, given)
                given = join((given, self.source(default, slot.type)), self.types)
                return self.as_taken(slot, given)
            case source:
                return self.as_taken(slot, self.source(source, slot.type))

    def as_taken(self, slot: Slot, given: Type) -> Type:
        """What of a value comes in: it is checked when it comes, or wrong and said so
        elsewhere.
        """
        if variables(slot.type):
            return given
        taken = fit(given, slot.type, self.types) and not self.becomes_secret(given, slot.type)
        return given if taken else slot.type

    def or_declared(self, slot: Slot, name: str, given: Type) -> Type:
        """What is given under a name, or what stands for it while it is not."""
        taken = self.as_taken(slot, given)
        if name not in self.optional and name not in self.absent:
            return taken
        declared = self.declared(slot)
        return taken if declared is None else join((taken, declared), self.types)

    def declared(self, slot: Slot) -> Type | None:
        """What a slot holds that is not given."""
        declaration = slot.declaration
        if declaration.has_default:
            return type_of(declaration.default)
        return None if declaration.required else NULL

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
                        self.item(inner, wanted, slot, ("slot", slot.declaration.name, index))
            case Open(default=default):
                if default is not None:
                    self.stands(default, expected, slot, ("slot", slot.declaration.name))
            case source:
                with self.narrowing(slot):
                    self.stands(source, expected, slot, ("slot", slot.declaration.name))

    def demands(self) -> None:
        """Whether the base function can take what the types of its slots allow."""
        for finding in paired_clauses(self.row, self.actual.get("value", ANY), self.types):
            self.report(finding)
        slots = {slot.declaration.name: slot for slot in self.row.slots}
        root = self.program.resolved[self.row.root.id]
        for name, declared, found in flows_out(root, self.actual, self.types):
            slot, actual = slots[name], self.actual[name]
            place = slot.place if slot.source is None else slot.source.place
            self.report(mismatch(found, place, slot.name, declared, f"it is {short(actual)}"))
        has_path = "path" in slots and _is_filled(slots["path"].source)
        for name, takes in unmet(self.row.root.id, self.actual, self.types, has_path=has_path):
            slot, actual = slots[name], self.actual[name]
            what = f"it is {actual}"
            if slot.source is not None:
                what = describe(slot.source, actual, self.program)
            place = slot.place if slot.source is None else slot.source.place
            message = f":{slot.name} takes {takes}, and {what}"
            hint = f"Give :{slot.name} {takes}."
            self.report(Finding("type-mismatch", place, message, hint))

    def item(self, item: Source, wanted: Type, slot: Slot, key: GuardKey) -> None:
        """Check an item, which may say more of its type than its list."""
        if isinstance(item, Constant | Use | Wrap):
            wanted = item.type or wanted
        self.stands(item, wanted, slot, key)
        if isinstance(item, Open) and item.default is not None and item.type != wanted:
            self.stands(item.default, item.type, slot, key)

    def stands(self, source: Source, expected: Type, slot: Slot, key: GuardKey) -> None:
        """Check one value against the type it must be of."""
        if isinstance(source, Constant):
            wanted = (
                Named(self.row.root.id) if self.constructs and expected == ANY else expected
            )
            self.literal(source, wanted, slot.name)
            return
        called = as_callable(expected, self.types)
        if isinstance(source, Wrap) and called is not None:
            self.gives(source, called, slot)
        if isinstance(source, Wrap) or called is not None:
            return
        actual = self.source(source, expected)
        if self.constructs and expected == ANY:
            self.constructed(source, actual, slot)
            return
        found = fit(actual, expected, self.types)
        if found.verdict is Verdict.GUARD or (found and self.becomes_secret(actual, expected)):
            self.guard(
                key, expected, Unproved(subject(source, self.program), actual, source.place)
            )
        elif not found:
            what = describe(source, actual, self.program)
            fixed = self.solver.fixed_by.get(_variable(slot.declaration.type) or "")
            self.report(
                mismatch(found, source.place, slot.name, expected, what, fixed_by=fixed)
            )

    def gives(self, source: Wrap, called: Callable, slot: Slot) -> None:
        """Whether one of several callables gives what it is to give."""
        if variables(called.result) or slot.source is source:
            return
        given = self.source(source, called)
        if not isinstance(given, Callable):
            return
        found = fit(given.result, called.result, self.types)
        if found.verdict is Verdict.DIFFERS:
            what = f"its result is {given.result}"
            self.report(mismatch(found, source.place, slot.name, called.result, what))

    @property
    def constructs(self) -> bool:
        """Whether the row is made from a type row that checks one value of any kind."""
        root = self.row.root
        body = self.types.get(root.id)
        return root.kind is RowKind.TYPE and not isinstance(body, (Record, ListOf, Callable))

    def constructed(self, source: Source, actual: Type, slot: Slot) -> None:
        """What a type row is to check may be anything, but for what it can only refuse."""
        wanted = Named(self.row.root.id)
        found = fit(actual, wanted, self.types)
        if found.code == "secret-flow" or disjoint(actual, wanted, self.types):
            what = describe(source, actual, self.program)
            self.report(mismatch(found, source.place, slot.name, wanted, what))

    @contextmanager
    def narrowing(self, slot: Slot, index: int | None = None) -> Iterator[None]:
        """In an arm that a direct `some?` or `nil?` guards, what it asks about is not nil."""
        before = self.overrides
        self.overrides = {**before, **known_in(self, slot, index)}
        yield
        self.overrides = before


def _is_filled(source: Source | None) -> bool:
    match source:
        case Constant(value=value):
            return bool(value)
        case Sequence(items=items):
            return bool(items)
    return False


def _variable(type_: Type) -> str | None:
    names = variables(type_)
    return next(iter(names)) if len(names) == 1 else None
