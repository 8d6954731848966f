"""Types as run-time checks: each type becomes one pydantic-core validator, once.

The validators are predicates: what they return is dropped, so a value is never changed.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable as Function
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import UUID

from graphden.check.constraints import test_of
from graphden.check.hidden import secret_at
from graphden.check.json_data import is_plain_json, misfits
from graphden.check.quick import Test, quick_test
from graphden.edn import Keyword, write
from graphden.errors import RunError
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
from graphden.resolve import as_callable, expand

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator, ValidationError


@dataclass(frozen=True, slots=True)
class Violation:
    """Where a value is not what its type says: `path` inside the value, expected, came."""

    path: tuple[object, ...]
    expected: str
    came: str

    def __str__(self) -> str:
        way = "".join(f":{s}" if isinstance(s, str) else f"[{s}]" for s in self.path)
        if self.came == "nothing" and way:
            return f"the field {way} is missing"
        where = f"at {way} " if way else ""
        return f"{where}expected {self.expected}, got {self.came}"


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


PREDICATES: dict[str, Function[[object], bool]] = {
    "any": lambda _: True,
    "never": lambda _: False,
    "null": lambda v: v is None,
    "bool": lambda v: isinstance(v, bool),
    "int": _is_int,
    "float": lambda v: isinstance(v, float) or _is_int(v),
    "decimal": lambda v: isinstance(v, Decimal),
    "numeric": lambda v: isinstance(v, (float, Decimal)) or _is_int(v),
    "text": lambda v: isinstance(v, str) and not isinstance(v, Keyword),
    "keyword": lambda v: isinstance(v, Keyword),
    "uuid": lambda v: isinstance(v, UUID),
    "timestamptz": lambda v: isinstance(v, datetime) and v.tzinfo is not None,
    "bytes": lambda v: isinstance(v, bytes),
    "sequence": lambda v: isinstance(v, (list, tuple)),
}


SHOWN, SAID = 60, 500
"""Characters that are shown of a value, and of what was expected."""

LEVELS = 200
"""Values of recursive types may be nested so deep at least; pydantic's own limit is near."""


MISFITS = 10
"""Parts that are told of a value that is no jsonb."""


class _TooDeep(Exception):  # noqa: N818 - no error of ours: `violations` makes a violation of it
    """A value of a recursive type is nested too deeply to be looked at."""


class _Depth(threading.local):
    """How many alternatives of alternatives are being tried on this thread, and of which values
    it is known which alternatives they fit; they are kept, so that their ids stay theirs.
    """

    levels = 0

    def __init__(self) -> None:
        self.seen: dict[tuple[object, int], tuple[object, bool]] = {}


