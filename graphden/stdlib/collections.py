"""Lists, maps and sets: bodies of `stdlib_graphs/collections.edn`. None is changed in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from graphden.edn import Keyword, equal, identity_key
from graphden.stdlib.arguments import (
    Thunk,
    check_items,
    integer,
    invalid,
    number_text,
    wrong,
    wrong_item,
)
from graphden.stdlib.functions import functions
from graphden.stdlib.order import in_order
from graphden.stdlib.parts import (
    ABSENT,
    check_key,
    check_member,
    has_member,
    items,
    look_up,
    mapping,
    put,
)

_ALIKE = frozenset((int, str))
"""A list of exactly one of these types is distinct by Python's own equality."""


@functions.add("first")
def first(coll: Sequence[object]) -> object:
    coll = items("first", "coll", coll)
    return coll[0] if coll else None


@functions.add("rest")
def rest(coll: Sequence[object]) -> list[object]:
    return list(items("rest", "coll", coll)[1:])


@functions.add("vec")
def vec(coll: object) -> list[object]:
    return list(items("vec", "coll", coll))


@functions.add("count")
def count(coll: object) -> int:
    if coll is None:
        return 0
    if isinstance(coll, list | tuple | Mapping | Set | str) and not isinstance(coll, Keyword):
        return len(coll)
    raise wrong("count", "coll", coll, "a list, map, set or text")


@functions.add("empty?")
def is_empty(coll: object) -> bool:
    if coll is None:
        return True
    if isinstance(coll, list | tuple | Mapping | Set | str) and not isinstance(coll, Keyword):
        return not coll
    raise wrong("empty?", "coll", coll, "a list, map, set or text")


@functions.add("reverse")
def reverse(coll: Sequence[object]) -> list[object]:
    return list(items("reverse", "coll", coll)[::-1])


@functions.add("sort")
def sort(coll: Sequence[object]) -> list[object]:
    return in_order("sort", items("sort", "coll", coll))


@functions.add("flatten")
def flatten(coll: Sequence[object]) -> list[object]:
    flat: list[object] = []
    # A stack of iterators, not recursion: data may be nested as deeply as it likes.
    unfinished = [iter(items("flatten", "coll", coll))]
    while unfinished:
        for item in unfinished[-1]:
            if isinstance(item, list | tuple):
                unfinished.append(iter(item))
                break
            flat.append(item)
        else:
            unfinished.pop()
    return flat


@functions.add("distinct")
def distinct(coll: Sequence[object]) -> list[object]:
    coll = items("distinct", "coll", coll)
    types = set(map(type, coll))
    if len(types) == 1 and types <= _ALIKE:
        return list(dict.fromkeys(coll))
    kept: dict[object, object] = {}
    for item in coll:
        kept.setdefault(identity_key(item), item)
    return list(kept.values())


@functions.add("cons")
def cons(item: object, coll: Sequence[object]) -> list[object]:
    return [item, *items("cons", "coll", coll)]


@functions.add("list", inline="list")
def list_(items: Sequence[object]) -> list[object]:
    return list(items)


@functions.add("conj")
def conj(coll: object, item: object) -> object:
    return [*coll, item] if isinstance(coll, list) else into(coll, [item])


@functions.add("get", inline="get")
def get(coll: object, key: object, default: Thunk | None) -> object:
    found = look_up(coll, key) if type(coll) is dict else _part("get", "coll", coll, key)
    if found is ABSENT:
        return None if default is None else default()
    return found


@functions.add("get-in")
def get_in(map: object, path: Sequence[object], default: Thunk | None) -> object:
    found = map
    for key in items("get-in", "path", path):
        found = _part("get-in", "map", found, key)
        if found is ABSENT:
            return None if default is None else default()
    return found


@functions.add("assoc", inline="assoc")
def assoc(map: object, key: object, value: object) -> dict[object, object]:
    entries = dict(mapping("assoc", "map", map))
    put("assoc", entries, key, value)
    return entries


@functions.add("dissoc")
def dissoc(map: object, key: object) -> dict[object, object]:
    entries = dict(mapping("dissoc", "map", map))
    if look_up(entries, key) is not ABSENT:
        del entries[key]
    return entries


@functions.add("contains?")
def contains(coll: object, key: object) -> bool:
    match coll:
        case None:
            return False
        case Mapping():
            return look_up(coll, key) is not ABSENT
        case Set():
            return has_member(coll, key)
        case list() | tuple():
            return position_in(coll, key) is not None
        case _:
            raise wrong("contains?", "coll", coll, "a map, list or set")


@functions.add("keys")
def keys(map: object) -> list[object]:
    return list(mapping("keys", "map", map))


@functions.add("vals")
def vals(map: object) -> list[object]:
    return list(mapping("vals", "map", map).values())


@functions.add("merge", inline="merge")
def merge(maps: Sequence[object]) -> dict[object, object]:
    merged: dict[object, object] = {}
    for one in maps:
        entries = mapping("merge", "maps", one)
        if 0 in entries or 1 in entries:
            for key in entries:
                check_key("merge", merged, key)
        merged.update(entries)
    return merged


@functions.add("into")
def into(to: object, from_: object) -> object:
    added = items("into", "from", from_)
    match to:
        case None:
            return list(added)
        case list() | tuple():
            return [*to, *added]
        case Set():
            members = set(to)
            for item in added:
                check_member("into", members, item)
                members.add(item)
            return frozenset(members)
        case Mapping():
            return {**to, **_from_pairs("into", "from", added, to)}
        case _:
            raise wrong("into", "to", to, "a list, map or set")


