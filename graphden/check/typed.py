"""What is known of a row's types (LANGUAGE 8.4, 8.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from graphden.check.contracts import Contracts
from graphden.check.findings import Finding
from graphden.model.plan import GuardKey
from graphden.model.resolved import Place, Program, Use, Wrap
from graphden.model.types import Type
from graphden.read.problems import Spelling

Environment: TypeAlias = Mapping[str, Type]

ASKED = ">"
"""Begins the names under which an environment tells what a reference is known to give."""


@dataclass(frozen=True, slots=True)
class Unproved:
    """Why a value is checked when it comes: what comes, of which type, and where it is from."""

    what: str
    actual: Type
    place: Place


@dataclass(frozen=True, slots=True)
class Typed:
    """A row's types: of its arguments as narrowed by what they feed, and of its result.

    `guards` are the places where a value must be checked when it comes, and the type it must be
    of: `("slot", name)`, `(place row, *path, "to", argument)` for what a reference is given,
    and `("result",)`; `reasons` say why. `references` are the rows it refers to, with their
    types as they are used here. `doubted` are the arguments that are called with what no type
    proves them to take: they are checked where they are bound. `absent` are those that are nil
    when they are not given, and are taken not to be given as long as no row names them;
    `optional` are the others that need not be given.
    """

    parameters: Environment
    result: Type
    findings: tuple[Finding, ...] = ()
    guards: Mapping[GuardKey, Type] = field(default_factory=dict)
    reasons: Mapping[GuardKey, Unproved] = field(default_factory=dict)
    references: tuple[tuple[Use | Wrap, Typed], ...] = ()
    doubted: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()


class Rows(Protocol):
    """The types of the other rows of a program."""

    program: Program
    contracts: Contracts
    spelling: Spelling

    def row(self, row_id: str) -> Typed:
        """The types of a row as it stands."""

    def instance(
        self, row_id: str, given: Environment, optional: frozenset[str] = frozenset()
    ) -> Typed:
        """The types of a row whose arguments are of the types in `given`, if those that are
        `optional` are given at all.
        """
