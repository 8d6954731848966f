"""The values that EDN text stands for, where Python has no type of its own for them."""

from __future__ import annotations

from dataclasses import dataclass


class Keyword(str):
    """An EDN keyword, without its colon: `Keyword("orders.api/id")` prints as `:orders.api/id`.

    It equals, and hashes like, the text of the same name, so a map with keyword keys and the
    map that JSON made of it are read alike (LANGUAGE 10.1). `graphden.edn.equal` keeps keyword
    and text apart.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ":" + str.__str__(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return ":" + str.__str__(self)

    @property
    def text(self) -> str:
        """The name as plain text, without the colon."""
        return str.__str__(self)


@dataclass(frozen=True, slots=True)
class Symbol:
    """An EDN symbol; rows use it for type variables of base functions only."""

    name: str

    def __str__(self) -> str:
        return self.name
