"""What the types say is wrong, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphden.check.contracts import Violation
from graphden.check.solve import without_variables
from graphden.check.values import widened
from graphden.check.verdicts import Fit
from graphden.edn import write
from graphden.model.resolved import Constant, Open, Place, Program, Sequence, Source, Use, Wrap
from graphden.model.types import (
    Callable,
    Field,
    ListOf,
    MapOf,
    Record,
    TupleOf,
    Type,
    Union,
    Variable,
)

WIDTH = 60
"""How long a type or a literal may be in a sentence; longer ones are cut from the inside."""


@dataclass(frozen=True, slots=True)
class Clash:
    """What came, and what was expected: `name` is the slot or argument, of the row `of` when it
    is that of a row referred to.

    `path` leads inside both types to where `came` is not `wanted`; `fixed_by` is the slot that
    fixed the type variable which `expected` stood for. `from_types` is False for a literal,
    whose message says the way inside it.
    """

    name: str
    expected: Type
    came: Type | None = None
    wanted: Type | None = None
    path: tuple[object, ...] = ()
    of: str | None = None
    fixed_by: str | None = None
    from_types: bool = True


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
    clash: Clash | None = None

    @property
    def origin(self) -> tuple[str, Place]:
        """What makes two findings the same mistake."""
        return self.code, self.first or self.place

    def at(self, place: Place, inside: str) -> Finding:
        """The same, seen from a binding that makes it wrong."""
        return replace(
            self, place=place, inside=self.inside or inside, first=self.first or self.place
        )


@dataclass(frozen=True, slots=True)
class NoTag(Violation):
    """A value that begins with a tag that the variant has not."""

    tag: str = ""
    near: str | None = None

    def __str__(self) -> str:
        where = "".join(f":{s}" if isinstance(s, str) else f"[{s}]" for s in self.path)
        meant = f"; did you mean :{self.near}?" if self.near else ""
        return f"{f'at {where} ' if where else ''}no tag :{self.tag}{meant}"


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
    item = "items of " if of is None and _is_item(place) else ""
    message = f":{name}{_owned(of)} takes {item}{short(expected)}, and {what}"
    used = code if code and found.code == "type-mismatch" else found.code
    clash = Clash(name, expected, found.actual, found.expected, found.path, of, fixed_by)
    return Finding(used, place, message, clash=clash)


def _is_item(place: Place) -> bool:
    return bool(place.path) and isinstance(place.path[-1], int)


def _owned(of: str | None) -> str:
    if not of:
        return ""
    row, inline, _ = of.partition(">")
    return f", inside :{row}," if inline else f" of :{row}"


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
    value = "a secret" if secret else literal(source.value)
    details = []
    for violation in violations:
        if violation.came == "nothing" or violation.path or isinstance(violation, NoTag):
            details.append(str(violation))
        elif violation.expected != str(expected):
            details.append(f"it must be {violation.expected}")
    listed = "".join(f"; {detail}" for detail in details)
    item = "items of " if _is_item(source.place) else ""
    message = f":{name} takes {item}{short(expected)}, and this is {value}{listed}"
    lacking = [v for v in violations if v.came == "nothing" and code == "missing-field"]
    clash = Clash(name, expected, path=(*lacking, *violations)[0].path, from_types=False)
    return Finding(code, source.place, message, clash=clash)


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
            return f"this is {literal(value)}"
        case Use(target=target) | Wrap(target=target):
            row = program.rows[target]
            given = "this row" if row.inline else f":{row.name}"
            return f"{given} gives {short(actual)}"
        case Open(name=name):
            return f"the argument :{name} is {short(actual)}"
        case Sequence():
            return f"the list is {short(actual)}"


def literal(value: object) -> str:
    """A literal for a sentence."""
    text = write(value, most=WIDTH)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def shown(type_: Type) -> str:
    """A type as its author would write it: literals by their kind, no type variables."""
    return str(without_variables(widened(type_)))


def short(type_: Type) -> str:
    """A type for a sentence: what is deep inside a long one is left out."""
    type_ = widened(type_)
    depth = 4
    while len(text := str(_flattened(type_, depth))) > WIDTH and depth > 1:
        depth -= 1
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _flattened(type_: Type, depth: int) -> Type:
    def less(inner: Type) -> Type:
        return _flattened(inner, depth - 1)

    match type_:
        case Record() if depth == 0:
            return Variable("{…}")
        case ListOf() | MapOf() | TupleOf() | Union() | Callable() if depth == 0:
            return Variable("[…]")
        case Record(fields):
            return Record(tuple(Field(f.name, less(f.type), f.required) for f in fields))
        case ListOf(item):
            return ListOf(less(item))
        case MapOf(key, value):
            return MapOf(less(key), less(value))
        case TupleOf(items):
            return TupleOf(tuple(map(less, items)))
        case Union(members):
            return Union(tuple(map(less, members)))
        case Callable(parameters, result):
            return Callable(tuple((n, less(t)) for n, t in parameters), less(result))
    return type_
