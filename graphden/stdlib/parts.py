"""The parts of collections: their items, their entries, and keys that Python would confuse.

Python takes `True`, `1` and `1.0` for one key; here 1 and 1.0 are one and true is another
(LANGUAGE 10.1). So a map holds 1 or true, never both, and finding one is not finding the other.
In a set, where a keyword and the text of its name are two values, the same is true of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final
from uuid import UUID

from graphden.edn import Keyword, equal
from graphden.errors import RunError
from graphden.stdlib.arguments import describe, invalid, wrong
from graphden.stdlib.order import ordered

ABSENT: Final = object()
"""What a look-up answers when there is nothing; no value of a row is this one."""

ORDINARY_KEYS = frozenset((str, Keyword, UUID))
"""Keys of exactly these types need no `check_key`."""

_CONFUSED = frozenset((0, 1))


def items(function: str, slot: str, value: object) -> Sequence[object]:
    """The items of a collection: nil has none, a map has its entries as [key value] pairs, a
    text its characters, a set its members in the order of `graphden.stdlib.order`.
    """
    if type(value) is list:
        return value
    match value:
        case list() | tuple() | range():
            return value
        case None:
            return []
        case Mapping():
            return [[key, entry] for key, entry in value.items()]
        case Set():
            return ordered(value)
        case str() if not isinstance(value, Keyword):
            return list(value)
        case _:
            raise wrong(function, slot, value, "a list")


def mapping(function: str, slot: str, value: object) -> Mapping[object, object]:
    """`value` as a map; nil is an empty one."""
    if type(value) is dict or isinstance(value, Mapping):
        return value
    if value is None:
        return {}
    raise wrong(function, slot, value, "a map")


def look_up(entries: Mapping[object, object], key: object) -> object:
    """The value of the entry `key`, or ABSENT."""
    try:
        found = entries.get(key, ABSENT)
    except TypeError:  # unhashable: a collection is never a key
        return ABSENT
    if found is not ABSENT and key in _CONFUSED and _other(entries, key) is not None:
        return ABSENT
    return found


def has_member(members: Set[object], value: object) -> bool:
    """Whether `value` is a member of a set: a value like others, so :a and "a" are two."""
    try:
        found = value in members
    except TypeError:
        return False
    return found and equal(_twin(members, value), value)


def put(function: str, entries: dict[object, object], key: object, value: object) -> None:
    """Set the entry `key`; it must be fit for a key, and not one that Python would confuse."""
    if type(key) not in ORDINARY_KEYS:
        check_key(function, entries, key)
    entries[key] = value


def check_key(function: str, keys: Iterable[object], key: object) -> None:
    """Raise RunError `invalid-argument` unless `key` can stand beside the keys there are: it is
    no collection, has an identity, and is not 1 beside true.
    """
    if type(key) is not int:
        _check_hashable(function, key)
    if key in _CONFUSED:
        other = _other(keys, key)
        if other is not None:
            raise _side_by_side(function, key, other)


def check_member(function: str, members: Set[object], value: object) -> None:
    """Raise RunError `invalid-argument` unless `value` can stand beside these members."""
    _check_hashable(function, value)
    if value in members:
        other = _twin(members, value)
        if not equal(other, value):
            raise _side_by_side(function, value, other)


def _check_hashable(function: str, key: object) -> None:
    if isinstance(key, list | tuple | Mapping | Set) or key != key:  # noqa: PLR0124
        raise invalid(f"{function}: {describe(key)} cannot be a key or a member of a set")
    try:
        hash(key)
    except TypeError:
        raise invalid(f"{function}: {describe(key)} cannot be a key") from None


def _other(keys: Iterable[object], key: object) -> object:
    """The key that Python takes for `key` although one of the two is a bool, or None."""
    twin = _twin(keys, key)
    return None if isinstance(twin, bool) == isinstance(key, bool) else twin


def _twin(members: Iterable[object], value: object) -> object:
    """What Python finds in `members` when it looks for `value`; `value` itself if nothing."""
    return next((member for member in members if member == value), value)


def _side_by_side(function: str, one: object, other: object) -> RunError:
    return invalid(
        f"{function}: {describe(one)} and {describe(other)} cannot stand side by side",
        hint="Use texts, or keywords, throughout.",
    )
