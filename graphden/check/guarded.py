"""What a guard tells: in an arm that a direct `some?` or `nil?` guards, what it asks about is
known to be not nil.
"""

from __future__ import annotations

from graphden.check.references import References
from graphden.check.typed import ASKED
from graphden.check.values import without_null
from graphden.model.resolved import Sequence, Slot, Source, Use
from graphden.model.types import Type


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
            return {outer: without_null(here.name(outer))}
        case Use(target=asked) as ref if not here.program.resolved[asked].interface:
            return {ASKED + asked: without_null(here.use(ref))}
        case Use(target=asked) as ref if not ref.renamed and not test.renamed:
            return {ASKED + asked: without_null(here.use(Use(asked, ref.place)))}
    return {}
