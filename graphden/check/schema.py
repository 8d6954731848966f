"""Types as JSON Schema (2020-12), for those who exchange data with a graph.

The schema describes a value's JSON (LANGUAGE 10.2): keywords are strings, uuid and timestamps
are strings with a format, decimals are numbers.
"""

from __future__ import annotations

from typing import Any

from graphden.check.fit import Types
from graphden.edn import Keyword
from graphden.errors import UsageError
from graphden.model.types import (
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

PRIMITIVES: dict[str, dict[str, Any]] = {
    "any": {},
    "jsonb": {},
    "never": {"not": {}},
    "null": {"type": "null"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "decimal": {"type": "number"},
    "numeric": {"type": "number"},
    "text": {"type": "string"},
    "keyword": {"type": "string"},
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


def json_schema(row: str, types: Types) -> dict[str, Any]:
    """The JSON Schema of the values of a type row.

    Raises UsageError `no-json` for a type with bytes or callables in it, which JSON cannot
    hold.
    """
    schemas = _Schemas(types)
    body = schemas.of(types[row])
    found: dict[str, Any] = {"$schema": DIALECT, "title": row.partition("/")[2], **body}
    if row in schemas.used:
        found = {"$schema": DIALECT, "$ref": f"#/$defs/{_key(row)}"}
        schemas.definitions[row] = body
    if schemas.definitions:
        found["$defs"] = {_key(name): each for name, each in schemas.definitions.items()}
    return found


class _Schemas:
    def __init__(self, types: Types) -> None:
        self.types = types
        self.definitions: dict[str, dict[str, Any]] = {}
        self.used: set[str] = set()

    def of(self, type_: Type) -> dict[str, Any]:
        match type_:
            case Named(row):
                if row not in self.used:
                    self.used.add(row)
                    self.definitions[row] = self.of(self.types[row])
                return {"$ref": f"#/$defs/{_key(row)}"}
            case Primitive(name) if name in PRIMITIVES:
                return dict(PRIMITIVES[name])
            case Variable():
                return {}
            case Secret(inner):
                return {**self.of(inner), "writeOnly": True}
            case ListOf(item):
                return {"type": "array", "items": self.of(item)}
            case TupleOf(items):
                each = [self.of(item) for item in items]
                return {
                    "type": "array",
                    "prefixItems": each,
                    "minItems": len(each),
                    "maxItems": len(each),
                }
            case MapOf(_, value):
                return {"type": "object", "additionalProperties": self.of(value)}
            case Record(fields):
                return {
                    "type": "object",
                    "properties": {field.name: self.of(field.type) for field in fields},
                    "required": [field.name for field in fields if field.required],
                }
            case Union(members):
                return {"anyOf": [self.of(member) for member in members]}
            case Variant(cases):
                return {
                    "anyOf": [
                        {
                            "type": "array",
                            "prefixItems": [{"const": tag}, self.of(inner)],
                            "minItems": 2,
                            "maxItems": 2,
                        }
                        for tag, inner in cases
                    ]
                }
            case Refined(base, constraint):
                return {"allOf": [self.of(base), _constrained(constraint)]}
        raise UsageError(
            "no-json",
            f"{type_} has no JSON Schema",
            hint="JSON holds neither bytes nor callables.",
        )


def _constrained(constraint: Constraint) -> dict[str, Any]:
    operands: tuple[Any, ...] = constraint.operands
    match constraint.operator:
        case ">" | ">=" | "<" | "<=" as operator:
            return {BOUNDS[operator]: operands[0]}
        case "=":
            return {"const": _plain(operands[0])}
        case "not=":
            return {"not": {"const": _plain(operands[0])}}
        case "in":
            return {"enum": [_plain(member) for member in operands[0]]}
        case "matches":
            return {"pattern": operands[0]}
        case "and":
            return {"allOf": [_constrained(part) for part in operands]}
        case _:
            return {"anyOf": [_constrained(part) for part in operands]}


def _plain(value: object) -> object:
    return value.text if isinstance(value, Keyword) else value


def _key(row: str) -> str:
    """A row's identity as a key that a reference can name without escapes."""
    return row.replace("/", ".")
