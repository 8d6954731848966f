"""Choices and claims: bodies of `stdlib_graphs/logic.edn`.

The compiler writes `if`, `cond`, `case`, `and`, `or` and `coalesce` in place as control flow;
their bodies here say what that must mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphden.edn import equal
from graphden.errors import RunError
from graphden.run.registry import Expression, TypeRows
from graphden.stdlib.arguments import Thunk, describe, invalid, is_number, truthy, wrong
from graphden.stdlib.functions import functions
from graphden.stdlib.kinds import is_of_type


@functions.add("and", inline="and")
def and_(values: Sequence[Thunk]) -> bool:
    return all(truthy(value()) for value in values)


@functions.add("or", inline="or")
def or_(values: Sequence[Thunk]) -> bool:
    return any(truthy(value()) for value in values)


@functions.add("not", template=Expression("not value", {"value": "bool"}))
def not_(value: object) -> bool:
    return value is None or value is False


@functions.add("some?", template=Expression("value is not None"))
def is_some(value: object) -> bool:
    return value is not None


@functions.add("nil?", template=Expression("value is None"))
def is_nil(value: object) -> bool:
    return value is None


@functions.add("zero?", template=Expression("number == 0", {"number": "int"}))
def is_zero(number: object) -> bool:
    if not is_number(number):
        raise wrong("zero?", "number", number, "a number")
    return number == 0


@functions.add("is-a?")
def is_a(value: object, type: object, *, types: TypeRows) -> bool:
    return is_of_type(value, type, types)


@functions.add("if", inline="if")
def if_(test: object, then: Thunk, else_: Thunk | None) -> object:
    if truthy(test):
        return then()
    return None if else_ is None else else_()


@functions.add("cond", inline="cond")
def cond(clauses: Sequence[Thunk]) -> object:
    _check_pairs("cond", "test", clauses)
    for test, result in zip(clauses[::2], clauses[1::2], strict=True):
        if truthy(test()):
            return result()
    return None


@functions.add("case", inline="case")
def case(value: object, clauses: Sequence[Thunk], default: Thunk | None) -> object:
    _check_pairs("case", "candidate", clauses)
    for candidate, result in zip(clauses[::2], clauses[1::2], strict=True):
        if equal(value, candidate()):
            return result()
    return None if default is None else default()


@functions.add("coalesce", inline="coalesce")
def coalesce(value: object, default: Thunk) -> object:
    return default() if value is None else value


@functions.add("assert")
def assert_(value: object) -> object:
    if value is None or value is False:
        raise RunError("assertion-failed", f"assert: the value is {describe(value)}")
    return value


@functions.add("assert-some")
def assert_some(value: object) -> object:
    if value is None:
        raise RunError("assertion-failed", "assert-some: the value is nil")
    return value


@functions.add("assert-eq")
def assert_eq(actual: object, expected: object) -> object:
    if not equal(actual, expected):
        raise RunError(
            "assertion-failed",
            f"assert-eq: {describe(expected)} was expected; {describe(actual)} came",
            data={"actual": actual, "expected": expected},
        )
    return actual


@functions.add("const", template=Expression("value"))
def const(value: object) -> object:
    return value


@functions.add("identity", template=Expression("value"))
def identity(value: object) -> object:
    return value


@functions.add("equal?")
def is_equal(a: object, b: object) -> bool:
    return equal(a, b)


def _check_pairs(function: str, first: str, clauses: Sequence[Thunk]) -> None:
    if len(clauses) % 2:
        raise invalid(
            f"{function}: :clauses has {len(clauses)} items; "
            f"an even number is needed, each {first} with its result"
        )
