"""Type variables of a base function, solved for one use of it."""

from __future__ import annotations

from graphden.check.fit import KEYWORD, NEVER, Types, holds_secret, opened
from graphden.check.values import join, without_null
from graphden.model.types import (
    ANY,
    NULL,
    Callable,
    ListOf,
    MapOf,
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
from graphden.resolve.types import with_parts


class Solver:
    """What the variables of one signature stand for; `fixed_by` says which slot fixed each."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.known: dict[str, Type] = {}
        self.fixed_by: dict[str, str] = {}

    def learn(self, expected: Type, actual: Type, slot: str) -> None:
        """Bind the variables in `expected` so that `actual` fits; a second value widens."""
        if isinstance(expected, Variable):
            self._bind(expected.name, actual, slot)
            return
        if not variables(expected):
            return
        actual = opened(actual, self.types)
        if isinstance(actual, Secret) and not isinstance(expected, Secret):
            return
        match expected, actual:
            case Union(members), _:
                self._learn_union(members, actual, slot)
            case _, Union(members):
                for member in members:
                    if member != NULL:
                        self.learn(expected, member, slot)
            case _, Primitive("any" | "jsonb"):
                for name in variables(expected):
                    self._bind(name, ANY, slot)
            case ListOf(item), ListOf(other):
                self.learn(item, other, slot)
            case ListOf(item), Primitive("sequence"):
                self.learn(item, ANY, slot)
            case ListOf(item), TupleOf(others):
                for other in others:
                    self.learn(item, other, slot)
            case TupleOf(items), TupleOf(others):
                for item, other in zip(items, others, strict=False):
                    self.learn(item, other, slot)
            case TupleOf(items), ListOf(other):
                for item in items:
                    self.learn(item, other, slot)
            case MapOf(key, value), MapOf(other_key, other_value):
                self.learn(key, other_key, slot)
                self.learn(value, other_value, slot)
            case MapOf(key, value), Record(fields, closed):
                values = join((f.type for f in fields), self.types)
                if closed and not fields:
                    return
                self.learn(key, KEYWORD if closed else ANY, slot)
                hidden = Secret(ANY) if holds_secret(values, self.types) else ANY
                self.learn(value, values if closed else hidden, slot)
            case Secret(inner), Secret(other):
                self.learn(inner, other, slot)
            case Callable(parameters, result), Callable(others, other_result):
                for (_, mine), (_, theirs) in zip(parameters, others, strict=False):
                    self.learn(mine, theirs, slot)
                self.learn(result, other_result, slot)

    def _learn_union(self, members: tuple[Type, ...], actual: Type, slot: str) -> None:
        open_members = [member for member in members if variables(member)]
        rest = without_null(actual) if NULL in members else actual
        for member in open_members:
            if rest != NEVER:
                self.learn(member, rest, slot)

    def _bind(self, name: str, actual: Type, slot: str) -> None:
        if name in self.known:
            self.known[name] = join((self.known[name], actual), self.types)
        else:
            self.known[name] = actual
            self.fixed_by[name] = slot

    def apply(self, type_: Type, unknown: Type | None = ANY) -> Type:
        """`type_` with what is known put in; unknown variables become `unknown`, or stay."""

        def again(inner: Type) -> Type:
            return self.apply(inner, unknown)

        match type_:
            case Variable(name):
                found = self.known.get(name)
                if found is not None:
                    return found
                return type_ if unknown is None else unknown
            case Union(members) if variables(type_):
                return join(map(again, members), self.types)
        return with_parts(type_, again)


def without_variables(type_: Type) -> Type:
    """`type_` with `any` for its variables: there a base function takes values of any type."""
    return ANY if isinstance(type_, Variable) else with_parts(type_, without_variables)


def variables(type_: Type) -> frozenset[str]:
    """The names of the type variables in a type."""
    match type_:
        case Variable(name):
            return frozenset((name,))
        case ListOf(inner) | Secret(inner):
            return variables(inner)
        case Refined(inner, _):
            return variables(inner)
        case MapOf(key, value):
            return variables(key) | variables(value)
        case TupleOf(inner) | Union(inner):
            return frozenset().union(*map(variables, inner))
        case Callable(parameters, result):
            return variables(result).union(*(variables(t) for _, t in parameters))
        case Record(fields):
            return frozenset().union(*(variables(f.type) for f in fields))
        case Variant(cases):
            return frozenset().union(*(variables(t) for _, t in cases))
    return frozenset()
