"""What is made of maps whose fields are known, by literal keys.

A record that is not closed may have fields that are not known: what they hide is anything.
"""

from __future__ import annotations

from graphden.check.fit import KEYWORD, holds_secret
from graphden.check.shapes.lookups import found
from graphden.check.shapes.use import Rule, Use
from graphden.edn import Keyword
from graphden.model.types import (
    ANY,
    NULL,
    Callable,
    Field,
    ListOf,
    MapOf,
    Record,
    Secret,
    TupleOf,
    Type,
)

EMPTY = Record((), closed=True)


def _record(use: Use, type_: Type) -> Record | None:
    """The fields of a map; nil has none."""
    inside = use.opened(type_)
    if inside == NULL:
        return EMPTY
    return inside if isinstance(inside, Record) else None


def _merged(use: Use, before: Record, after: Record) -> Record:
    """The entries of two maps, those of the second before those of the first."""
    merged: dict[str, Field] = {}
    later = {each.name: each for each in after.fields}
    for each in before.fields:
        over = later.get(each.name)
        if over is None:
            hidden = Secret(ANY) if holds_secret(each.type, use.types) else ANY
            type_ = each.type if after.closed else hidden
            merged[each.name] = Field(each.name, type_, each.required)
        elif over.required:
            merged[each.name] = over
        else:
            either = use.join(each.type, over.type)
            merged[each.name] = Field(each.name, either, each.required)
    for name, over in later.items():
        if name not in merged and (before.closed or over.required):
            merged[name] = over
    return Record(tuple(merged.values()), before.closed and after.closed)


def _with(use: Use, record: Record, key: Keyword, value: Type) -> Record:
    return _merged(use, record, Record((Field(key.text, value),), closed=True))


def _assoc(use: Use) -> Type | None:
    record = _record(use, use.type("map"))
    for key in use.literal("key"):
        if record is not None and isinstance(key, Keyword):
            return _with(use, record, key, use.type("value"))
    return None


def _dissoc(use: Use) -> Type | None:
    record = _record(use, use.type("map"))
    for key in use.literal("key"):
        if record is not None:
            rest = tuple(each for each in record.fields if each.name != key)
            return Record(rest, record.closed)
    return None


def _merge(use: Use) -> Type | None:
    merged = EMPTY
    items = use.items("maps")
    for item in items or ():
        record = _record(use, item)
        if record is None:
            return None
        merged = _merged(use, merged, record)
    return merged if items else None


def _zipmap(use: Use) -> Type | None:
    values = use.items("vals")
    for keys in use.literal("keys"):
        if values is None or not isinstance(keys, list) or len(keys) != len(values):
            continue
        if all(isinstance(key, Keyword) for key in keys):
            pairs = zip(keys, values, strict=True)
            fields = {key.text: Field(key.text, type_) for key, type_ in pairs}
            return Record(tuple(fields.values()), closed=True)
    return None


def _select(use: Use) -> Type | None:
    record = _record(use, use.type("m"))
    for keys in use.literal("ks"):
        if record is not None and isinstance(keys, list):
            names = [each.name for each in record.fields]
            kept = tuple(each for each in record.fields if each.name in keys)
            return Record(kept, record.closed or all(key in names for key in keys))
    return None


def _keys(use: Use) -> Type | None:
    record = _record(use, use.type("map"))
    return ListOf(KEYWORD) if record is not None and record.closed else None


def _update_vals(use: Use) -> Type | None:
    record = _record(use, use.type("m"))
    if record is None or not record.closed or not isinstance(use.inferred, MapOf):
        return None
    new = use.inferred.value
    return Record(tuple(Field(f.name, new, f.required) for f in record.fields), closed=True)


def _put(use: Use, type_: Type, path: list[object], value: Type) -> Type | None:
    """The type of a structure with `value` at the end of a path."""
    if not path:
        return value
    key, below = path[0], path[1:]
    made: list[Type] = []
    for member in use.members(type_):
        inside, sure = found(use, member, key)
        inner = _put(use, inside if sure else use.join(inside, NULL), below, value)
        record = _record(use, member)
        match member:
            case _ if record and inner and isinstance(key, Keyword):
                made.append(_with(use, record, key, inner))
            case TupleOf(items) if inner and sure and isinstance(key, int):
                made.append(TupleOf((*items[:key], inner, *items[key + 1 :])))
            case _:
                return None
    return use.join(*made)


def _assoc_in(use: Use) -> Type | None:
    for path in use.literal("path"):
        if isinstance(path, list):
            return _put(use, use.type("m"), path, use.type("v"))
    return None


def _update_in(use: Use) -> Type | None:
    changed = use.type("f")
    for path in use.literal("path"):
        if isinstance(path, list) and isinstance(changed, Callable):
            return _put(use, use.type("m"), path, changed.result)
    return None


RULES: dict[str, Rule] = {
    "core.collections/assoc": _assoc,
    "core.collections/dissoc": _dissoc,
    "core.collections/merge": _merge,
    "core.collections/zipmap": _zipmap,
    "core.collections/select-keys": _select,
    "core.collections/keys": _keys,
    "core.collections/update-vals": _update_vals,
    "core.collections/assoc-in": _assoc_in,
    "core.collections/update-in": _update_in,
}
