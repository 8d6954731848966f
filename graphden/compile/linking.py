"""What generated code refers to by the names of its globals.

Code is written before it is known by which objects these names stand: so it can be kept, and
joined with the bodies and checks of another process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import TypeAlias

from graphden.compile.schedule import Bodies
from graphden.compile.spans import Site
from graphden.compile.support import MISSING, cell, constantly, thunks
from graphden.errors import Span
from graphden.model.plan import Trail
from graphden.model.types import Type

Guards: TypeAlias = Callable[[Type], Callable[[object], object]]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value of the rows; `delayed` when a function that gives it is wanted."""

    value: object
    delayed: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """The check of a type."""

    type: Type


@dataclass(frozen=True, slots=True)
class BodyOf:
    """The body of a base function or type row."""

    row: str


@dataclass(frozen=True, slots=True)
class NeedOf:
    """One of the globals that the body of a base function needs where it is written out."""

    row: str
    name: str


@dataclass(frozen=True, slots=True)
class SiteOf:
    """What spans are of, but for the graph's types."""

    key: str
    row: str
    inline: bool
    place: Span | None
    function: str
    type: Type


Shared: TypeAlias = Check | BodyOf | SiteOf
"""What a global stands for that is the same wherever it is used."""

Global: TypeAlias = Literal | NeedOf | Shared

ALWAYS: Mapping[str, object] = {
    "__name__": "graphden.generated",
    "MISSING": MISSING,
    "cell": cell,
    "thunks": thunks,
}
"""The globals of all code."""


@dataclass(frozen=True, slots=True)
class Written:
    """The code of an entry row: a module that defines `entry`, what its globals stand for, and
    for each of its lines the way to the row that it evaluates.
    """

    code: CodeType
    globals: Mapping[str, Global]
    lines: Sequence[Trail]


def link(
    written: Written, bodies: Bodies, guard: Guards, types: Mapping[str, Type]
) -> Callable[..., object]:
    """The function of code that is written: `function(context, *arguments)`, or when it is
    traced `function(context, tracer, *arguments)`.

    `bodies` are looked up by base function row; `guard` makes the check of a type; `types` are
    those of type rows.
    """
    namespace: dict[str, object] = dict(ALWAYS)
    for name, meant in written.globals.items():
        match meant:
            case Literal(value=value, delayed=delayed):
                namespace[name] = constantly(value) if delayed else value
            case Check(type=type_):
                namespace[name] = guard(type_)
            case BodyOf(row=row):
                namespace[name] = bodies[row].function
            case NeedOf(row=row, name=needed):
                namespace[name] = bodies[row].needs[needed]
            case SiteOf(key, row, inline, place, function, type_):
                namespace[name] = Site(key, row, inline, place, function, type_, types)
    exec(written.code, namespace)  # noqa: S102 - the code is our own
    entry = namespace["entry"]
    if not isinstance(entry, FunctionType):
        msg = "the generated module defines no entry"
        raise TypeError(msg)
    return entry
