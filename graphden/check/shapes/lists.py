"""What makes lists, and callables of lists of callables."""

from __future__ import annotations

from graphden.check.fit import KEYWORD
from graphden.check.shapes.use import Rule, Use
from graphden.check.values import without_null
from graphden.model.resolved import Open, Wrap
from graphden.model.types import ANY, Callable, ListOf, MapOf, Primitive, Record, TupleOf, Type

LONGEST = 8
"""Items up to which a list is told apart by its places."""

TEXT = Primitive("text")
STEP = Callable((("item", ANY),), ANY)


def _list(use: Use) -> Type | None:
    items = use.items("items")
    return TupleOf(tuple(items)) if items and len(items) <= LONGEST else None


def parts(use: Use, type_: Type) -> Type | None:
    """The type of the items of a collection, as `vec` gives them."""
    found: list[Type] = []
    for member in use.members(type_):
        match member:
            case ListOf(item):
                found.append(item)
            case TupleOf(items):
                found.extend(items)
            case MapOf(key, value):
                found.append(TupleOf((key, value)))
            case Record(fields, closed=True):
                found.extend(TupleOf((KEYWORD, field.type)) for field in fields)
            case Primitive("text"):
                found.append(TEXT)
            case Primitive("null" | "never"):
                pass
            case _:
                return None
    return use.join(*found)


def _vec(use: Use) -> Type | None:
    item = parts(use, use.type("coll"))
    return None if item is None else ListOf(item)


def pair(use: Use, type_: Type | None) -> tuple[Type, Type] | None:
    """The types of the keys and the values of pairs."""
    keys: list[Type] = []
    values: list[Type] = []
    for member in [] if type_ is None else use.members(type_):
        match member:
            case TupleOf((key, value)):
                keys.append(key)
                values.append(value)
            case ListOf(item):
                keys.append(item)
                values.append(item)
            case Primitive("never"):
                pass
            case _:
                return None
    return None if type_ is None else (use.join(*keys), use.join(*values))


def _into(use: Use) -> Type | None:
    item = parts(use, use.type("from"))
    if item is None:
        return None
    made: list[Type] = []
    for member in use.members(use.type("to")):
        match member:
            case ListOf(own):
                made.append(ListOf(use.join(own, item)))
            case TupleOf(items):
                made.append(ListOf(use.join(*items, item)))
            case Primitive("null"):
                made.append(ListOf(item))
            case MapOf(key, value) if entries := pair(use, item):
                made.append(MapOf(use.join(key, entries[0]), use.join(value, entries[1])))
            case _:
                return None
    return use.join(*made)


def _pairs(use: Use) -> Type | None:
    entries = pair(use, parts(use, use.type("entries")))
    return None if entries is None else MapOf(*entries)


def _filter(use: Use) -> Type | None:
    """A direct `some?` of each item leaves no nil."""
    source = use.sources["pred"]
    if not isinstance(source, Wrap) or source.renamed:
        return None
    target = use.analysed.program.resolved[source.target]
    if target.root.id != "core.logic/some?":
        return None
    [slot] = target.slots
    if isinstance(slot.source, Open) and slot.source.default is None:
        name = slot.source.name
    elif slot.source is None:
        name = slot.name
    else:
        return None
    if source.receivers != (name,) or not isinstance(use.inferred, ListOf):
        return None
    item = use.inferred.item
    return ListOf(use.join(*map(without_null, use.members(item))))


def _comp(use: Use) -> Type | None:
    """What the first gives is given; what the last takes is looked at when it is called."""
    steps = use.items("functions", STEP)
    match steps:
        case [Callable((_,), result), *_]:
            return Callable(STEP.parameters, result)
    return None


RULES: dict[str, Rule] = {
    "core.collections/list": _list,
    "core.collections/vec": _vec,
    "core.collections/into": _into,
    "core.collections/pairs->map": _pairs,
    "core.hof/filter": _filter,
    "core.hof/comp": _comp,
}
