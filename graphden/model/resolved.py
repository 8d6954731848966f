"""Rows as resolved: every name looked up, every chain of parents followed.

A row's *root* is the base function (or type row) its chain ends in. Each slot of the root has a
*source*, what its value comes from; so has each name that the row binds for the rows it refers
to. What is left is the row's *interface*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from graphden.errors import Span
from graphden.model.rows import Row, SlotDeclaration
from graphden.model.types import Type

VOLATILE = frozenset(("time", "random"))
"""Effects of what gives another value each time: every use of such a row runs it anew."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a binding is written: the row, the way inside its `:args`, the span."""

    row: str
    path: tuple[str | int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal. Its `type`, like those of references, is what it says itself as an item."""

    value: object
    place: Place
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """The value of another row. Its free arguments are taken by name from the row that refers,
    but for those in `renamed`: they come from another name, or have a default.
    """

    target: str
    place: Place
    renamed: Mapping[str, Open] = field(default_factory=dict)
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Wrap:
    """Another row as a callable. `receivers[i]` is the free argument of the target that
    receives the call's i-th parameter, or None where it is ignored (LANGUAGE 6.2); the others
    are captured as in `Use`.
    """

    target: str
    receivers: tuple[str | None, ...]
    place: Place
    renamed: Mapping[str, Open] = field(default_factory=dict)
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """An argument of the row, under its outer name, with a default perhaps."""

    name: str
    place: Place
    type: Type
    default: Source | None = None


@dataclass(frozen=True, slots=True)
class Sequence:
    """The items of a list slot; `closed` refuses more below."""

    items: tuple[Source, ...]
    place: Place
    closed: bool = False


Source: TypeAlias = Constant | Use | Wrap | Open | Sequence


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of the root as a row leaves it.

    `name` is the name callers and descendants see. `source` is None while nothing is bound, and
    `Open` when there is a default only: then the slot is open under `name`. `bound_by` is the
    row that bound it, `terminal_by` the row that refuses further bindings.
    """

    declaration: SlotDeclaration
    name: str
    type: Type
    required: bool
    place: Place
    source: Source | None = None
    bound_by: str | None = None
    terminal_by: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A binding of a name that the row's references have free (LANGUAGE 5.3)."""

    source: Source
    type: Type
    bound_by: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a row's interface.

    `origins` are the places that it feeds; `default` is what is used when it is not given, and
    `default_known` is False where the default is not a literal (or there is none).
    """

    name: str
    type: Type
    required: bool
    default: object = None
    default_known: bool = False
    origins: tuple[Place, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedRow:
    """A row with everything looked up.

    `chain` runs from the row itself to its root. `feeds` are the names bound for references.
    `narrowed`, `required` and `terminal` are what the chain says of free arguments by name.
    `targets` are the rows that the row itself refers to. `effects` are those of all it reaches.
    """

    row: Row
    chain: tuple[str, ...]
    root: Row
    slots: tuple[Slot, ...]
    interface: Mapping[str, Parameter]
    effects: frozenset[str]
    result: Type
    feeds: Mapping[str, Feed] = field(default_factory=dict)
    narrowed: Mapping[str, Type] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    terminal: Mapping[str, str] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The row's identity."""
        return self.row.id


@dataclass(frozen=True, slots=True)
class Program:
    """All rows of a graph, resolved. `types` are the bodies of type rows."""

    rows: Mapping[str, Row]
    resolved: Mapping[str, ResolvedRow]
    types: Mapping[str, Type]
