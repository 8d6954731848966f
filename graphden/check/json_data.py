"""What a value of type `jsonb` may hold (LANGUAGE 8.2): nested however deeply, each part is
looked at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias
from uuid import UUID

from graphden.edn import Keyword

SCALARS = frozenset((type(None), bool, int, str, Keyword, UUID))
"""Types of Python whose values are all jsonb."""

INFINITY = math.inf

_KINDS = tuple(SCALARS)
_NAMES = frozenset((str, Keyword))
_END: tuple[str, object] = ("", object())

Path: TypeAlias = tuple[str | int, ...]


def is_finite(number: float | Decimal) -> bool:
    """False of NaN and infinities, which are no numbers of rows (LANGUAGE 10.2)."""
    return number.is_finite() if isinstance(number, Decimal) else -INFINITY < number < INFINITY


def is_plain_json(value: object) -> bool:
    """True of most values that are jsonb, and of nothing else; `misfits` tells the others."""
    if type(value) in SCALARS:
        return True
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        values: Iterable[object]
        if type(part) is dict:
            if not _NAMES.issuperset(map(type, part)):
                return False
            values = part.values()
        elif type(part) is list or type(part) is tuple:
            values = part
        elif _is_scalar(part):
            continue
        else:
            return False
        if id(part) in seen:
            return False  # it stands there twice, or inside itself
        seen.add(id(part))
        waiting += [
            each
            for each in values
            if type(each) not in SCALARS
            and not (type(each) is float and -INFINITY < each < INFINITY)
        ]
    return True


def is_json(value: object) -> bool:
    """Whether a value is of type `jsonb`."""
    return is_plain_json(value) or next(misfits(value), None) is None


def _is_scalar(value: object) -> bool:
    """Whether a value is jsonb and no collection."""
    match value:
        case float() | Decimal():
            return is_finite(value)
        case datetime():
            return value.tzinfo is not None
    return isinstance(value, _KINDS)


def misfits(value: object) -> Iterator[tuple[Path, object, bool]]:
    """Each part that makes a value no jsonb: the way to it, the part, and whether it is a key
    of the map there.
    """
    looked_at: set[int] = set()
    on_way: dict[int, str | int] = {}
    levels: list[Iterator[tuple[str | int, object]]] = [iter([("", value)])]
    while levels:
        step, part = next(levels[-1], _END)
        if part is _END[1]:
            levels.pop()
            if on_way:
                looked_at.add(on_way.popitem()[0])
        elif _is_scalar(part) or id(part) in looked_at:
            continue
        elif id(part) in on_way or not isinstance(part, (dict, list, tuple)):
            yield (*on_way.values(), step)[1:], part, False
        else:
            on_way[id(part)] = step
            if isinstance(part, dict):
                for key in part:
                    if not isinstance(key, str):
                        yield tuple(on_way.values())[1:], key, True
                levels.append(((str(key), inner) for key, inner in part.items()))
            else:
                levels.append(iter(enumerate(part)))
