"""What the variable of `fix` for what each call is handed stands for."""

from __future__ import annotations

from graphden.check.fit import NEVER, fit
from graphden.check.references import References
from graphden.check.solve import variables
from graphden.check.typed import Typed
from graphden.model.plan import GuardKey
from graphden.model.resolved import Open, Slot, Wrap
from graphden.model.types import ANY, Callable, Type, Variable
from graphden.resolve import as_callable

FIX = "core.control/fix"


def widen_input(row: References, step: Slot) -> None:
    """Let the step of a `fix` be called with all that it is declared to take, when it calls
    itself with more than the first input.
    """
    source = step.source.default if isinstance(step.source, Open) else step.source
    called = as_callable(step.declaration.type, row.types)
    if row.row.root.id != FIX or called is None or not isinstance(source, Wrap):
        return
    (_, variable), (_, itself) = called.parameters
    receiver, receives_itself = source.receivers
    if not isinstance(variable, Variable) or receiver is None:
        return
    first = row.solver.known.get(variable.name)
    declared = row.rows.row(source.target).parameters[receiver]
    if first is None or declared == ANY or variables(declared):
        return
    if not fit(first, declared, row.types):
        return
    captured, optional = row.captured(source)

    def step_of(type_: Type) -> Typed:
        given = {**captured, receiver: type_}
        if receives_itself is not None and isinstance(itself, Callable):
            named = tuple((name, type_) for name, _ in itself.parameters)
            given[receives_itself] = Callable(named, NEVER)
        return row.rows.instance(source.target, given, optional)

    if not _suffices(row, step_of(first), step_of(declared), source, first):
        row.solver.known[variable.name] = declared


def _suffices(row: References, narrow: Typed, wide: Typed, step: Wrap, first: Type) -> bool:
    """Whether the step is as right with the type of the first input as with all it takes."""
    takes = row.rows.row(step.target).parameters.get(step.receivers[1] or "")
    if isinstance(takes, Callable) and len(takes.parameters) == 1:
        [(_, again)] = takes.parameters
        if not variables(again) and not fit(again, first, row.types):
            return False
    return not narrow.findings and _guards(narrow) <= _guards(wide)


def _guards(typed: Typed) -> set[tuple[str, GuardKey, Type]]:
    """What is checked in a row and in all that it refers to."""
    found: set[tuple[str, GuardKey, Type]] = set()
    seen: set[int] = set()
    waiting = [("", typed)]
    while waiting:
        row, each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            found.update((row, key, type_) for key, type_ in each.guards.items())
            waiting.extend((ref.target, inner) for ref, inner in each.references)
    return found
