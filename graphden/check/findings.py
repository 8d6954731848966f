"""What the types say is wrong, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphden.check.contracts import Violation
from graphden.check.fit import Fit
from graphden.check.values import widened
from graphden.edn import write
from graphden.errors import Problem
from graphden.model.resolved import Constant, Open, Place, Program, Sequence, Source, Use, Wrap
from graphden.model.types import Type

HINTS = {
    "type-mismatch": "Change the one or the other; a value that may be of either type needs a "
    "check first, such as a type row as :parent.",
    "missing-field": "Give the field, or make it {:type T :required false} in the record.",
    "secret-flow": "A secret goes only where [:secret T] is taken.",
    "argument-conflict": "Rename one of them with {:as …}, so that they are two arguments.",
    "refinement-violated": "Correct the literal.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic in the making: its place names the binding it is about.

    `inside` is the row in which it came up, and `first` the place there, when it is only wrong
    with what another row binds.
    """

    code: str
    place: Place
    message: str
    hint: str = ""
    inside: str = ""
    first: Place | None = None

    @property
    def origin(self) -> tuple[str, Place]:
        """What makes two findings the same mistake."""
        return self.code, self.first or self.place

    def at(self, place: Place, inside: str) -> Finding:
        """The same, seen from a binding that makes it wrong."""
        return replace(
            self, place=place, inside=self.inside or inside, first=self.first or self.place
        )

    def problem(self, owner: str) -> Problem:
        """The problem to show; `owner` is the row the author wrote."""
        message = self.message
        if self.first is not None:
            span = self.first.span
            message = f"with what is bound here, in :{self.inside} ({span}): {message}"
        return Problem(self.code, message, self.hint, owner, self.place.span, structural=False)


def mismatch(
    found: Fit,
    place: Place,
    name: str,
    expected: Type,
    what: str,
    *,
    fixed_by: str | None = None,
    of: str | None = None,
    code: str | None = None,
) -> Finding:
    """A finding from a fit that failed: slot `name` takes `expected`, and `what` stands
    there.
    """
    owner = f" of :{of}" if of else ""
    because = f" (:{fixed_by} says so)" if fixed_by and fixed_by != name else ""
    message = f":{name}{owner} takes {_short(expected)}{because}, and {what}"
    if found.code == "missing-field":
        message += f"; the field {' → '.join(':' + step for step in found.path)} is missing"
    elif found.path and found.actual is not None:
        where = " → ".join(found.path)
        message += (
            f"; they differ at {where}: {_short(found.actual)} is not {_short(found.expected)}"
        )
    used = code if code and found.code == "type-mismatch" else found.code
    return Finding(used, place, message, HINTS.get(used, ""))


def wrong_literal(
    code: str,
    source: Constant,
    name: str,
    expected: Type,
    violations: tuple[Violation, ...],
    *,
    secret: bool,
) -> Finding:
    """A finding about a literal that is not what slot `name` takes."""
    value = "a secret" if secret else _cut(write(source.value, lossy=True))
    details = []
    for violation in violations:
        if violation.came == "nothing":
            steps = " → ".join(f":{step}" for step in violation.path)
            details.append(f"the field {steps} is missing")
        elif violation.path:
            details.append(str(violation))
        elif violation.expected != str(expected):
            details.append(f"it must be {violation.expected}")
    listed = "".join(f"; {detail}" for detail in details)
    message = f":{name} takes {_short(expected)}, and this is {value}{listed}"
    hint = "Give the field." if code == "missing-field" else "Correct the literal."
    return Finding(code, source.place, message, hint)


def subject(source: Source, program: Program) -> str:
    """What a source is, at the head of a sentence: `:total`, `the argument :price`."""
    match source:
        case Constant():
            return "the literal"
        case Use(target=target) | Wrap(target=target):
            row = program.rows[target]
            if not row.inline:
                return f":{row.name}"
            return f"{{:parent {' '.join(f':{parent.text}' for parent in row.parents)} …}}"
        case Open(name=name):
            return f"the argument :{name}"
        case Sequence():
            return "the list"


def describe(source: Source, actual: Type, program: Program) -> str:
    """What a source is, for a sentence: `:total gives :int`."""
    match source:
        case Constant(value=value):
            return f"this is {_cut(write(value, lossy=True))}"
        case Use(target=target) | Wrap(target=target):
            row = program.rows[target]
            shown = "this row" if row.inline else f":{row.name}"
            return f"{shown} gives {_short(actual)}"
        case Open(name=name):
            return f"the argument :{name} is {_short(actual)}"
        case Sequence():
            return f"the list is {_short(actual)}"


def _short(type_: Type | None) -> str:
    return _cut(shown(type_)) if type_ is not None else ""


def shown(type_: Type) -> str:
    """A type as its author would write it: literals by their kind."""
    return str(widened(type_))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"
