"""Calls that are written out for what their inputs are: literal keys, lists written in rows.

These are known by name, as control forms are; what needs types alone is a template
(`templates`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TypeAlias

from graphden.check.fit import KEYWORD, TEXT, fit, opened
from graphden.compile.code import DEEPEST
from graphden.compile.schedule import Bodies
from graphden.compile.static import static_type
from graphden.compile.templates import Chosen, Expression
from graphden.model.plan import Build, Call, Constant, Node
from graphden.model.types import MapOf, Record, TupleOf, Type, Union

Types: TypeAlias = Mapping[str, Type]


def shaped(call: Call, bodies: Bodies, types: Types, lonely: Container[Node]) -> Chosen | None:
    """What stands for a call of a base function, if the compiler knows it and its inputs allow
    it.

    `lonely` are the nodes that one place mentions.
    """
    match bodies[call.function].inline:
        case "get":
            return _get(call, types)
        case "assoc":
            return _assoc(call, types)
        case "merge":
            return _merge(call, types)
        case "zipmap":
            return _zipmap(call, bodies, lonely)
        case "list":
            items = call.inputs[0].nodes[0]
            if isinstance(items, Build):
                return Chosen(Expression("items"), (items,), ("items",))
    return None


def _get(call: Call, types: Types) -> Chosen | None:
    coll, key, _ = (each.nodes[0] for each in call.inputs)
    if not isinstance(key, Constant):
        return None
    type_ = opened(static_type(coll, types), types)
    match type_, key.value:
        case Record(fields), str() as name:
            known = any(f.name == str.__str__(name) and f.required for f in fields)
        case TupleOf(items), int() as index if not isinstance(index, bool):
            known = 0 <= index < len(items)
        case _:
            known = False
    return Chosen(Expression("coll[key]"), (coll, key), ("coll", "key")) if known else None


def _assoc(call: Call, types: Types) -> Chosen | None:
    entries, key, value = (each.nodes[0] for each in call.inputs)
    if not (_plain_map(entries, types) and _plain_key(key, types)):
        return None
    names = ("map", "key", "value")
    return Chosen(Expression("{**map, key: value}"), (entries, key, value), names)


def _merge(call: Call, types: Types) -> Chosen | None:
    maps = call.inputs[0].nodes[0]
    if not isinstance(maps, Build) or not 1 <= len(maps.items) <= 10:
        return None
    if not all(_plain_map(each, types) for each in maps.items):
        return None
    names = tuple(f"m{index}" for index in range(len(maps.items)))
    text = "{" + ", ".join(f"**{name}" for name in names) + "}"
    return Chosen(Expression(text), maps.items, names)


def _zipmap(call: Call, bodies: Bodies, lonely: Container[Node]) -> Chosen | None:
    keys, values = (each.nodes[0] for each in call.inputs)
    if isinstance(values, Call) and bodies[values.function].inline == "list":
        if values not in lonely:
            return None
        values = values.inputs[0].nodes[0]
    if not (isinstance(keys, Constant) and isinstance(keys.value, list)):
        return None
    if (
        not isinstance(values, Build)
        or values not in lonely
        or len(values.items) != len(keys.value)
    ):
        return None
    if not all(isinstance(key, str) for key in keys.value) or len(keys.value) > 20:
        return None
    named = [(f"k{i}", f"v{i}") for i in range(len(keys.value))]
    text = "{" + ", ".join(f"{key}: {value}" for key, value in named) + "}"
    nodes = (*map(Constant, keys.value), *values.items)
    names = (*(key for key, _ in named), *(value for _, value in named))
    return Chosen(Expression(text), nodes, names)


def _plain_map(node: Node, types: Types) -> bool:
    """Whether a node is proved to be a map whose keys are keywords or texts."""
    match opened(static_type(node, types), types):
        case Record():
            return True
        case MapOf(key, _):
            return bool(fit(key, Union((KEYWORD, TEXT)), types))
    return False


def _plain_key(node: Node, types: Types) -> bool:
    return bool(fit(static_type(node, types), Union((KEYWORD, TEXT)), types))


def joins(call: Call) -> bool:
    """Whether a call of `str` is over parts that its row writes, few enough for an f-string."""
    parts = call.inputs[0].nodes[0]
    return isinstance(parts, Build) and len(parts.items) <= DEEPEST
