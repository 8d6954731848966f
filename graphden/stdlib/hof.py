"""Rows over callables: bodies of `stdlib_graphs/hof.edn`.

Plain loops, so that callables are called from Python and nested calls use no C stack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphden.stdlib.arguments import truthy
from graphden.stdlib.functions import functions
from graphden.stdlib.order import in_order
from graphden.stdlib.parts import ORDINARY_KEYS, check_key, items

OneArgument = Callable[[object], object]


@functions.add("map", inline="map")
def map_(func: OneArgument, coll: Sequence[object]) -> list[object]:
    return [func(item) for item in items("map", "coll", coll)]


@functions.add("filter", inline="filter")
def filter_(pred: OneArgument, coll: Sequence[object]) -> list[object]:
    return [item for item in items("filter", "coll", coll) if truthy(pred(item))]


@functions.add("some")
def some(pred: OneArgument, coll: Sequence[object]) -> object:
    for item in items("some", "coll", coll):
        answer = pred(item)
        if truthy(answer):
            return answer
    return None


@functions.add("every?")
def every(pred: OneArgument, coll: Sequence[object]) -> bool:
    for item in items("every?", "coll", coll):  # noqa: SIM110 - `all` would use the C stack
        if not truthy(pred(item)):
            return False
    return True


@functions.add("find-first")
def find_first(pred: OneArgument, coll: Sequence[object]) -> object:
    for item in items("find-first", "coll", coll):
        if truthy(pred(item)):
            return item
    return None


@functions.add("reduce", inline="reduce")
def reduce(func: OneArgument, init: object, coll: Sequence[object]) -> object:
    folded = init
    for item in items("reduce", "coll", coll):
        folded = func([folded, item])
    return folded


@functions.add("group-by")
def group_by(key_fn: OneArgument, coll: Sequence[object]) -> dict[object, list[object]]:
    groups: dict[object, list[object]] = {}
    for item in items("group-by", "coll", coll):
        key = key_fn(item)
        if type(key) not in ORDINARY_KEYS:
            check_key("group-by", groups, key)
        groups.setdefault(key, []).append(item)
    return groups


@functions.add("sort-by")
def sort_by(key_fn: OneArgument, coll: Sequence[object]) -> list[object]:
    return in_order("sort-by", items("sort-by", "coll", coll), key_fn)


@functions.add("for-each", inline="for-each")
def for_each(func: OneArgument, coll: Sequence[object]) -> None:
    for item in items("for-each", "coll", coll):
        func(item)


@functions.add("constantly")
def constantly(value: object, _item: object) -> object:
    return value


@functions.add("comp")
def comp(functions: Sequence[OneArgument]) -> OneArgument:
    def composed(item: object) -> object:
        for function in reversed(functions):
            item = function(item)
        return item

    return composed
