"""Callables as types say them: each call is checked where rows and Python meet (LANGUAGE 8.5).

A callable cannot be looked at as data can: it is given on as one that checks each of its calls.
What comes from Python must give what its type says; what goes to Python must be called with it;
of a callable that is an argument of a call, the other side is asked. Data that holds callables
is made anew with such ones in it.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphden.check.fit import NEVER
from graphden.errors import RunError
from graphden.model.types import (
    ANY,
    Callable,
    ListOf,
    MapOf,
    Named,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Variant,
)
from graphden.resolve.types import parts

Check: TypeAlias = Function[[object], object]
"""Gives a value back as one of a type, or raises RunError `contract-violation`."""


@dataclass(frozen=True, slots=True)
class Side:
    """What of each call is checked: what the callable is called with, what it gives."""

    arguments: bool
    result: bool

    def turned(self) -> Side:
        """The side of the callables among its arguments."""
        return Side(arguments=self.result, result=self.arguments)


@dataclass(frozen=True, slots=True)
class _Results(Side):
    """What each call gives, and nothing of the callables among its arguments."""

    def turned(self) -> Side:
        return Side(arguments=False, result=False)


UNKNOWN = Side(arguments=True, result=True)
FROM_PYTHON = Side(arguments=False, result=True)
TO_PYTHON = Side(arguments=True, result=False)
RESULTS = _Results(arguments=False, result=True)


class Calls:
    """Makes values of the types of one graph check their calls.

    `checked` makes the check of a type, in which a callable is only asked to be one.
    """

    def __init__(self, types: Mapping[str, Type], checked: Function[[Type], Check]) -> None:
        self._types = types
        self._checked = checked
        self._made: dict[tuple[Type, Side], Check] = {}

    def any_in(self, type_: Type) -> bool:
        """Whether a value of this type is or holds a callable."""
        return any(isinstance(part, Callable) for part in parts(type_, self._types))

    def wrap(self, type_: Type, value: object, side: Side) -> object:
        """A value of `type_` whose callables check their calls."""
        if not self.any_in(type_):
            return value
        key = type_, side
        wrapper = self._made.get(key)
        if wrapper is None:
            wrapper = self._made[key] = self._wrapper(type_, side)
        return wrapper(value)

    def _wrapper(self, type_: Type, side: Side) -> Check:
        if isinstance(type_, Callable):
            return self._callable(type_, side)

        def each(item: Type, values: Iterable[object]) -> list[object]:
            return [self.wrap(item, value, side) for value in values]

        def wrapped(value: object) -> object:
            match type_, value:
                case Named(row), _:
                    return self.wrap(self._types.get(row, ANY), value, side)
                case ((Refined(inner, _) | Secret(inner)), _):
                    return self.wrap(inner, value, side)
                case ListOf(item), list() | tuple():
                    return each(item, value)
                case TupleOf(items), list() | tuple():
                    pairs = zip(items, value, strict=True)
                    return [self.wrap(item, inner, side) for item, inner in pairs]
                case MapOf(_, item), dict():
                    return dict(zip(value, each(item, value.values()), strict=True))
                case Record(fields), dict():
                    known = {field.name: field.type for field in fields}
                    return {
                        k: self.wrap(known[k], inner, side) if k in known else inner
                        for k, inner in value.items()
                    }
                case Variant(cases), [tag, inner]:
                    held = next((type_ for name, type_ in cases if name == tag), ANY)
                    return [tag, self.wrap(held, inner, side)]
                case Union(members), _:
                    return self._of_union(members, value, side)
            return value

        return wrapped

    def _of_union(self, members: Iterable[Type], value: object, side: Side) -> object:
        """The value as one of the only member that it is of; which of two callables it is, no
        look at it tells.
        """
        fitting = [member for member in members if self._is_of(member, value)]
        return self.wrap(fitting[0], value, side) if len(fitting) == 1 else value

    def _is_of(self, type_: Type, value: object) -> bool:
        try:
            self._checked(type_)(value)
        except RunError:
            return False
        return True

    def _callable(self, type_: Callable, side: Side) -> Check:
        parameters = [
            self._part(inner, side.turned(), checks=side.arguments)
            for _, inner in type_.parameters
        ]
        result = self._part(type_.result, side, checks=side.result)

        def wrapped(value: object) -> object:
            if not callable(value):
                return value
            function: Any = value

            def called(*given: object) -> object:
                if len(given) != len(parameters):
                    wanted = f"{len(parameters)} arguments"
                    raise TypeError(f"a {type_} takes {wanted}, not {len(given)}")
                pairs = zip(parameters, given, strict=True)
                return result(function(*[part(one) for part, one in pairs]))

            return called

        return wrapped

    def _part(self, type_: Type, side: Side, *, checks: bool) -> Check:
        """What becomes of an argument or a result of each call."""
        check = self._checked(type_) if checks and type_ != NEVER else None

        def part(value: object) -> object:
            return self.wrap(type_, value if check is None else check(value), side)

        if self.any_in(type_):
            return part
        return check or _as_it_is


def _as_it_is(value: object) -> object:
    return value
