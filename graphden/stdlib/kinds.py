"""Whether a value is of a type that is given as data: what `is-a?` asks at run time.

This knows the types that need no graph: primitives and what is built of them. Types that rows
declare are known to the graph only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from graphden.edn.values import Keyword, Symbol
from graphden.stdlib.arguments import describe, invalid, is_number


def is_of_type(value: object, type_: object) -> bool:
    """Whether `value` is of `type_`: a keyword, or a list that begins with one (LANGUAGE 8.1).

    Raises RunError `invalid-argument` for what is no type, or one that only a graph knows.
    """
    if isinstance(type_, list | tuple) and type_ and isinstance(type_[0], str):
        return _is_built(value, type_[0], type_[1:])
    test = _PRIMITIVES.get(type_) if isinstance(type_, str) else None
    if test is None:
        raise _no_type(type_)
    return test(value)


def _is_built(value: object, head: str, parts: Sequence[object]) -> bool:
    match head, len(parts):
        case "list", 1:
            return isinstance(value, list | tuple) and all(
                is_of_type(item, parts[0]) for item in value
            )
        case "map", 2:
            return isinstance(value, Mapping) and all(
                is_of_type(key, parts[0]) and is_of_type(entry, parts[1])
                for key, entry in value.items()
            )
        case "tuple", count:
            return (
                isinstance(value, list | tuple)
                and len(value) == count
                and all(map(is_of_type, value, parts))
            )
        case "union", _:
            return any(is_of_type(value, part) for part in parts)
        case "secret", 1:
            return is_of_type(value, parts[0])
        case "fn", _:
            return callable(value)
        case _:
            raise _no_type([Keyword(head), *parts])


def _is_float(value: object) -> bool:
    return is_number(value) and not isinstance(value, Decimal)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Keyword)


def _is_json(value: object) -> bool:
    """Data that JSON can hold after the mapping of LANGUAGE 10.2."""
    match value:
        case float():
            return math.isfinite(value)
        case Decimal():
            return value.is_finite()
        case None | bool() | int() | str() | UUID() | datetime():
            return True
        case list() | tuple():
            return all(_is_json(item) for item in value)
        case Mapping():
            return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
        case _:
            return False


_PRIMITIVES: Mapping[str, Callable[[object], bool]] = {
    "any": lambda _: True,
    "never": lambda _: False,
    "null": lambda value: value is None,
    "bool": lambda value: isinstance(value, bool),
    "int": _is_int,
    "float": _is_float,
    "decimal": lambda value: isinstance(value, Decimal),
    "numeric": is_number,
    "text": _is_text,
    "keyword": lambda value: isinstance(value, Keyword),
    "uuid": lambda value: isinstance(value, UUID),
    "timestamptz": lambda value: isinstance(value, datetime) and value.tzinfo is not None,
    "bytes": lambda value: isinstance(value, bytes | bytearray | memoryview),
    "jsonb": _is_json,
    "sequence": lambda value: isinstance(value, list | tuple | Set),
}


def _no_type(type_: object) -> Exception:
    shown = str(type_) if isinstance(type_, Keyword | Symbol) else describe(type_)
    return invalid(
        f"is-a?: :type is {shown}, which is no type that can be asked for",
        hint="Ask for a primitive type, or for a list, map, tuple or union of them.",
    )
