"""All rows of a graph, resolved: each once, after what it needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

from graphden.errors import Notes, Problem, Span
from graphden.model.resolved import Parameter, Place, Program, ResolvedRow, Slot
from graphden.model.rows import Name, Row, RowKind, SlotDeclaration
from graphden.model.types import ANY, Callable, ListOf, Named, Record, Type, Unresolved
from graphden.resolve.circling import circle_of_rows, circle_of_types
from graphden.resolve.derive import Derivation
from graphden.resolve.edits import Resolution, means, stale
from graphden.resolve.merging import merge
from graphden.resolve.names import Names, Role, inline_rows, names_of
from graphden.resolve.naming import NESTED, circles, nested_too_deep, with_names
from graphden.resolve.order import in_order
from graphden.resolve.types import Narrower
from graphden.resolve.wiring import Wiring

GENERATIONS = 4_000
"""How many rows a row may come from, one from the other."""

CIRCLE = 1_000
"""How many rows of a circle are followed."""

CIRCLES = 100
"""How many circles are told of rows that need each other: they may be as many as the names in
these rows.
"""


def resolve(
    rows: Iterable[Row], narrower: Narrower, before: Resolution | None = None
) -> Resolution:
    """The program that `rows` make, and every problem in it.

    What an edit of the rows of `before` did not reach is taken from there; unchanged rows must
    be the same objects.
    """
    names = Names(rows, None if before is None else before.names)
    again = names.written.keys() if before is None else stale(before, names)
    resolver = Resolver(names, narrower, before, again)
    fresh = [row_id for row_id in names.written if row_id in again]
    for row_id in (*in_order(fresh, resolver.needs), *fresh):
        resolver.get(row_id)
    return resolver.resolution()


class Resolver:
    """Resolves rows on demand, each once, but for those not to be resolved `again`.

    `incomplete` are the rows that have a problem, or need a row that has one: what they lack
    may be no mistake of those who use them.
    """

    def __init__(
        self,
        names: Names,
        narrower: Narrower,
        before: Resolution | None,
        again: AbstractSet[str],
    ) -> None:
        self.names = names
        self.narrower = narrower
        self.spelling = names.spelling
        self.types: dict[str, Type] = {}
        self.incomplete: set[str] = set()
        self._problems: dict[str, list[Problem]] = {}
        self._looked_up: dict[str, dict[str, tuple[str, ...]]] = {}
        self._resolved: dict[str, ResolvedRow | None] = {}
        self._stack: list[str] = []
        self._kept: frozenset[str] = frozenset()
        self._gone: frozenset[str] = frozenset()
        self._said_endless = False
        self._circling: set[str] = set()
        self._told: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        if before is not None:
            self._keep(before, again)
        for row_id, row in names.written.items():
            if row.type is not None and row_id in again:
                self.types[row_id] = self.type(row.type, row)
        self._check_types()

    def _keep(self, before: Resolution, again: AbstractSet[str]) -> None:
        """Take from `before` what is not resolved `again`."""
        was = before.names.written
        rows = [was[row_id] for row_id in again if row_id in was]
        self._gone = frozenset(each.id for row in rows for each in (row, *inline_rows(row)))
        resolved = before.program.resolved
        self._resolved = {k: v for k, v in resolved.items() if k not in self._gone}
        self._resolved.update(dict.fromkeys(before.unresolved - self._gone))
        self._kept = frozenset(self._resolved)
        self.types = {k: v for k, v in before.program.types.items() if k not in self._gone}
        self.incomplete = set(before.incomplete - self._gone)
        self._problems = {k: list(v) for k, v in before.problems.items() if k not in again}
        self._looked_up = {k: v for k, v in before.looked_up.items() if k not in again}

    def resolution(self) -> Resolution:
        """What was resolved."""
        resolved = {key: value for key, value in self._resolved.items() if value is not None}
        return Resolution(
            Program(self.names.rows, resolved, self.types),
            self.names,
            tuple(self._duplicates()),
            {key: tuple(dict.fromkeys(value)) for key, value in self._problems.items()},
            self._looked_up,
            frozenset(self.incomplete),
            frozenset(self._resolved.keys() - resolved.keys()),
            frozenset(resolved.keys() - self._kept),
            self._gone,
        )

    def _duplicates(self) -> Iterator[Problem]:
        for first, second in self.names.duplicates:
            yield Problem(
                "duplicate-row",
                f":{second.id} is already defined at {first.span}",
                "Rename one of them, or put it into another namespace.",
                second.owner,
                second.name_span,
                notes=(("first defined here", first.name_span),),
            )

    def problem(
        self, code: str, row: Row, span: Span, message: str, hint: str, *, notes: Notes = ()
    ) -> None:
        """Note a structural problem."""
        self._note(row, Problem(code, message, hint, row.owner, span, notes=notes))

    def _note(self, row: Row, *problems: Problem) -> None:
        if problems:
            self._problems.setdefault(row.written, []).extend(problems)

    def find(self, name: Name, by: Row) -> Row | None:
        """The row that a reference means, its absence noted."""
        return self._find(name, by, Role.REFERENCE)

    def _find(self, name: Name, by: Row, role: Role) -> Row | None:
        self._look_up(name, by)
        found = self.names.find(name, by, role)
        if isinstance(found, Problem):
            self._note(by, found)
            return None
        return found

    def _look_up(self, name: Name, by: Row) -> None:
        looked_up = self._looked_up.setdefault(by.written, {})
        if name.text not in looked_up:
            looked_up[name.text] = means(self.names, name.text, by)

    def needs(self, row_id: str) -> Iterator[str]:
        """The rows that a row may need, as far as its text says."""
        row = self.names.rows[row_id]
        for name in names_of(row):
            for found in self.names.candidates(name.text, row):
                if found.id not in self._resolved:
                    yield found.id

    def get(
        self, row_id: str, at: Span | None = None, by: Row | None = None
    ) -> ResolvedRow | None:
        """The resolved row; None while it is being resolved, or when it cannot be.

        `by` is the row that needs it and `at` the place: a circle is reported there.
        """
        if row_id in self._resolved:
            return self._resolved[row_id]
        row = self.names.rows[row_id]
        if row_id in self._stack:
            self._cycle(row_id, by or row, at or row.span)
            return None
        if len(self._stack) == CIRCLE:
            self._endless(row, at or row.span)
            return None
        self._stack.append(row_id)
        try:
            resolved = self._resolve(row)
            if row_id in self._circling:
                resolved = None  # none of a circle comes before the others
            if resolved is None or row_id in self.incomplete:
                # It may not have come to all its names, and depends on them nevertheless.
                for name in names_of(row):
                    self._look_up(name, row)
        finally:
            self._stack.pop()
        self._resolved[row_id] = resolved
        return resolved

    def _endless(self, row: Row, at: Span) -> None:
        """All that a row needs is resolved before it, but in a circle; this one is long."""
        if not self._said_endless:
            self._said_endless = True
            self.problem(
                "cycle",
                row,
                at,
                f":{row.owner} needs itself, through more than {CIRCLE:,} rows",
                "A row cannot reach itself through parents or references.",
            )
        self.incomplete.add(row.id)
        self._resolved[row.id] = None

    def _cycle(self, row_id: str, by: Row, at: Span) -> None:
        circle = [*self._stack[self._stack.index(row_id) :], row_id]
        self._circling.update(circle)
        self.incomplete.update(circle)
        # All rows that need each other are resolved below the first of them.
        told = self._told[self._stack[0]]
        if len(told) < CIRCLES and (step := (by.owner, row_id)) not in told:
            told.add(step)
            self._note(by, circle_of_rows(circle, by, at, self.names))

    def _check_types(self) -> None:
        for count, circle in enumerate(list(circles(self.types))):
            self.types.update((row_id, ANY) for row_id in circle)
            if count < CIRCLES:
                rows = [self.names.rows[row_id] for row_id in circle]
                self._note(rows[0], circle_of_types(rows))
        first, deep = nested_too_deep(self.types)
        for row in map(self.names.rows.__getitem__, first):
            self.problem(
                "bad-row",
                row,
                row.name_span,
                f"the type :{row.name} is nested more than {NESTED} levels deep, through types "
                "that it names",
                "Leave out some of the types between.",
            )
        self.types.update((row_id, ANY) for row_id in deep)
        self.incomplete |= deep

    def _resolve(self, row: Row) -> ResolvedRow | None:
        match row.kind:
            case RowKind.BASE:
                return self._base(row)
            case RowKind.TYPE:
                return self._type_row(row)
            case RowKind.FUNCTION:
                return self._function(row)

    def _function(self, row: Row) -> ResolvedRow | None:
        parents: list[ResolvedRow] = []
        for name in row.parents:
            found = self._find(name, row, Role.PARENT)
            resolved = None if found is None else self.get(found.id, name.span, row)
            if resolved is not None:
                parents.append(resolved)
        if not parents or len(parents) < len(row.parents):
            return None
        if any(self._generations(parent) > GENERATIONS for parent in parents):
            self.problem(
                "bad-row",
                row,
                row.parents[0].span,
                f":{row.name} comes from more than {GENERATIONS:,} rows, one from the other",
                "Derive it from one of the first of them.",
            )
            return None
        wiring = Wiring(self, row, incomplete=any(p.id in self.incomplete for p in parents))
        base = parents[0] if len(parents) == 1 else merge(wiring, parents, row.parents)
        derived = None
        if base is not None:
            base = replace(base, parents=tuple(parent.id for parent in parents))
            derived = Derivation(wiring, base).finish()
        self._note(row, *wiring.problems)
        if row.flawed or wiring.incomplete or any(p.structural for p in wiring.problems):
            self.incomplete.add(row.id)
        return derived

    def _generations(self, row: ResolvedRow) -> int:
        count = 0
        found: ResolvedRow | None = row
        while found is not None and found.parents and len(row.chain) > GENERATIONS:
            count += 1
            found = self._resolved.get(found.parents[0])
        return count

    def _base(self, row: Row) -> ResolvedRow:
        if row.package is None:
            # It has no body, and that is said of it; what it declares is beside the point.
            self.incomplete.add(row.id)
            return self._root(row, [replace(slot, type=ANY) for slot in row.slots], ANY)
        slots = [replace(slot, type=self.type(slot.type, row)) for slot in row.slots]
        result = ANY if row.return_type is None else self.type(row.return_type, row)
        return self._root(row, slots, result)

    def _type_row(self, row: Row) -> ResolvedRow:
        """A type row as a parent: a record builds the map of its fields, a refinement gives its
        `:value`, a list its `:items` (LANGUAGE 2.4).
        """
        body = self.types[row.id]

        def slot(name: str, type_: Type, *, required: bool = True) -> SlotDeclaration:
            return SlotDeclaration(name, type_, row.span, required)

        match body:
            case Record(fields):
                slots = [slot(f.name, f.type, required=f.required) for f in fields]
            case ListOf():
                slots = [slot("items", body)]
            case Callable():
                slots = [slot("value", body)]
            case _:
                slots = [slot("value", ANY)]  # what is looked at need not be it already
        return self._root(row, slots, Named(row.id))

    def _root(self, row: Row, slots: list[SlotDeclaration], result: Type) -> ResolvedRow:
        places = {d.name: Place(row.id, (d.name,), d.span) for d in slots}
        return ResolvedRow(
            row=row,
            chain=(row.id,),
            root=row,
            slots=tuple(Slot(d, d.name, d.type, d.required, places[d.name]) for d in slots),
            interface={
                d.name: Parameter(
                    d.name,
                    d.type,
                    d.required,
                    d.default,
                    d.has_default,
                    (places[d.name],),
                    d.description,
                )
                for d in slots
            },
            effects=row.effects,
            result=result,
        )

    def type(self, type_: Type, row: Row) -> Type:
        """`type_` with every name of a type row looked up."""

        def look_up(written: Unresolved) -> Type:
            name = Name(written.name, written.span)
            found = self._find(name, row, Role.TYPE)
            if found is not None and found.kind is RowKind.TYPE:
                return Named(found.id)
            self.incomplete.add(row.id)
            if found is None:
                return ANY
            self.problem(
                "unknown-type",
                row,
                written.span,
                f":{written.name} is a row, but not a type",
                "A type is a primitive such as :int, or a type row.",
                notes=((f"this is :{found.name}", found.name_span),),
            )
            return ANY

        return with_names(type_, look_up)
