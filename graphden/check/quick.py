"""Types as plain Python tests: what such a test takes is right, what it does not is looked at
by the validators, which say what is wrong.

A value of a run is nearly always right, and of the very types that EDN and JSON give. One
expression of `type(…) is …` tells that in a fraction of the time of a validator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable as Function
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from graphden.check.constraints import test_of
from graphden.check.fit import JSON, opened
from graphden.check.json_data import INFINITY, SCALARS, is_plain_json
from graphden.edn import Keyword
from graphden.model.types import (
    ANY,
    Callable,
    ListOf,
    MapOf,
    Named,
    Primitive,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Variable,
    Variant,
)
from graphden.resolve.types import parts

Test = Function[[object], bool]

EXACT: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "text": (str,),
    "keyword": (Keyword,),
    "uuid": (UUID,),
    "bytes": (bytes,),
    "null": (type(None),),
    "sequence": (list, tuple),
}
"""Types of Python whose values are all of a primitive type."""

LARGEST = 200
"""Parts of a type that are written into one test."""

LEVELS = 20
"""How deep parts are written inside each other: Python's parser follows brackets no deeper than
100 levels. What is deeper is left to the validators."""


def quick_test(type_: Type, types: Mapping[str, Type]) -> Test:
    """A function that is true of most values of `type_`, and of nothing else."""
    writer = _Writer(types)
    test = writer.test(type_, "value")
    made: Test = eval(f"lambda value: {test}", writer.names)  # noqa: S307 - the text is our own
    return made


class _Writer:
    def __init__(self, types: Mapping[str, Type]) -> None:
        self.types = types
        self.names: dict[str, object] = {"MISSING": object()}
        self.rows: dict[str, str] = {}
        self.count = 0
        self.level = 0

    def name(self, value: object, prefix: str = "c") -> str:
        self.count += 1
        name = f"{prefix}{self.count}"
        self.names[name] = value
        return name

    def test(self, type_: Type, value: str) -> str:
        """An expression that tests the expression `value`, a name."""
        if self.count > LARGEST or self.level == LEVELS:
            return "False"
        self.level += 1
        test = self._test(type_, value)
        self.level -= 1
        return test

    def _test(self, type_: Type, value: str) -> str:
        match type_:
            case Primitive("any") | Variable():
                return "True"
            case Primitive("jsonb"):
                scalars, other = self.name(SCALARS), self.name(is_plain_json)
                return f"(type({value}) in {scalars} or {other}({value}))"
            case Primitive("timestamptz"):
                kind = self.name(datetime)
                return f"(type({value}) is {kind} and {value}.tzinfo is not None)"
            case Primitive("float" | "numeric" | "decimal" as kind):
                return self.number(kind, value)
            case Primitive(name):
                return self.exactly(EXACT.get(name, ()), value)
            case Named(row):
                return f"{self.row(row)}({value})"
            case Secret(inner):
                return self.test(inner, value)
            case Refined(base, constraint):
                holds = self.name(test_of(constraint))
                return f"({self.test(base, value)} and {holds}({value}))"
            case Union(members):
                if self.looks_twice(members):
                    return "False"
                # What is jsonb is told in one pass; it need not be told level by level.
                first = sorted(members, key=lambda member: member != JSON)
                return "(" + " or ".join(self.test(each, value) for each in first) + ")"
            case ListOf(item):
                return f"(type({value}) is list and {self.all_of(item, value)})"
            case TupleOf(items):
                return self.each_of(items, value)
            case MapOf(key, entry):
                keys, entries = self.all_of(key, value), self.all_of(entry, f"{value}.values()")
                return f"(type({value}) is dict and {keys} and {entries})"
            case Record(fields):
                tests = [f"type({value}) is dict"]
                for field in fields:
                    part = self.fresh()
                    found = f"({part} := {value}.get({field.name!r}, MISSING))"
                    right = self.test(field.type, part)
                    absent = "is not" if field.required else "is"
                    joined = "and" if field.required else "or"
                    tests.append(f"({found} {absent} MISSING {joined} {right})")
                return "(" + " and ".join(tests) + ")"
            case Callable():
                return f"callable({value})"
        return "False"

    def looks_twice(self, members: tuple[Type, ...]) -> bool:
        """Whether two members may look into one part of a value, and it into one of its own,
        and so on: every level would double the time. The validators remember.
        """
        if len(members) > LARGEST:
            return True
        reached = Counter(
            (isinstance(opened(member, self.types), (ListOf, TupleOf, Variant)), row)
            for member in members
            for row in self.named(member)
        )
        return any(
            count > 1 and row in self.named(self.types.get(row, ANY))
            for (_, row), count in reached.items()
        )

    def named(self, type_: Type) -> set[str]:
        """The type rows that are in a type."""
        return {part.row for part in parts(type_, self.types) if isinstance(part, Named)}

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def exactly(self, kinds: tuple[type, ...], value: str) -> str:
        if not kinds:
            return "False"
        if kinds == (type(None),):
            return f"{value} is None"
        if len(kinds) == 1:
            return f"type({value}) is {self.name(kinds[0])}"
        return f"type({value}) in {self.name(kinds)}"

    def number(self, kind: str, value: str) -> str:
        """A number that is finite, as all of rows are."""
        endless, decimal = self.name(INFINITY), self.name(Decimal)
        tests = []
        if kind != "decimal":
            tests.append(f"type({value}) is int")
            tests.append(f"type({value}) is float and -{endless} < {value} < {endless}")
        if kind != "float":
            tests.append(f"type({value}) is {decimal} and {value}.is_finite()")
        return f"({' or '.join(tests)})"

    def all_of(self, item: Type, values: str) -> str:
        match item:
            case Primitive("any") | Variable():
                return "True"
            case Primitive("jsonb"):
                scalars, others = self.name(SCALARS), self.name(is_plain_json)
                return f"({scalars}.issuperset(map(type, {values})) or {others}([*{values}]))"
            case Primitive(name) if name in EXACT:
                kinds = self.name(frozenset(EXACT[name]))
                return f"{kinds}.issuperset(map(type, {values}))"
        part = self.fresh()
        return f"all([{self.test(item, part)} for {part} in {values}])"

    def each_of(self, items: tuple[Type, ...], value: str) -> str:
        tests = [f"type({value}) is list", f"len({value}) == {len(items)}"]
        for index, item in enumerate(items):
            if item != ANY:
                part = self.fresh()
                tests.append(f"(({part} := {value}[{index}]), {self.test(item, part)})[1]")
        return "(" + " and ".join(tests) + ")"

    def row(self, row: str) -> str:
        """The name of the test of a type row, which may need itself."""
        name = self.rows.get(row)
        if name is None:
            name = self.rows[row] = f"r{len(self.rows)}"
            level, self.level = self.level, 0
            test = self.test(self.types.get(row, ANY), "value")
            self.level = level
            self.names[name] = eval(f"lambda value: {test}", self.names)  # noqa: S307
        return name
