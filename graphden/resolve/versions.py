"""One binding as several rows below it left it: each may have renamed names that its references
have free, or given them defaults (LANGUAGE 3.4, 4.5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain
from typing import TypeAlias

from graphden.edn import equal
from graphden.model.resolved import Open, Source, Use, Wrap
from graphden.model.resolved import Sequence as Items
from graphden.resolve.sources import constant, value_of

_Key: TypeAlias = tuple[object, ...]
"""Which slot, or free name of which reference, is opened."""


class Versions:
    """Makes one of several versions; `ancestry` gives a row and all it comes from."""

    def __init__(self, ancestry: Callable[[str], Sequence[str]]) -> None:
        self._chain = ancestry
        self._opened_at: defaultdict[_Key, list[Open]] = defaultdict(list)

    def as_one(self, versions: Iterable[Source]) -> Source:
        """One source with what each of the versions says that no other hides."""
        versions = list(versions)
        if len(versions) > 1:
            for key, opened in chain.from_iterable(map(_opens, versions)):
                self._opened_at[key].append(opened)
        return reduce(self._both, versions)

    def differing(self) -> Iterator[tuple[Open, ...]]:
        """What versions seen so far say of one free name of a reference, or of one slot, and no
        other version hides, where they do not agree on the name or on the default. Each is
        told once.
        """
        for opened in self._opened_at.values():
            named = self._unhidden({each.place.row: each for each in opened})
            fallen_back = self._unhidden(
                {each.default.place.row: each for each in opened if each.default is not None}
            )
            if len({each.name for each in named}) > 1:
                yield named
            elif any(
                not same(fallen_back[0].default, each.default) for each in fallen_back[1:]
            ):
                yield fallen_back
        self._opened_at.clear()

    def _unhidden(self, written: Mapping[str, Open]) -> tuple[Open, ...]:
        hidden = {above for row in written for above in self._chain(row)[1:]}
        return tuple(each for row, each in written.items() if row not in hidden)

    def joined(self, lists: Iterable[Source], order: Iterable[Source]) -> Items:
        """The items of several lists, those that several have once, as they come in `order`."""
        whole = [each for each in lists if isinstance(each, Items)]
        for key, opened in chain.from_iterable(map(_opens, whole)):
            if len(key) > 1:  # the same item has another index in each of the lists
                self._opened_at[key].append(opened)
        items: dict[tuple[str, tuple[str | int, ...]], Source] = {}
        for each in whole:
            for item in each.items:
                key = (item.place.row, item.place.path)
                items[key] = self._both(items[key], item) if key in items else item
        places = [
            (item.place.row, item.place.path)
            for each in order
            if isinstance(each, Items)
            for item in each.items
        ]
        return Items(
            tuple(items[key] for key in dict.fromkeys(places) if key in items),
            whole[0].place,
            any(each.closed for each in whole),
        )

    def _both(self, one: Source, other: Source) -> Source:
        if one is other:
            return one
        match one, other:
            case Open(), Open():
                return self._opened(one, other)
            case Use(), Use() if one.target == other.target:
                return replace(one, renamed=self._renamed(one.renamed, other.renamed))
            case Wrap(), Wrap() if one.target == other.target:
                return replace(one, renamed=self._renamed(one.renamed, other.renamed))
            case Items(items=items), Items(items=others) if len(items) == len(others):
                pairs = zip(items, others, strict=True)
                return replace(one, items=tuple(self._both(*pair) for pair in pairs))
        return one

    def _renamed(self, one: Mapping[str, Open], other: Mapping[str, Open]) -> dict[str, Open]:
        found = dict(one)
        for name, opened in other.items():
            found[name] = self._opened(found[name], opened) if name in found else opened
        return found

    def _opened(self, one: Open, other: Open) -> Open:
        """The name that the lower row gives, and the lower default, which may come from another
        row than the name.
        """
        top = other if self._below(other, one) else one
        default = one.default or other.default
        if one.default is not None and other.default is not None:
            if one.default.place.row == other.default.place.row:
                default = self._both(one.default, other.default)
            elif self._below(other.default, one.default):
                default = other.default
        return replace(top, default=default)

    def _below(self, one: Source, other: Source) -> bool:
        return other.place.row in self._chain(one.place.row)[1:]


def _opens(source: Source) -> Iterator[tuple[_Key, Open]]:
    match source:
        case Open():
            yield (), source
        case Use(renamed=renamed, place=place) | Wrap(renamed=renamed, place=place):
            for name, opened in renamed.items():
                yield (place.row, place.path, name), opened
        case Items(items=items):
            for index, item in enumerate(items):
                for key, opened in _opens(item):
                    yield key or (index,), opened


def same(one: Source | None, other: Source | None) -> bool:
    """Whether two rows that bind one slot say the same."""
    if one is None or other is None:
        return one is other
    if constant(one) and constant(other):
        return equal(value_of(one), value_of(other))
    match one, other:
        case Use(), Use():
            return one.target == other.target and one.renamed == other.renamed
        case Wrap(), Wrap():
            return (one.target, one.receivers, one.renamed) == (
                other.target,
                other.receivers,
                other.renamed,
            )
    return False
