"""Constraints of refinements (LANGUAGE 8.3): what satisfies one, and when one implies
another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphden.edn import equal
from graphden.edn.equality import identity_key
from graphden.edn.patterns import compile_pattern
from graphden.model.types import Constraint


def satisfies(value: Any, constraint: Constraint) -> bool:
    """Whether a value obeys a constraint; equality as in LANGUAGE 10.1."""
    operands: tuple[Any, ...] = constraint.operands
    try:
        match constraint.operator:
            case ">":
                return bool(value > operands[0])
            case ">=":
                return bool(value >= operands[0])
            case "<":
                return bool(value < operands[0])
            case "<=":
                return bool(value <= operands[0])
            case "=":
                return equal(value, operands[0])
            case "not=":
                return not equal(value, operands[0])
            case "in":
                return any(equal(value, member) for member in operands[0])
            case "matches":
                return isinstance(value, str) and compile_pattern(operands[0]).found_in(value)
            case "and":
                return all(satisfies(value, part) for part in operands)
            case _:
                return any(satisfies(value, part) for part in operands)
    except TypeError:
        return False


def test_of(constraint: Constraint) -> Callable[[object], bool]:
    """A function that tells whether a value obeys a constraint, in the same time whether that
    lists ten values or ten thousand.
    """
    if constraint.operator != "in":
        return lambda value: satisfies(value, constraint)
    [members] = constraint.operands
    known = {identity_key(member) for member in members}  # type: ignore[attr-defined]
    return lambda value: identity_key(value) in known


def implies(given: Constraint, wanted: Constraint) -> bool:
    """Whether every value that obeys `given` surely obeys `wanted`.

    Never says yes wrongly; may say no where a proof would take more than comparing bounds.
    """
    if str(given) == str(wanted):  # 1 and true are equal to Python, not to rows
        return True
    mine: tuple[Any, ...] = given.operands
    theirs: tuple[Any, ...] = wanted.operands
    match given.operator, wanted.operator:
        case _, "and":
            return all(implies(given, part) for part in theirs)
        case "or", _:
            return all(implies(part, wanted) for part in mine)
        case "=", _:
            return satisfies(mine[0], wanted)
        case "in", _:
            return all(map(test_of(wanted), mine[0]))
        case _, "or":
            if any(implies(given, part) for part in theirs):
                return True
        case _, "not=":
            return not satisfies(theirs[0], given)
        case ((">" | ">=" | "<" | "<="), (">" | ">=" | "<" | "<=")):
            return _bounds(given, wanted)
    if given.operator == "and":
        return any(implies(part, wanted) for part in mine)
    return False


def _bounds(given: Constraint, wanted: Constraint) -> bool:
    mine: Any = given.operands[0]
    theirs: Any = wanted.operands[0]
    if given.operator[0] != wanted.operator[0]:
        return False
    # Only a bound that may be met exactly, beside one that may not, needs to be strictly
    # inside.
    strict = wanted.operator in (">", "<") and given.operator in (">=", "<=")
    if given.operator[0] == ">":
        return bool(mine > theirs if strict else mine >= theirs)
    return bool(mine < theirs if strict else mine <= theirs)
