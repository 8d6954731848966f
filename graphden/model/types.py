"""Types as rows write them (LANGUAGE 8.1); `str(type)` writes them as a row would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from graphden.edn import Keyword, write
from graphden.errors import Span

PRIMITIVES = frozenset(
    [
        "any",
        "never",
        "null",
        "bool",
        "int",
        "float",
        "decimal",
        "numeric",
        "text",
        "keyword",
        "uuid",
        "timestamptz",
        "bytes",
        "jsonb",
        "sequence",
    ]
)


@dataclass(frozen=True, slots=True)
class Primitive:
    """One of `PRIMITIVES`."""

    name: str

    def __str__(self) -> str:
        return f":{self.name}"


@dataclass(frozen=True, slots=True)
class Named:
    """A type row, by its identity."""

    row: str

    def __str__(self) -> str:
        return f":{self.row.rpartition('/')[2]}"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A type row, by the name a row wrote; resolving turns it into `Named`."""

    name: str
    span: Span

    def __str__(self) -> str:
        return f":{self.name}"


@dataclass(frozen=True, slots=True)
class Variable:
    """A type variable of a base function: a symbol such as `a`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ListOf:
    """`[:list T]`."""

    item: Type

    def __str__(self) -> str:
        return f"[:list {self.item}]"


@dataclass(frozen=True, slots=True)
class MapOf:
    """`[:map K V]`."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"[:map {self.key} {self.value}]"


@dataclass(frozen=True, slots=True)
class TupleOf:
    """`[:tuple T …]`."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"[{' '.join([':tuple', *map(str, self.items)])}]"


@dataclass(frozen=True, slots=True)
class Union:
    """`[:union T …]`."""

    members: tuple[Type, ...]

    def __str__(self) -> str:
        return f"[{' '.join([':union', *map(str, self.members)])}]"


@dataclass(frozen=True, slots=True)
class Callable:
    """`[:fn {param T …} R]`; the parameters are in order."""

    parameters: tuple[tuple[str, Type], ...]
    result: Type

    def __str__(self) -> str:
        inside = " ".join(f":{name} {type_}" for name, type_ in self.parameters)
        return f"[:fn {{{inside}}} {self.result}]"


@dataclass(frozen=True, slots=True)
class Secret:
    """`[:secret T]`."""

    inner: Type

    def __str__(self) -> str:
        return f"[:secret {self.inner}]"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record."""

    name: str
    type: Type
    required: bool = True

    def __str__(self) -> str:
        inside = str(self.type) if self.required else f"{{:type {self.type} :required false}}"
        return f":{self.name} {inside}"


@dataclass(frozen=True, slots=True)
class Record:
    """`:type {field T …}`; extra fields are kept.

    What is `closed` has no others, and keywords for keys: a literal, or what is made of one.
    """

    fields: tuple[Field, ...]
    closed: bool = False

    def __str__(self) -> str:
        return f"{{{' '.join(map(str, self.fields))}}}"


@dataclass(frozen=True, slots=True)
class Variant:
    """`:variant [tag T …]`."""

    cases: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        inside = " ".join(f":{tag} {type_}" for tag, type_ in self.cases)
        return f"[:variant {inside}]"


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint of a refinement (LANGUAGE 8.3): `[operator operand …]`."""

    operator: str
    operands: tuple[object, ...]

    def __str__(self) -> str:
        inside = (str(o) if isinstance(o, Constraint) else write(o) for o in self.operands)
        return f"[{' '.join([str(Keyword(self.operator)), *inside])}]"

    def __hash__(self) -> int:
        # Lists have no hash; what is equal has the same operator and the same scalars.
        scalars = (o for o in self.operands if not isinstance(o, (list, dict, frozenset)))
        return hash((self.operator, *scalars))


@dataclass(frozen=True, slots=True)
class Refined:
    """`:refine {:base T :constraint C}`."""

    base: Type
    constraint: Constraint

    def __str__(self) -> str:
        return f"{{:base {self.base} :constraint {self.constraint}}}"


Type: TypeAlias = (
    Primitive
    | Named
    | Unresolved
    | Variable
    | ListOf
    | MapOf
    | TupleOf
    | Union
    | Callable
    | Secret
    | Record
    | Variant
    | Refined
)

ANY = Primitive("any")
NULL = Primitive("null")
