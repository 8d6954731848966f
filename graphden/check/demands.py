"""What base functions ask beyond what a signature can say: slots of type `any` that take
several kinds of values but not all, and lists whose items must be of one kind.

Only what no value of a type can meet is told; what `any` and `jsonb` hide is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphden.check.fit import Types, opened
from graphden.model.types import (
    ANY,
    Callable,
    ListOf,
    MapOf,
    Primitive,
    Record,
    Secret,
    TupleOf,
    Type,
    Union,
    Variable,
    Variant,
)

UNKNOWN = "unknown"
NUMBERS = frozenset(("int", "float", "decimal", "numeric"))

COLLECTION = ("a list, map, set or text", frozenset(("list", "map", "text", "null")))
STRUCTURE = ("a map or list", frozenset(("list", "map", "null")))
CELL = ("a cell, as :atom gives one", frozenset[str]())

KINDS: dict[str, dict[str, tuple[str, frozenset[str]]]] = {
    "core.collections/count": {"coll": COLLECTION},
    "core.collections/empty?": {"coll": COLLECTION},
    "core.collections/vec": {"coll": COLLECTION},
    "core.collections/get": {"coll": COLLECTION},
    "core.collections/contains?": {
        "coll": ("a map, list or set", frozenset(("list", "map", "null")))
    },
    "core.collections/into": {
        "to": ("a list, map or set", frozenset(("list", "map", "null"))),
        "from": COLLECTION,
    },
    "core.control/deref": {"a": CELL},
    "core.control/swap": {"a": CELL},
    "core.control/reset": {"a": CELL},
    "core.control/throwable-message": {"ex": ("an error", frozenset())},
}
"""The slots of type `any`, and the kinds of values that they take."""

THROUGH_PATHS = {
    "core.collections/get-in": "map",
    "core.collections/assoc-in": "m",
    "core.collections/update-in": "m",
}
"""The slots that take any value for an empty path, and else a structure."""

UNORDERED = frozenset(("map", "bytes", "callable"))


def unmet(
    function: str, actual: Mapping[str, Type], types: Types, *, has_path: bool
) -> Iterator[tuple[str, str]]:
    """The slots of a use of `function` that hold what it cannot take, and what they take;
    `has_path` is whether there is surely a step in its slot `path`.
    """
    asked = dict(KINDS.get(function, {}))
    through = THROUGH_PATHS.get(function)
    if through is not None and has_path:
        asked[through] = COLLECTION if function.endswith("get-in") else STRUCTURE
    for slot, (words, kinds) in asked.items():
        if slot in actual and not (_kinds(actual[slot], types) & (kinds | {UNKNOWN})):
            yield slot, words
    match function, actual:
        case "core.collections/sort", {"coll": coll}:
            if _without_order(_item(coll, types), types):
                yield "coll", "items of one kind that has an order"
        case "core.hof/sort-by", {"key-fn": Callable(_, result)}:
            if _without_order(result, types):
                yield "key-fn", "a callable that gives keys of one kind that has an order"


def _item(type_: Type, types: Types) -> Type:
    match opened(type_, types):
        case ListOf(item):
            return item
        case TupleOf(items) if items:
            return Union(items)
    return ANY


def _without_order(type_: Type, types: Types) -> bool:
    kinds = _kinds(type_, types) - {"null"}
    return UNKNOWN not in kinds and (len(kinds) > 1 or bool(kinds & UNORDERED))


def _kinds(type_: Type, types: Types) -> frozenset[str]:
    """The kinds of values that a type holds."""
    match opened(type_, types):
        case Union(members):
            return frozenset[str]().union(*(_kinds(each, types) for each in members))
        case ListOf() | TupleOf() | Variant() | Primitive("sequence"):
            return frozenset(("list",))
        case Record() | MapOf():
            return frozenset(("map",))
        case Callable():
            return frozenset(("callable",))
        case Secret() | Variable() | Primitive("any" | "jsonb" | "never"):
            return frozenset((UNKNOWN,))
        case Primitive(name):
            return frozenset(("number",)) if name in NUMBERS else frozenset((name,))
    return frozenset((UNKNOWN,))
