"""Types as JSON Schema (2020-12), for those who exchange data with a graph.

The schema describes a value's JSON (LANGUAGE 10.2): keywords are strings, uuid and timestamps
are strings with a format, decimals are numbers. Whatever a type takes and JSON can hold, its
schema takes. Where JSON Schema cannot say as much as a constraint it says less: a pattern that
only RE2 reads becomes a `$comment`.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import quote
from uuid import UUID

from graphden.check.fit import Types
from graphden.edn import JsonProblem, Keyword, to_json
from graphden.errors import UsageError
from graphden.model.types import (
    ANY,
    Constraint,
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

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NOTHING: dict[str, Any] = {"not": {}}
TEXT = {"type": "string"}

PRIMITIVES: dict[str, dict[str, Any]] = {
    "any": {},
    "jsonb": {},
    "never": NOTHING,
    "null": {"type": "null"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "decimal": {"type": "number"},
    "numeric": {"type": "number"},
    "text": TEXT,
    "keyword": TEXT,
    "uuid": {"type": "string", "format": "uuid"},
    "timestamptz": {"type": "string", "format": "date-time"},
    "sequence": {"type": "array"},
}

BOUNDS = {
    ">": "exclusiveMinimum",
    ">=": "minimum",
    "<": "exclusiveMaximum",
    "<=": "maximum",
}

OWN_TYPES: dict[type, str] = {
    float: "float",
    Decimal: "decimal",
    str: "text",
    Keyword: "keyword",
    UUID: "uuid",
    datetime: "timestamptz",
}
"""Values that in JSON are like others of another type, as `:a` is like "a", and their types."""

_SPECIAL = re.compile(r"\\.|\(\?.|\[\[:|\{,", re.DOTALL)
_COMMON = re.compile(r"\(\?:|\\[dDsSwWbBnrtfv^$\\.*+?()\[\]{}|/-]")
"""What of `_SPECIAL` means the same in RE2 and in the patterns of JSON Schema."""


def json_schema(row: str, types: Types) -> dict[str, Any]:
    """The JSON Schema of the values of a type row.

    Raises UsageError `no-json` for a type with bytes, callables or keys of maps that are not
    text in it, which JSON cannot hold.
    """
    schemas = _Schemas(types)
    name = row.partition("/")[2]
    body = schemas.of(types[row], f":{name}")
    if row in schemas.definitions or row in schemas.begun:
        schemas.definitions[row] = body
        body = schemas.reference(row)
    found: dict[str, Any] = {"$schema": DIALECT, "title": name, **body}
    if schemas.definitions:
        found["$defs"] = {schemas.key(each): s for each, s in schemas.definitions.items()}
    return found


class _Schemas:
    """Makes schemas; type rows that are named on the way become definitions."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.definitions: dict[str, dict[str, Any]] = {}
        self.begun: set[str] = set()
        self.keys: dict[str, str] = {}

    def of(self, type_: Type, where: str) -> dict[str, Any]:
        """The schema of a type that stands at `where`, as a message may say it."""
        match type_:
            case Named(row):
                if row not in self.begun:
                    self.begun.add(row)
                    self.definitions[row] = self.of(self.types[row], where)
                return self.reference(row)
            case Primitive(name) if name in PRIMITIVES:
                return dict(PRIMITIVES[name])
            case Variable():
                return {}
            case Secret(inner):
                return {**self.of(inner, where), "writeOnly": True}
            case ListOf(item):
                return {"type": "array", "items": self.of(item, f"{where} → item")}
            case TupleOf(items):
                return _tuple([self.of(t, f"{where} → {i}") for i, t in enumerate(items)])
            case MapOf(key, value):
                values = self.of(value, f"{where} → value")
                return {
                    "type": "object",
                    **self.names(key, where),
                    "additionalProperties": values,
                }
            case Record(fields):
                return {
                    "type": "object",
                    "properties": {
                        f.name: self.of(f.type, f"{where} → :{f.name}") for f in fields
                    },
                    "required": [f.name for f in fields if f.required],
                }
            case Union(members):
                return {"anyOf": [self.of(member, where) for member in members]}
            case Variant(cases):
                return {
                    "anyOf": [
                        _tuple([{"const": tag}, self.of(inner, f"{where} → :{tag}")])
                        for tag, inner in cases
                    ]
                }
            case Refined(base, constraint):
                kind = self.kind(base)
                return {"allOf": [self.of(base, where), _constrained(constraint, kind)]}
        raise _no_json(where, f"{type_}, and JSON holds neither bytes nor callables")

    def names(self, key: Type, where: str) -> dict[str, Any]:
        """What the schema of a map says of its keys."""
        found = self.of(key, f"{where} → key")
        kind = self.kind(key)
        if isinstance(kind, Primitive) and kind.name not in ("text", "keyword", "any", "jsonb"):
            raise _no_json(where, f"a map with the keys {key}, and those of JSON are text")
        return {} if found in ({}, TEXT) else {"propertyNames": found}

    def kind(self, type_: Type) -> Type:
        """What is left of a type without names, refinements and secrecy."""
        while True:
            match type_:
                case Named(row):
                    type_ = self.types[row]
                case Refined(inner) | Secret(inner):
                    type_ = inner
                case _:
                    return type_

    def reference(self, row: str) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{quote(self.key(row))}"}

    def key(self, row: str) -> str:
        """The key of a row's definition: its identity, without a slash that needs escapes."""
        if row not in self.keys:
            key = row.replace("/", ".")
            while key in self.keys.values():
                key += "_"
            self.keys[row] = key
        return self.keys[row]


