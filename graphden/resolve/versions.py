"""One binding as several rows below it left it: each may have renamed names that its references
have free, or given them defaults (LANGUAGE 3.4, 4.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from graphden.model.resolved import Open, Source, Use, Wrap
from graphden.model.resolved import Sequence as Items


class Versions:
    """Makes one of several versions; `chain` gives a row and all it comes from."""

    def __init__(self, chain: Callable[[str], Sequence[str]]) -> None:
        self._chain = chain

    def as_one(self, versions: Iterable[Source]) -> Source:
        """One source with what each of the versions says that no other hides."""
        return reduce(self._both, versions)

    def joined(self, lists: Iterable[Source], order: Iterable[Source]) -> Items:
        """The items of several lists, those that several have once, as they come in `order`."""
        whole = [each for each in lists if isinstance(each, Items)]
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