class Contracts:
    """The checks of one graph's types."""

    def __init__(self, types: Mapping[str, Type]) -> None:
        self._types = types
        self._validators: dict[Type, SchemaValidator] = {}
        self._tests: dict[Type, Test] = {}

    def _holds(self, type_: Type, value: object) -> bool:
        """Whether a value is plainly of a type; if not, it may be so all the same."""
        test = self._tests.get(type_)
        if test is None:
            test = self._tests[type_] = quick_test(type_, self._types)
        try:
            return test(value)
        except RecursionError:
            return False

    def violations(self, type_: Type, value: object) -> tuple[Violation, ...]:
        """Everything in which `value` is not what `type_` says."""
        match type_:
            case Primitive("any") | Variable():
                return ()
            case Primitive(name) if name in PREDICATES and PREDICATES[name](value):
                return ()
        if self._holds(type_, value):
            return ()
        from pydantic_core import ValidationError

        validator = self._validators.get(type_)
        if validator is None:
            validator = self._validators[type_] = self._compile(type_)
        try:
            validator.validate_python(value)
        except _TooDeep:
            return (_deep(value),)
        except ValidationError as error:
            if _gave_up(error):
                return (_deep(value),)
            return tuple(
                self._violation(found, type_) for found in error.errors(include_url=False)
            )
        return ()

    def guard(self, type_: Type) -> Function[[object], object]:
        """A function that gives its argument back, or raises RunError `contract-violation`.

        A callable is given back so that each of its calls is checked: what it is called with,
        and what it gives.
        """
        check = self._checked(type_)
        if not isinstance(type_, Callable):
            return check
        parameters = [self._of_call(inner) for _, inner in type_.parameters]
        result = self._of_call(type_.result)

        def checked(value: object) -> object:
            function: Any = check(value)

            def called(*given: object) -> object:
                pairs = zip(parameters, given, strict=True)
                return result(function(*(each(one) for each, one in pairs)))

            return called

        return checked

    def from_outside(self, type_: Type, value: object) -> object:
        """An argument of type `type_` as rows may rely on it: a callable so that what it gives
        is checked, anything else as it is.
        """
        taken = as_callable(type_, self._types)
        if taken is None or not callable(value) or expand(taken.result, self._types) == ANY:
            return value
        function, result = value, self._of_call(taken.result)

        def called(*given: object) -> object:
            return result(function(*given))

        return called

    def _checked(self, type_: Type) -> Function[[object], object]:
        holds = quick_test(type_, self._types)

        def check(value: object) -> object:
            try:
                if holds(value):
                    return value
            except RecursionError:
                pass  # too deep for a test; the validators know their limit
            violations = self.violations(type_, value)
            if not violations:
                return value
            listed = "; ".join(map(str, violations))
            raise RunError("contract-violation", f"not {type_}: {listed}", data=violations)

        return check

    def _of_call(self, type_: Type) -> Function[[object], object]:
        """The check of a part of a call; of a callable in it only that it is one."""
        return self._checked(type_) if isinstance(type_, Callable) else self.guard(type_)

    def _violation(self, found: Any, type_: Type) -> Violation:
        context = found.get("ctx", {})
        path = tuple(step for step in found["loc"] if step != "[key]")
        if found["type"] == "missing":
            return Violation(path, "a value", "nothing")
        secret = secret_at(type_, found["loc"], self._types)
        came = "a secret" if secret else _came(found["input"])
        return Violation(path, _cut(str(context.get("expected", found["msg"])), SAID), came)

    def _compile(self, type_: Type) -> SchemaValidator:
        from pydantic_core import SchemaValidator, core_schema

        builder = _SchemaBuilder(self._types)
        schema = builder.schema(type_)
        definitions = list(builder.definitions.values())
        if definitions:
            schema = core_schema.definitions_schema(schema, definitions)
        return SchemaValidator(schema)


