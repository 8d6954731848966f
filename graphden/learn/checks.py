"""What must hold of a learner's rows, beyond that nothing is wrong with them.

A check is a map in `exercise.edn`:

    {:run :total :gives 42}                      the value of a row
    {:run :total :with {:rate 2} :gives 84}      its value with these arguments
    {:run :total :with {:rate 0} :fails :division-by-zero}
    {:row :total :open [:rate]}                  what it leaves open, in order
    {:row :total :parents [:sum]}                what it is derived from
    {:row :total :effects #{:io}}                what it and all that it reaches may do
    {:tests :pass}                               at least one row is a test, and all pass
    {:tests :catch :with "broken.edn"}           one fails when that file takes the place of
                                                 the exercise's other files

A row that is run may be the learner's or stand in a file of the exercise: so whatever rows can
see can be checked, the state of a queue or of a service included. Every check may `:say` what
it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphden.edn import Keyword


@dataclass(frozen=True, slots=True)
class Runs:
    """The row gives a value, or fails with the code `fails`."""

    row: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    gives: object = None
    fails: str | None = None
    say: str = ""


@dataclass(frozen=True, slots=True)
class Stands:
    """The row leaves these arguments open, has these parents, these effects; None: any."""

    row: str
    open: tuple[str, ...] | None = None
    parents: tuple[str, ...] | None = None
    effects: frozenset[str] | None = None
    say: str = ""


@dataclass(frozen=True, slots=True)
class Tests:
    """There are tests and they pass; or, when the file `broken` is exchanged, one fails."""

    __test__ = False  # pytest takes classes of this name for its own

    broken: str | None = None
    say: str = ""


Check: TypeAlias = Runs | Stands | Tests


def check_of(data: Mapping[str, Any]) -> Check:
    """The check that a map writes. Raises ValueError for another map."""
    say = data.get("say", "")
    match {str.__str__(key): value for key, value in data.items() if key != "say"}:
        case {"run": Keyword() as row, "gives": gives, **rest} if rest.keys() <= {"with"}:
            return Runs(row.text, _named(rest), gives=gives, say=say)
        case {"run": Keyword() as row, "fails": Keyword() as code, **rest} if rest.keys() <= {
            "with"
        }:
            return Runs(row.text, _named(rest), fails=code.text, say=say)
        case {"row": Keyword() as row, **rest} if rest and rest.keys() <= {
            "open",
            "parents",
            "effects",
        }:
            effects = rest.get("effects")
            return Stands(
                row.text,
                _texts(rest.get("open")),
                _texts(rest.get("parents")),
                None if effects is None else frozenset(_texts(effects) or ()),
                say,
            )
        case {"tests": Keyword("pass"), **rest} if not rest:
            return Tests(say=say)
        case {"tests": Keyword("catch"), "with": str() as broken, **rest} if not rest:
            return Tests(broken, say)
    raise ValueError(f"{dict(data)} is no check")


def _named(rest: Mapping[str, Any]) -> dict[str, Any]:
    return {str.__str__(name): value for name, value in rest.get("with", {}).items()}


def _texts(names: Any) -> tuple[str, ...] | None:
    return None if names is None else tuple(name.text for name in names)
