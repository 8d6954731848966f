"""What arithmetic gives: ints stay ints, but for `div`; a float among ints makes floats."""

from __future__ import annotations

from graphden.check.fit import NEVER
from graphden.check.shapes.use import Rule, Use
from graphden.model.types import ListOf, Primitive, TupleOf, Type, Union

INT, FLOAT, DECIMAL = Primitive("int"), Primitive("float"), Primitive("decimal")

Kinds = frozenset[Type]


def _kinds(use: Use, type_: Type) -> Kinds:
    """The kinds of numbers that a type holds."""
    return frozenset(each for each in use.members(type_) if each != NEVER)


def _result(found: list[Kinds]) -> Type | None:
    """What comes of numbers of which each is of one of its kinds."""
    kinds = frozenset[Type]().union(*found)
    if kinds <= {INT}:
        return INT
    if kinds <= {INT, FLOAT}:
        return FLOAT
    if not kinds <= {INT, DECIMAL}:
        return None
    return DECIMAL if any(each == {DECIMAL} for each in found) else Union((INT, DECIMAL))


def _numbers(use: Use, slot: str) -> tuple[list[Kinds], bool]:
    """The kinds of the numbers in a list, and whether there is one at least."""
    items = use.items(slot)
    if items is None:
        match use.opened(use.type(slot)):
            case TupleOf(inner):
                items = list(inner)
            case ListOf(item):
                return [_kinds(use, item)], False
            case other:
                return [frozenset((other,))], False
    return [_kinds(use, each) for each in items], bool(items)


def _total(use: Use) -> Type | None:
    """Of no numbers the total is an int, whatever they would have been."""
    found, some = _numbers(use, "nums")
    result = _result(found)
    return Union((INT, DECIMAL)) if result == DECIMAL and not some else result


def _less(use: Use) -> Type | None:
    found, _ = _numbers(use, "nums")
    return _result(found)


def _div(use: Use) -> Type | None:
    found, _ = _numbers(use, "nums")
    result = _result(found)
    return FLOAT if result == INT else None if isinstance(result, Union) else result


def _alike(*slots: str) -> Rule:
    return lambda use: _result([_kinds(use, use.type(slot)) for slot in slots])


RULES: dict[str, Rule] = {
    "core.arithmetic/add": _total,
    "core.arithmetic/mul": _total,
    "core.arithmetic/sub": _less,
    "core.arithmetic/div": _div,
    "core.arithmetic/neg": _alike("number"),
    "core.arithmetic/abs": _alike("number"),
    "core.arithmetic/mod": _alike("dividend", "divisor"),
    "core.arithmetic/quot": _alike("dividend", "divisor"),
}