class _SchemaBuilder:
    def __init__(self, types: Mapping[str, Type]) -> None:
        self.types = types
        self.definitions: dict[str, Any] = {}
        self._begun: set[str] = set()

    def schema(self, type_: Type) -> Any:
        from pydantic_core import core_schema as cs

        match type_:
            case Named(row):
                if row not in self._begun:
                    self._begun.add(row)
                    body = self.schema(self.types[row])
                    self.definitions[row] = {**body, "ref": row}
                return cs.definition_reference_schema(row)
            case Primitive("jsonb"):
                return cs.no_info_plain_validator_function(_json)
            case Secret(inner):
                return self.schema(inner)
            case Variable():
                return cs.any_schema()
            case Primitive(name):
                return _predicate(PREDICATES[name], str(type_))
            case ListOf(item):
                return _after((list, tuple), self._each(item), str(type_))
            case TupleOf(items):
                return self._tuple(items, str(type_))
            case MapOf(key, value):
                pairs = cs.dict_schema(self.schema(key), self.schema(value))
                return _after(dict, pairs, str(type_))
            case Record(fields):
                record = cs.typed_dict_schema(
                    {
                        f.name: cs.typed_dict_field(self.schema(f.type), required=f.required)
                        for f in fields
                    },
                    extra_behavior="allow",
                )
                return _after(dict, record, str(type_))
            case Union(members):
                return self._union(members, str(type_))
            case Refined(base, constraint):
                return cs.chain_schema(
                    [
                        self.schema(base),
                        _predicate(test_of(constraint), str(constraint)),
                    ]
                )
            case Callable():
                return _predicate(callable, str(type_))
            case Variant(cases):
                return self._variant(cases, str(type_))
            case _:
                return cs.any_schema()

    def _each(self, item: Type) -> Any:
        from pydantic_core import core_schema as cs

        return cs.list_schema(self.schema(item))

    def _tuple(self, items: tuple[Type, ...], expected: str) -> Any:
        from pydantic_core import core_schema as cs

        def length(value: object) -> bool:
            return isinstance(value, (list, tuple)) and len(value) == len(items)

        inner = cs.tuple_schema([self.schema(item) for item in items])
        return cs.chain_schema([_predicate(length, expected), inner])

    def _union(self, members: tuple[Type, ...], expected: str) -> Any:
        """None of several members fitting is one violation, unless only null is beside one."""
        from pydantic_core import core_schema as cs

        others = [m for m in members if m != Primitive("null")]
        if len(others) == 1 and len(members) > 1:
            return cs.nullable_schema(self.schema(others[0]))
        return self._one_of([self.schema(member) for member in members], expected)

    def _variant(self, cases: tuple[tuple[str, Type], ...], expected: str) -> Any:
        from pydantic_core import core_schema as cs

        tags = {tag for tag, _ in cases}

        def tagged(value: object) -> bool:
            match value:
                case [str() as tag, _]:
                    return tag in tags
            return False

        members = [
            cs.tuple_schema([_predicate(partial(operator.eq, tag), tag), self.schema(inner)])
            for tag, inner in cases
        ]
        return cs.chain_schema([_predicate(tagged, expected), self._one_of(members, expected)])

    def _one_of(self, members: list[Any], expected: str) -> Any:
        """One violation when a value fits none of the members."""
        from pydantic_core import SchemaValidator, ValidationError
        from pydantic_core import core_schema as cs

        schema = cs.union_schema(members)
        validator: SchemaValidator | None = None
        depth = _depth

        def holds(value: object) -> bool:
            nonlocal validator
            if validator is None:
                definitions = list(self.definitions.values())
                whole = cs.definitions_schema(schema, definitions) if definitions else schema
                validator = SchemaValidator(whole)
            # Two alternatives that look into one part must not look into it twice: every level
            # of such parts would double the time.
            seen = depth.seen.get((holds, id(value)))
            if seen is not None:
                return seen[1]
            if depth.levels == LEVELS:
                raise _TooDeep
            depth.levels += 1
            fits = True
            try:
                validator.validate_python(value)
            except ValidationError as error:
                if _gave_up(error):
                    raise _TooDeep from None
                fits = False
            finally:
                depth.levels -= 1
                if depth.levels == 0:
                    depth.seen.clear()
            if depth.levels:
                depth.seen[holds, id(value)] = value, fits
            return fits

        return _predicate(holds, expected)


_depth = _Depth()


def _deep(value: object) -> Violation:
    return Violation((), f"nesting of at most {LEVELS} levels", _came(value))


def _gave_up(error: ValidationError) -> bool:
    """Whether the value was nested too deeply to be looked at, or is inside itself."""
    found = error.errors(include_url=False, include_context=False)
    return any(each["type"].startswith("recursion_") for each in found)


def _predicate(test: Function[[Any], bool], expected: str) -> Any:
    from pydantic_core import PydanticCustomError
    from pydantic_core import core_schema as cs

    def check(value: object) -> object:
        if test(value):
            return value
        raise PydanticCustomError("graphden", "expected {expected}", {"expected": expected})

    return cs.no_info_plain_validator_function(check)


def _json(value: object) -> object:
    from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

    found = [] if is_plain_json(value) else list(islice(misfits(value), MISFITS))
    if not found:
        return value
    raise ValidationError.from_exception_data(
        ":jsonb",
        [
            InitErrorDetails(
                type=PydanticCustomError(
                    "graphden",
                    "expected {expected}",
                    {"expected": "a key that is text or a keyword" if is_key else ":jsonb"},
                ),
                loc=path[:LEVELS],
                input=part,
            )
            for path, part, is_key in found
        ],
    )


def _after(kind: type | tuple[type, ...], inner: Any, expected: str) -> Any:
    from pydantic_core import core_schema as cs

    return cs.chain_schema([_predicate(lambda v: isinstance(v, kind), expected), inner])


def _came(value: object) -> str:
    return _cut(write(value, lossy=True, most=SHOWN), SHOWN)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}…"
