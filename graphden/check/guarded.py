"""What a guard tells: in an arm that a direct `some?` or `nil?` guards, what it asks about is
known to be not nil.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphden.check.typed import ASKED
from graphden.check.values import without_null
from graphden.model.resolved import VOLATILE, Open, Sequence, Slot, Source, Use, Wrap
from graphden.model.types import Type

if TYPE_CHECKING:
    from graphden.check.references import References


def known_in(here: References, slot: Slot, index: int | None) -> dict[str, Type]:
    """What is known in a slot, or in one of its items, that is not known elsewhere."""
    name = here.row.root.id
    if name not in ("core.logic/if", "core.logic/cond"):
        return {}
    slots = {s.declaration.name: s for s in here.row.slots}
    if name == "core.logic/if" and slot.declaration.name in ("then", "else"):
        return asked(here, slots["test"].source, holds=slot.declaration.name == "then")
    if name == "core.logic/cond" and index is not None:
        clauses = slot.source
        found: dict[str, Type] = {}
        if isinstance(clauses, Sequence):
            for test in nil_tests(here, clauses):
                if test >= index - index % 2:
                    break
                found.update(asked(here, clauses.items[test], holds=False))
            if index % 2:
                found.update(asked(here, clauses.items[index - 1], holds=True))
        return found
    return {}


def nil_tests(here: References, clauses: Sequence) -> list[int]:
    """The tests among clauses that ask `nil?`, by their indexes: what is known after them."""
    found = here.nil_tests.get(id(clauses))
    if found is None:
        found = here.nil_tests[id(clauses)] = [
            index
            for index, test in list(enumerate(clauses.items))[::2]
            if isinstance(test, Use)
            and here.program.resolved[test.target].root.id == "core.logic/nil?"
        ]
    return found


def asked(here: References, test: Source | None, *, holds: bool) -> dict[str, Type]:
    """What is known to be not nil when `test` holds, or does not."""
    if not isinstance(test, Use):
        return {}
    target = here.program.resolved[test.target]
    wanted = {"core.logic/some?": True, "core.logic/nil?": False}.get(target.root.id)
    if wanted is None or wanted is not holds:
        return {}
    [slot] = target.slots
    match slot.source:
        case None:
            opened = test.renamed.get(slot.name)
            outer = slot.name if opened is None else opened.name
            # What feeds the name may run anew, in callables for all effects, and give another.
            if not fed_effects(here, outer):
                return {outer: without_null(here.name(outer))}
        case Use(target=asked) as ref:
            row = here.program.resolved[asked]
            if VOLATILE & row.effects.union(*(fed_effects(here, n) for n in row.interface)):
                return {}
            if not row.interface:
                return {ASKED + asked: without_null(here.use(ref))}
            if not (ref.renamed or test.renamed or target.feeds):
                return {ASKED + asked: without_null(here.use(Use(asked, ref.place)))}
    return {}


def fed_effects(here: References, name: str) -> frozenset[str]:
    """The effects of what the row binds a name of its references to."""
    feed = here.row.feeds.get(name)
    return frozenset() if feed is None else _effects(here, feed.source)


def _effects(here: References, source: Source | None) -> frozenset[str]:
    match source:
        case Use(target=target):
            return here.program.resolved[target].effects
        case Open(default=default):
            return _effects(here, default)
        case Sequence(items=items):
            return frozenset[str]().union(*(_effects(here, item) for item in items))
    return frozenset()


def known_behind(here: References, ref: Use | Wrap) -> dict[str, Type]:
    """Of what is known where a reference stands, what holds in the row that it refers to, of
    rows that were asked about: there they must be the same evaluation.
    """
    target = here.program.resolved[ref.target]
    if not target.row.inline:
        return {}
    bound = bool(ref.renamed or target.feeds)
    found: dict[str, Type] = {}
    for name, type_ in here.overrides.items():
        if name[0] == ASKED:
            row = here.program.resolved[name.removeprefix(ASKED)]
            if isinstance(ref, Wrap):
                # Each call evaluates anew what has effects, and may bring names of its own.
                same = not (row.effects or row.interface)
            else:
                same = not (bound and row.interface)
            if same:
                found[name] = type_
    return found


def known_in_calls(here: References) -> dict[str, Type]:
    """Of what is known where a callable stands, what holds in its calls: rows that have
    effects are evaluated anew in each of them.
    """
    return {
        name: type_
        for name, type_ in here.overrides.items()
        if name[0] != ASKED or not here.program.resolved[name.removeprefix(ASKED)].effects
    }
