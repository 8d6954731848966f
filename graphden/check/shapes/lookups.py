"""What stands in collections: `get` and `get-in`."""

from __future__ import annotations

from graphden.check.fit import NEVER, holds_secret
from graphden.check.shapes.use import Rule, Use
from graphden.model.types import (
    ANY,
    NULL,
    ListOf,
    MapOf,
    Primitive,
    Record,
    Secret,
    TupleOf,
    Type,
    Union,
)


def found(use: Use, type_: Type, key: object) -> tuple[Type, bool]:
    """The type of what is behind a literal key, if something is; and whether that is sure."""
    match use.opened(type_):
        case Union(members):
            each = [found(use, member, key) for member in members]
            return use.join(*(inner for inner, _ in each)), all(sure for _, sure in each)
        case Record(fields, closed) if isinstance(key, str):
            for field in fields:
                if field.name == str.__str__(key):
                    return field.type, field.required
            return (NEVER, False) if closed else (_anything(use, type_), False)
        case MapOf(_, value):
            return value, False
        case ListOf(item):
            return item, False
        case TupleOf(items) if isinstance(key, int) and not isinstance(key, bool):
            return (items[key], True) if 0 <= key < len(items) else (NEVER, False)
        case Primitive("null"):
            return NEVER, False
        case Primitive("jsonb") as json:
            return json, False
        case Secret(inner):
            inside, sure = found(use, inner, key)
            return Secret(inside), sure
    return _anything(use, type_), False


def _anything(use: Use, type_: Type) -> Type:
    return Secret(ANY) if holds_secret(type_, use.types) else ANY


def _get(use: Use) -> Type | None:
    default = use.optional("default")
    for key in use.literal("key"):
        inside, sure = found(use, use.type("coll"), key)
        return inside if sure else use.join(inside, default)
    match use.opened(use.type("coll")):
        case MapOf(_, value):
            return use.join(value, default)
        case ListOf(item):
            return use.join(item, default)
        case TupleOf(items) if items:
            return use.join(*items, default)
    return None


def _get_in(use: Use) -> Type | None:
    for path in use.literal("path"):
        if not isinstance(path, list):
            return None
        inside, always = use.type("map"), True
        for key in path:
            inside, sure = found(use, inside, key)
            always = always and sure
        return inside if always else use.join(inside, use.optional("default"))
    return None


def _nullable(use: Use) -> Type | None:
    return use.join(use.inferred, NULL)


def _first(use: Use) -> Type | None:
    match use.opened(use.type("coll")):
        case TupleOf((item, *_)):
            return item
    return _nullable(use)


RULES: dict[str, Rule] = {
    "core.collections/get": _get,
    "core.collections/get-in": _get_in,
    "core.collections/first": _first,
    "core.hof/find-first": _nullable,
}
