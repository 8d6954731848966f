"""Types as pydantic-core validators.

They are predicates: what they return is dropped, so a value is never changed.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable as Function
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import UUID

from graphden.check.constraints import test_of
from graphden.check.json_data import is_finite, is_json, is_plain_json, misfits
from graphden.edn import Keyword
from graphden.model.types import (
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

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator, ValidationError


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


PREDICATES: dict[str, Function[[object], bool]] = {
    "any": lambda _: True,
    "never": lambda _: False,
    "null": lambda v: v is None,
    "bool": lambda v: isinstance(v, bool),
    "int": _is_int,
    "float": lambda v: is_finite(v) if isinstance(v, float) else _is_int(v),
    "decimal": lambda v: isinstance(v, Decimal) and v.is_finite(),
    "numeric": lambda v: is_finite(v) if isinstance(v, (float, Decimal)) else _is_int(v),
    "text": lambda v: isinstance(v, str) and not isinstance(v, Keyword),
    "keyword": lambda v: isinstance(v, Keyword),
    "uuid": lambda v: isinstance(v, UUID),
    "timestamptz": lambda v: isinstance(v, datetime) and v.tzinfo is not None,
    "bytes": lambda v: isinstance(v, bytes),
    "jsonb": is_json,
    "sequence": lambda v: isinstance(v, (list, tuple)),
}


LEVELS = 200
"""Values of recursive types may be nested so deep at least; pydantic's own limit is near."""


MISFITS = 10
"""Parts that are told of a value that is no jsonb."""


class TooDeep(Exception):  # noqa: N818 - no error of ours: `violations` makes a violation of it
    """A value of a recursive type is nested too deeply to be looked at."""


class _Depth(threading.local):
    """How many alternatives of alternatives are being tried on this thread, and of which values
    it is known which alternatives they fit; they are kept, so that their ids stay theirs.
    """

    levels = 0

    def __init__(self) -> None:
        self.seen: dict[tuple[object, int], tuple[object, bool]] = {}


def validator_of(type_: Type, types: Mapping[str, Type]) -> SchemaValidator:
    """The validator of a type, whose names mean `types`."""
    from pydantic_core import SchemaValidator, core_schema

    builder = _SchemaBuilder(types)
    schema = builder.schema(type_)
    definitions = list(builder.definitions.values())
    if definitions:
        schema = core_schema.definitions_schema(schema, definitions)
    return SchemaValidator(schema)


def gave_up(error: ValidationError) -> bool:
    """Whether the value was nested too deeply to be looked at, or is inside itself."""
    found = error.errors(include_url=False, include_context=False)
    return any(each["type"].startswith("recursion_") for each in found)


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
                raise TooDeep
            depth.levels += 1
            fits = True
            try:
                validator.validate_python(value)
            except ValidationError as error:
                if gave_up(error):
                    raise TooDeep from None
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
