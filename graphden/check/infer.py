"""What type each row gives, and where a binding does not fit its slot (LANGUAGE 8.4, 8.5).

A row is analysed once as it stands, its arguments of their declared types, and again wherever a
reference binds some of them more narrowly. What variables stand for is solved for each use.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable as Function
from collections.abc import Set as AbstractSet
from functools import partial
from typing import TypeAlias

from graphden.check.analysis import Analysis
from graphden.check.contracts import Contracts
from graphden.check.fit import narrower
from graphden.check.solve import variables
from graphden.check.typed import Environment, Typed
from graphden.model.resolved import Open, Program, ResolvedRow, Sequence, Source, Use, Wrap
from graphden.model.rows import RowKind
from graphden.model.types import Named, Type
from graphden.read.problems import Spelling

MOST = 3_000
"""How many types of arguments one row is analysed with, all its uses together. What uses it
with yet other types gets what it gives as it stands.
"""

DEEPEST = 40
"""How many rows are analysed inside each other's analysis. The stack of Python holds no more
than some hundreds, and references may lead on through thousands of rows.
"""


_Instance: TypeAlias = tuple[str, tuple[tuple[str, Type], ...], frozenset[str]]
"""A row, the types of arguments, and which of them need not be given."""

Found: TypeAlias = tuple[dict[str, Typed], dict[_Instance, Typed], Counter[str]]
"""What was found of rows as they stand and of their uses, and how many types these had."""


class _First(Exception):  # noqa: N818 - no error: what must be done before what is being done
    """Something is to be found before the analyses that wait for it are begun again."""

    def __init__(self, find: Function[[], Typed]) -> None:
        super().__init__()
        self.find = find


class _Depth(threading.local):
    """How many analyses wait for another one on this thread."""

    analyses = 0


class Inference:
    """The types of all rows of a program, each found when it is first asked for."""

    def __init__(
        self, program: Program, contracts: Contracts, found: Found | None = None
    ) -> None:
        """The types of `program`, of which some may have been `found` already."""
        self.program = program
        self.contracts = contracts
        self.spelling = Spelling()
        self._rows, self._instances, self._given = found or ({}, {}, Counter())
        self._depth = _Depth()

    @property
    def found(self) -> Found:
        """All that was found until now."""
        return self._rows, self._instances, self._given

    def take(self, before: Inference, gone: AbstractSet[str], *, retyped: bool) -> None:
        """Take over what was found `before` of all rows but those `gone`; after type rows have
        changed (`retyped`), only what was found of rows as they stand.
        """
        rows = dict(before._rows)  # runs of the graph before may ask for more meanwhile
        self._rows.update((row, typed) for row, typed in rows.items() if row not in gone)
        given = dict(before._given)
        self._given.update({row: count for row, count in given.items() if row not in gone})
        if not retyped:
            instances = dict(before._instances)
            self._instances.update((k, v) for k, v in instances.items() if k[0] not in gone)

    @property
    def gave_up(self) -> bool:
        """Whether a row had too many uses: what they give depends on which came first."""
        return any(count > MOST for count in self._given.values())

    def row(self, row_id: str) -> Typed:
        """The types of a row as it stands."""
        found = self._rows.get(row_id)
        if found is None:
            found = self._found(partial(self._find_row, row_id))
        return found

    def _find_row(self, row_id: str) -> Typed:
        found = self._rows[row_id] = self._row(self.program.resolved[row_id])
        return found

    def instance(
        self, row_id: str, given: Environment, optional: frozenset[str] = frozenset()
    ) -> Typed:
        """The types of a row whose arguments are of the types in `given`, if those that are
        `optional` are given at all.
        """
        standing = self.row(row_id)
        optional &= standing.absent | standing.optional
        if (
            standing.absent.isdisjoint(given)
            and optional >= standing.optional & given.keys()
            and all(standing.parameters.get(name) == type_ for name, type_ in given.items())
        ):
            return standing
        key = (row_id, tuple(sorted(given.items(), key=lambda item: item[0])), optional)
        found = self._instances.get(key)
        if found is None:
            if self.program.rows[row_id].kind is RowKind.TYPE:
                return standing
            self._given[row_id] += len(given)
            if self._given[row_id] > MOST:
                known = {n: standing.parameters[n] for n in given if n in standing.parameters}
                if known != given:
                    return self.instance(row_id, known, optional)
            found = self._found(partial(self._find_instance, key, standing, given))
        return found

    def _find_instance(self, key: _Instance, standing: Typed, given: Environment) -> Typed:
        row_id, _, optional = key
        row = self.program.resolved[row_id]
        environment = {**standing.parameters, **given}
        absent = standing.absent - given.keys()
        optional |= standing.optional - given.keys()
        found = Analysis(
            self, row, environment, frozenset(), absent=absent, optional=optional
        ).run()
        self._instances[key] = found
        return found

    def _found(self, find: Function[[], Typed]) -> Typed:
        """What `find` finds; inside many others, first of all these, which then begin again."""
        depth = self._depth
        if depth.analyses == DEEPEST:
            raise _First(find)
        if depth.analyses:
            depth.analyses += 1
            try:
                return find()
            finally:
                depth.analyses -= 1
        waiting = [find]
        while True:
            depth.analyses = 1
            try:
                found = waiting[-1]()
            except _First as first:
                waiting.append(first.find)
            else:
                waiting.pop()
                if not waiting:
                    return found
            finally:
                depth.analyses = 0

    def _row(self, row: ResolvedRow) -> Typed:
        parameters = {name: p.type for name, p in row.interface.items()}
        if row.row.kind is RowKind.TYPE:
            return Typed(parameters, Named(row.id))
        unknown = frozenset(
            slot.name for slot in row.slots if slot.source is None and variables(slot.type)
        )
        absent = self._narrow(row, parameters)
        optional = frozenset(name for name, p in row.interface.items() if not p.required)
        optional -= absent
        return Analysis(self, row, parameters, unknown, absent=absent, optional=optional).run()

    def _narrow(self, row: ResolvedRow, parameters: dict[str, Type]) -> frozenset[str]:
        """Narrow the arguments as what the row refers to has narrowed them; those that need not
        be given, and that no row names.
        """
        types = self.program.types
        present = {name for name, p in row.interface.items() if p.required or p.default_known}
        visited: set[str] = set()

        def visit(source: Source) -> None:
            match source:
                case Sequence(items=items):
                    for item in items:
                        visit(item)
                case Open(name=name, default=default) if default is not None:
                    present.add(name)
                    visit(default)
                case Use(target=target) if target in visited and not source.renamed:
                    pass
                case Use(target=target) | Wrap(target=target):
                    if isinstance(source, Use) and not source.renamed:
                        visited.add(target)
                    received = source.receivers if isinstance(source, Wrap) else ()
                    for name, type_ in self.row(target).parameters.items():
                        opened = source.renamed.get(name)
                        outer = name if opened is None else opened.name
                        if name in received or outer in row.feeds or outer not in parameters:
                            continue
                        if name not in self.row(target).absent or opened:
                            present.add(outer)
                        mine = parameters[outer]
                        if mine is type_:
                            continue
                        parameters[outer] = narrower(mine, type_, types) or mine

        for slot in row.slots:
            if slot.source is not None:
                visit(slot.source)
            elif slot.name != slot.declaration.name or slot.type != slot.declaration.type:
                present.add(slot.name)
        for feed in row.feeds.values():
            visit(feed.source)
        return frozenset(row.interface.keys() - present)
