"""Base functions whose result depends on more than their signature says (LANGUAGE 8.4)."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Sequence as Many
from typing import Protocol

from graphden.check.fit import KEYWORD, NEVER, Types, holds_secret, opened
from graphden.check.values import join, without_null
from graphden.edn import Keyword
from graphden.model.resolved import Constant, Program, ResolvedRow, Sequence, Source
from graphden.model.types import (
    ANY,
    NULL,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Record,
    Secret,
    TupleOf,
    Type,
    Union,
)

INT, FLOAT, DECIMAL = Primitive("int"), Primitive("float"), Primitive("decimal")
JSON = Primitive("jsonb")


class Uses(Protocol):
    """One use of a base function, as far as it is analysed."""

    program: Program
    types: Types
    row: ResolvedRow
    actual: dict[str, Type]

    def source(self, source: Source, expected: Type) -> Type: ...


def result_of(function: str, use: Uses, inferred: Type) -> Type | None:
    """What is known of the result beyond `inferred`, if anything."""
    rule = RULES.get(function)
    return None if rule is None else rule(_Use(use, inferred))


class _Use:
    """What rules ask: the type in a slot, the literal in it, the items written there."""

    def __init__(self, use: Uses, inferred: Type) -> None:
        self.use = use
        self.inferred = inferred
        self.types = use.types
        self.sources = {slot.declaration.name: slot.source for slot in use.row.slots}

    def type(self, slot: str) -> Type:
        return self.use.actual.get(slot, ANY)

    def opened(self, type_: Type) -> Type:
        return opened(type_, self.types)

    def literal(self, slot: str) -> tuple[object, ...]:
        """The literal in a slot as a tuple of one; nothing when it is none."""
        source = self.sources[slot]
        if isinstance(source, Constant):
            return (source.value,)
        if isinstance(source, Sequence):
            values = [item.value for item in source.items if isinstance(item, Constant)]
            return (values,) if len(values) == len(source.items) else ()
        return ()

    def or_null(self, slot: str) -> Type:
        """The type in a slot, opened when it names a type with nil in it."""
        type_ = self.type(slot)
        inside = self.opened(type_)
        return inside if isinstance(inside, Union) or inside == NULL else type_

    def items(self, slot: str) -> list[Type] | None:
        source = self.sources[slot]
        if not isinstance(source, Sequence):
            return None
        return [self.use.source(item, ANY) for item in source.items]

    def join(self, *members: Type) -> Type:
        return join(members, self.types)

    def field(self, type_: Type, key: object, default: Type) -> Type:
        """The type of what `get` finds under `key`."""
        match self.opened(type_):
            case Union(members):
                return self.join(*(self.field(member, key, default) for member in members))
            case Record(fields) if isinstance(key, str):
                for each in fields:
                    if each.name == str.__str__(key):
                        return each.type if each.required else self.join(each.type, default)
                return ANY
            case MapOf(_, value):
                return self.join(value, default)
            case ListOf(item):
                return self.join(item, default)
            case TupleOf(items) if isinstance(key, int) and 0 <= key < len(items):
                return items[key]
            case Primitive("null"):
                return default
            case Primitive("jsonb"):
                return self.join(JSON, default)
            case Secret(inner):
                return Secret(self.field(inner, key, default))
        return Secret(ANY) if holds_secret(type_, self.types) else ANY


Rule = Function[[_Use], Type | None]


def _same_numbers(*slots: str) -> Rule:
    """Ints stay ints, floats floats, decimals decimals."""

    def rule(use: _Use) -> Type | None:
        found: list[Type] = []
        for slot in slots:
            type_ = use.opened(use.type(slot))
            match type_:
                case ListOf(item):
                    found.extend(use.opened(each) for each in use.items(slot) or [item])
                case TupleOf(items):
                    found.extend(use.opened(each) for each in items)
                case _:
                    found.append(type_)
        for number in (INT, DECIMAL):
            if found and all(type_ in (number, NEVER) for type_ in found):
                return number
        if found and all(type_ in (INT, FLOAT) for type_ in found) and FLOAT in found:
            return FLOAT
        return None

    return rule


def _cond(use: _Use) -> Type | None:
    items = use.items("clauses")
    if items is None or len(items) % 2:
        return None
    source = use.sources["clauses"]
    last = source.items[-2] if isinstance(source, Sequence) and source.items else None
    always = isinstance(last, Constant) and last.value not in (None, False)
    return use.join(*items[1::2], *(() if always else (NULL,)))


def _case(use: _Use) -> Type | None:
    items = use.items("clauses")
    if items is None or len(items) % 2:
        return None
    default = use.type("default") if use.sources["default"] is not None else NULL
    return use.join(*items[1::2], default)


def _do(use: _Use) -> Type | None:
    items = use.items("steps")
    return None if items is None else items[-1] if items else NULL


def _if(use: _Use) -> Type | None:
    return use.join(use.type("then"), use.use.actual.get("else", NULL))


def _coalesce(use: _Use) -> Type | None:
    return use.join(without_null(use.or_null("value")), use.type("default"))


def _assert_some(use: _Use) -> Type | None:
    return without_null(use.or_null("value"))


def _get(use: _Use) -> Type | None:
    default = use.type("default") if use.sources["default"] is not None else NULL
    coll = use.type("coll")
    for key in use.literal("key"):
        return use.field(coll, key, default)
    match use.opened(coll):
        case MapOf(_, value):
            return use.join(value, default)
        case ListOf(item):
            return use.join(item, default)
    return None


def _get_in(use: _Use) -> Type | None:
    default = use.type("default") if use.sources["default"] is not None else NULL
    for path in use.literal("path"):
        found = use.type("map")
        for key in path if isinstance(path, list) else ():
            found = use.field(found, key, default)
        return found
    return None


def _fields(use: _Use, slot: str) -> tuple[Field, ...] | None:
    inside = use.opened(use.type(slot))
    if inside == NULL:
        return ()
    return inside.fields if isinstance(inside, Record) else None


def _with(fields: Many[Field], more: Many[Field]) -> Record:
    merged = {each.name: each for each in fields}
    for each in more:
        before = merged.get(each.name)
        if before is not None and not each.required:
            merged[each.name] = Field(
                each.name, join((before.type, each.type), {}), before.required
            )
        else:
            merged[each.name] = each
    return Record(tuple(merged.values()))


def _assoc(use: _Use) -> Type | None:
    fields = _fields(use, "map")
    for key in use.literal("key"):
        if fields is not None and isinstance(key, Keyword):
            return _with(fields, (Field(key.text, use.type("value")),))
    return None


def _dissoc(use: _Use) -> Type | None:
    fields = _fields(use, "map")
    for key in use.literal("key"):
        if fields is not None:
            return Record(tuple(each for each in fields if each.name != key))
    return None


def _merge(use: _Use) -> Type | None:
    items = use.items("maps")
    merged: Record | None = Record(())
    for item in items or ():
        inside = use.opened(item)
        if inside == NULL:
            continue
        if merged is None or not isinstance(inside, Record):
            return None
        merged = _with(merged.fields, inside.fields)
    return merged if items else None


def _zipmap(use: _Use) -> Type | None:
    values = use.items("vals")
    for keys in use.literal("keys"):
        if values is None or not isinstance(keys, list) or len(keys) != len(values):
            continue
        if all(isinstance(key, Keyword) for key in keys):
            pairs = zip(keys, values, strict=True)
            return Record(tuple(Field(key.text, type_) for key, type_ in pairs))
    return None


def _select(use: _Use) -> Type | None:
    fields = _fields(use, "m")
    for keys in use.literal("ks"):
        if fields is not None and isinstance(keys, list):
            return Record(tuple(each for each in fields if each.name in keys))
    return None


def _keys(use: _Use) -> Type | None:
    return ListOf(KEYWORD) if _fields(use, "map") else None


def _nullable(use: _Use) -> Type | None:
    return use.join(use.inferred, NULL)


RULES: dict[str, Rule] = {
    "core.arithmetic/add": _same_numbers("nums"),
    "core.arithmetic/sub": _same_numbers("nums"),
    "core.arithmetic/mul": _same_numbers("nums"),
    "core.arithmetic/neg": _same_numbers("number"),
    "core.arithmetic/abs": _same_numbers("number"),
    "core.arithmetic/mod": _same_numbers("dividend", "divisor"),
    "core.arithmetic/quot": _same_numbers("dividend", "divisor"),
    "core.logic/if": _if,
    "core.logic/cond": _cond,
    "core.logic/case": _case,
    "core.logic/coalesce": _coalesce,
    "core.logic/assert-some": _assert_some,
    "core.control/do": _do,
    "core.collections/get": _get,
    "core.collections/get-in": _get_in,
    "core.collections/assoc": _assoc,
    "core.collections/dissoc": _dissoc,
    "core.collections/merge": _merge,
    "core.collections/zipmap": _zipmap,
    "core.collections/select-keys": _select,
    "core.collections/keys": _keys,
    "core.collections/first": _nullable,
    "core.hof/find-first": _nullable,
}
