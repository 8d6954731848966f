"""What a rule may ask about one use of a base function."""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Protocol, TypeAlias

from graphden.check.fit import Types, opened
from graphden.check.values import alternatives, join
from graphden.model.resolved import Constant, Program, ResolvedRow, Sequence, Source
from graphden.model.types import ANY, NULL, Type, Union


class Analysed(Protocol):
    """One use of a base function, as far as it is analysed."""

    program: Program
    types: Types
    row: ResolvedRow
    actual: dict[str, Type]

    def source(self, source: Source, expected: Type) -> Type: ...


class Use:
    """The type in a slot, the literal in it, the items written there.

    `inferred` is what the signature says of the result.
    """

    def __init__(self, analysed: Analysed, inferred: Type) -> None:
        self.analysed = analysed
        self.inferred = inferred
        self.types = analysed.types
        self.sources = {slot.declaration.name: slot.source for slot in analysed.row.slots}

    def type(self, slot: str) -> Type:
        return self.analysed.actual.get(slot, ANY)

    def optional(self, slot: str) -> Type:
        """The type in a slot that is nil when it is not given."""
        return self.analysed.actual.get(slot, NULL)

    def opened(self, type_: Type) -> Type:
        return opened(type_, self.types)

    def or_null(self, slot: str) -> Type:
        """The type in a slot, opened when it names a type with nil in it."""
        type_ = self.type(slot)
        inside = self.opened(type_)
        return inside if isinstance(inside, Union) or inside == NULL else type_

    def members(self, type_: Type) -> list[Type]:
        """The types that a value of this one may be of, each opened."""
        return alternatives(type_, self.types)

    def literal(self, slot: str) -> tuple[object, ...]:
        """The literal in a slot as a tuple of one; nothing when it is none."""
        source = self.sources[slot]
        if isinstance(source, Constant):
            return (source.value,)
        if isinstance(source, Sequence):
            values = [item.value for item in source.items if isinstance(item, Constant)]
            return (values,) if len(values) == len(source.items) else ()
        return ()

    def items(self, slot: str, expected: Type = ANY) -> list[Type] | None:
        """The types of the items written in a slot."""
        source = self.sources[slot]
        if not isinstance(source, Sequence):
            return None
        return [self.analysed.source(item, expected) for item in source.items]

    def join(self, *members: Type) -> Type:
        return join(members, self.types)


Rule: TypeAlias = Function[[Use], Type | None]
