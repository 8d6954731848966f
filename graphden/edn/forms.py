"""A form: a value together with the place in the text that it was read from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphden.errors import Span


class Kind(StrEnum):
    """What a form looks like in the text."""

    SCALAR = "scalar"
    """A value without parts: nil, a boolean, number, text, keyword, symbol, uuid or instant."""
    VECTOR = "vector"
    """`[…]`; its value is a list."""
    LIST = "list"
    """`(…)`; its value is a list."""
    MAP = "map"
    """`{…}`; its value is a dict."""
    SET = "set"
    """`#{…}`; its value is a frozenset."""


@dataclass(frozen=True, slots=True)
class Form:
    """A value and its place. `items` are the parts of a vector, list or set, in the order of
    the text; `entries` are the key and value forms of a map, in the order of the text.
    """

    kind: Kind
    value: object
    span: Span
    items: tuple[Form, ...] = ()
    entries: tuple[tuple[Form, Form], ...] = ()

    def get(self, key: str) -> Form | None:
        """The value form of a map's entry `key`, if it has one."""
        for name, value in self.entries:
            if name.value == key:
                return value
        return None