def _tuple(items: list[dict[str, Any]]) -> dict[str, Any]:
    size = len(items)
    some = {"prefixItems": items} if items else {}  # an empty one is no schema
    return {"type": "array", **some, "minItems": size, "maxItems": size}


def _constrained(constraint: Constraint, kind: Type = ANY) -> dict[str, Any]:
    """The schema of what obeys a constraint, among the values of `kind`."""
    operands: tuple[Any, ...] = constraint.operands
    match constraint.operator:
        case ">" | ">=" | "<" | "<=" as operator:
            bound = _plain(operands[0])
            return {BOUNDS[operator]: bound[0]} if bound else {}
        case "=":
            return _any_of(_plain(operands[0]))
        case "not=":
            return _other_than(operands[0], kind)
        case "in":
            return _any_of([each for member in operands[0] for each in _plain(member)])
        case "matches":
            return _pattern(operands[0])
        case "and":
            return {"allOf": [_constrained(part, kind) for part in operands]}
        case _:
            return {"anyOf": [_constrained(part, kind) for part in operands]}


def _any_of(values: list[object]) -> dict[str, Any]:
    match values:
        case []:
            return dict(NOTHING)
        case [value]:
            return {"const": value}
    return {"enum": values}


def _other_than(value: object, kind: Type) -> dict[str, Any]:
    """What JSON holds for another value too is refused only where that cannot come."""
    if isinstance(value, (list, tuple, dict)):
        return {}
    own = OWN_TYPES.get(type(value))
    if own is not None and kind != Primitive(own):
        return {}
    plain = _plain(value)
    return {"not": _any_of(plain)} if plain else {}


def _pattern(pattern: str) -> dict[str, Any]:
    if all(_COMMON.fullmatch(special) for special in _SPECIAL.findall(pattern)):
        return {"pattern": pattern}
    return {"$comment": f"matches the RE2 pattern {pattern}"}


def _plain(value: object) -> list[object]:
    """A literal as JSON has it, in a list of one; nothing when JSON cannot hold it."""
    try:
        return [json.loads(to_json(value))]
    except JsonProblem:
        return []


def _no_json(where: str, what: str) -> UsageError:
    return UsageError(
        "no-json",
        f"{where} is {what}",
        hint="Describe what is exchanged by a type row of its own, without it.",
    )
