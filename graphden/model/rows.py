"""Rows as they are written: names not yet looked up, every part with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from graphden.errors import Problem, Span
from graphden.model.types import Type


class RowKind(StrEnum):
    """What a row is (LANGUAGE 2)."""

    FUNCTION = "function"
    """It has a parent."""
    BASE = "base"
    """It has no parent; a Python function implements it."""
    TYPE = "type"
    """It describes values."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name of another row, as written."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that stands for itself; `whole` when written `{:value …}`."""

    value: object
    span: Span
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A row that is referred to; `explicit` when written `{:ref …}`."""

    name: Name
    span: Span
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Inline:
    """A row written at the place where it is used."""

    row: Row
    span: Span


@dataclass(frozen=True, slots=True)
class Items:
    """A vector: items where the slot takes a list, one literal (`value`) elsewhere.

    `append` when written `{:append […]}`, which only a list slot takes. `problems` are those of
    the items, which count only where they are read as items.
    """

    value: list[object]
    items: tuple[Binding, ...]
    span: Span
    append: bool = False
    closed: bool = False
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What could not be read; its problem is noted, and nothing may follow from it."""

    span: Span


Target: TypeAlias = Literal | Reference | Inline | Items | Unreadable


@dataclass(frozen=True, slots=True)
class Binding:
    """What a row writes behind a name in `:args` (LANGUAGE 4).

    Without `as_name` the `target` is bound; with it the slot stays open under that name and the
    target is its default.
    """

    span: Span
    target: Target | None = None
    as_name: Name | None = None
    type: Type | None = None
    required: bool = False
    terminal: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """One entry of `:args`: the name of a slot or free argument, and its binding."""

    name: str
    name_span: Span
    binding: Binding


@dataclass(frozen=True, slots=True)
class SlotDeclaration:
    """A slot of a base function. `has_default` tells a default of nil from none."""

    name: str
    type: Type
    span: Span
    required: bool = True
    default: object = None
    has_default: bool = False
    lazy: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row. `id` is `namespace/name`; an inline row's id adds the way to its place.

    `owner` is the name of the row that the author wrote at top level: the row itself, or for an
    inline row the one it stands in. A `flawed` row was not read whole: what it lacks may be no
    mistake of those who use it.
    """

    id: str
    namespace: str
    name: str
    owner: str
    span: Span
    kind: RowKind
    name_span: Span
    parents: tuple[Name, ...] = ()
    arguments: tuple[Argument, ...] = ()
    slots: tuple[SlotDeclaration, ...] = ()
    type: Type | None = None
    return_type: Type | None = None
    lambda_params: tuple[Name, ...] | None = None
    expects_effects: frozenset[str] | None = None
    effects: frozenset[str] = field(default_factory=frozenset)
    description: str = ""
    package: str | None = None
    inline: bool = False
    flawed: bool = False

    @property
    def written(self) -> str:
        """The identity of the row that the author wrote at top level."""
        return f"{self.namespace}/{self.owner}" if self.inline else self.id

    @property
    def private(self) -> bool:
        """Whether the name begins with `_` (LANGUAGE 1.4)."""
        return self.name.startswith("_")
