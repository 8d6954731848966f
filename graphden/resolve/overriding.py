"""What may be bound over what an ancestor bound (LANGUAGE 4.4, 4.7, 4.8)."""

from __future__ import annotations

from graphden.model.resolved import ResolvedRow, Sequence, Source
from graphden.model.rows import Argument, Items
from graphden.model.types import Type
from graphden.resolve.places import terminal
from graphden.resolve.sources import constant, references, refers
from graphden.resolve.types import item_type
from graphden.resolve.wiring import Wiring


def refuse_override(
    wiring: Wiring,
    parent: ResolvedRow,
    argument: Argument,
    before: Source | None,
    *,
    bound_by: str | None,
    type_: Type,
) -> bool:
    """Whether what an ancestor bound cannot be bound again; if so, that is noted."""
    if before is None:
        return False
    extends = (
        isinstance(argument.binding.target, Items)
        and argument.binding.as_name is None
        and item_type(type_, wiring.rows.types) is not None
        and (isinstance(before, Sequence) or constant(before))
    )
    shown = f":{argument.name}"
    if extends:
        if not (isinstance(before, Sequence) and before.closed):
            return False
        closer = bound_by or parent.id
        above = _above(wiring, parent, closer, argument.name)
        hints = [] if above is None else [f"Derive :{above.row.name} instead."]
        if constant(before):
            hints.append("Write {:value […]} to replace the list.")
        wiring.problem(
            "list-closed",
            argument.binding.span,
            f"{shown} was closed by :{_name(wiring, closer)}; nothing can be appended",
            " ".join(hints),
            notes=(("closed here", before.place.span),),
        )
        return True
    if not refers(before):
        return False
    sealed = next(references(before))
    binder = sealed.place.row if sealed.place.row in parent.chain else bound_by or parent.id
    above = _above(wiring, parent, binder, argument.name)
    wiring.problem(
        "sealed-slot",
        argument.name_span,
        f"{shown} is sealed: :{_name(wiring, binder)} bound it to "
        f"{_target(wiring, sealed.target)}, and a bound reference cannot be bound again",
        f"No row above has {shown} open; in :{_name(wiring, binder)} {{:as {shown} :ref …}} "
        "would make it a default."
        if above is None
        else f"Derive :{above.row.name} instead, where {shown} is still open.",
        notes=(
            ("bound here", sealed.place.span),
            *(
                ()
                if above is None
                else ((f"still open in :{above.row.name}", above.row.name_span),)
            ),
        ),
    )
    return True


def refuse_terminal(
    wiring: Wiring, parent: ResolvedRow, argument: Argument, by: str, *, is_open: bool
) -> None:
    """Note that an ancestor allows no binding below it."""
    wiring.problem(
        "sealed-slot",
        argument.name_span,
        f":{argument.name} is terminal in :{by}; no row below can bind it",
        "Callers can still give it as an argument."
        if is_open
        else f"Derive a row above :{by} instead.",
        notes=terminal(wiring.chain(parent), argument.name, by),
    )


def _above(wiring: Wiring, parent: ResolvedRow, binder: str, name: str) -> ResolvedRow | None:
    """The nearest ancestor above `binder` that has the name open and can be a parent here."""
    above = parent.chain[parent.chain.index(binder) + 1 :]
    for row_id in above:
        resolved = wiring.rows.get(row_id)
        if resolved is None or name not in _names(resolved):
            continue
        if not resolved.row.private or resolved.row.namespace == wiring.row.namespace:
            return resolved
    return None


def _names(row: ResolvedRow) -> set[str]:
    return {slot.name for slot in row.slots} | set(row.interface)


def _name(wiring: Wiring, row_id: str) -> str:
    resolved = wiring.rows.get(row_id)
    return row_id if resolved is None else resolved.row.owner


def _target(wiring: Wiring, row_id: str) -> str:
    resolved = wiring.rows.get(row_id)
    if resolved is not None and resolved.row.inline:
        return "an inline row"
    return f":{_name(wiring, row_id)}"