@functions.add("assoc-in")
def assoc_in(m: object, path: Sequence[object], v: object) -> object:
    return _replace_in("assoc-in", m, items("assoc-in", "path", path), lambda _: v)


@functions.add("update-in")
def update_in(m: object, path: Sequence[object], f: Callable[[object], object]) -> object:
    return _replace_in("update-in", m, items("update-in", "path", path), f)


@functions.add("range")
def range_(start: int, end: int, step: int) -> list[int]:
    integer("range", "start", start)
    integer("range", "end", end)
    if integer("range", "step", step) == 0:
        raise invalid("range: :step is 0; a number that is not 0 is needed")
    check_items("range", -((start - end) // step))
    return list(range(start, end, step))


@functions.add("repeat")
def repeat(count: int, item: object) -> list[object]:
    check_items("repeat", integer("repeat", "count", count))
    return [item] * max(count, 0)


@functions.add("take")
def take(count: int, coll: Sequence[object]) -> list[object]:
    coll = items("take", "coll", coll)
    return list(coll[: _within("take", count, coll)])


@functions.add("drop")
def drop(count: int, coll: Sequence[object]) -> list[object]:
    coll = items("drop", "coll", coll)
    return list(coll[_within("drop", count, coll) :])


@functions.add("concat")
def concat(colls: Sequence[object]) -> list[object]:
    return [item for coll in colls for item in items("concat", "colls", coll)]


@functions.add("select-keys")
def select_keys(m: object, ks: Sequence[object]) -> dict[object, object]:
    entries = mapping("select-keys", "m", m)
    found = [(key, look_up(entries, key)) for key in items("select-keys", "ks", ks)]
    return {key: value for key, value in found if value is not ABSENT}


@functions.add("zipmap", inline="zipmap")
def zipmap(keys: Sequence[object], vals: Sequence[object]) -> dict[object, object]:
    zipped: dict[object, object] = {}
    pairs = zip(items("zipmap", "keys", keys), items("zipmap", "vals", vals), strict=False)
    for key, value in pairs:
        put("zipmap", zipped, key, value)
    return zipped


@functions.add("update-vals")
def update_vals(m: object, f: Callable[[object], object]) -> dict[object, object]:
    return {key: f(value) for key, value in mapping("update-vals", "m", m).items()}


@functions.add("update-keys")
def update_keys(m: object, f: Callable[[object], object]) -> dict[object, object]:
    updated: dict[object, object] = {}
    for key, value in mapping("update-keys", "m", m).items():
        put("update-keys", updated, f(key), value)
    return updated


@functions.add("postwalk")
def postwalk(f: Callable[[object], object], coll: object) -> object:
    match coll:
        case list() | tuple():
            return f([postwalk(f, item) for item in coll])
        case Mapping():
            walked: dict[object, object] = {}
            for key, value in coll.items():
                put("postwalk", walked, postwalk(f, key), postwalk(f, value))
            return f(walked)
        case Set():
            return f(into(frozenset(), [postwalk(f, member) for member in coll]))
        case _:
            return f(coll)


@functions.add("pairs->map")
def pairs_to_map(entries: Sequence[object]) -> dict[object, object]:
    return _from_pairs("pairs->map", "entries", items("pairs->map", "entries", entries), ())


@functions.add("position-in")
def position_in(coll: Sequence[object], value: object) -> int | None:
    for position, item in enumerate(items("position-in", "coll", coll)):
        if equal(item, value):
            return position
    return None


def _within(function: str, count: int, coll: Sequence[object]) -> int:
    return min(max(integer(function, "count", count), 0), len(coll))


def _part(function: str, slot: str, coll: object, key: object) -> object:
    """What stands behind `key` in any kind of collection, or ABSENT."""
    match coll:
        case None:
            return ABSENT
        case Mapping():
            return look_up(coll, key)
        case list() | tuple() | str() if not isinstance(coll, Keyword):
            if not isinstance(key, int) or isinstance(key, bool):
                return ABSENT
            return coll[key] if 0 <= key < len(coll) else ABSENT
        case Set():
            return key if has_member(coll, key) else ABSENT
        case _:
            raise wrong(function, slot, coll, "a map, list, set or text")


def _replace_in(
    function: str, coll: object, path: Sequence[object], change: Callable[[object], object]
) -> object:
    """`coll` with what stands at the end of `path` changed; what is on the way is copied."""
    if not path:
        return change(coll)
    key, below = path[0], path[1:]
    match coll:
        case None | Mapping():
            entries = dict(coll or {})
            there = look_up(entries, key)
            inner = None if there is ABSENT else there
            put(function, entries, key, _replace_in(function, inner, below, change))
            return entries
        case list() | tuple():
            index = integer(function, "path", key)
            if not 0 <= index < len(coll):
                asked = number_text(index)
                raise invalid(
                    f"{function}: :path asks for index {asked} of a list of {len(coll)}"
                )
            replaced = _replace_in(function, coll[index], below, change)
            return [*coll[:index], replaced, *coll[index + 1 :]]
        case _:
            raise wrong(function, "m", coll, "a map or list on the way")


# Any: what is no pair at all is found by unpacking it.
def _from_pairs(
    function: str, slot: str, pairs: Sequence[Any], beside: Iterable[object]
) -> dict[object, object]:
    """A map of [key value] pairs, which will stand beside the keys of another."""
    made: dict[object, object] = {}
    others = list(beside)
    for position, pair in enumerate(pairs, 1):
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise wrong_item(function, slot, position, pair, "a pair [key value]")
        key, value = pair
        put(function, made, key, value)
        if others:
            check_key(function, others, key)
    return made
