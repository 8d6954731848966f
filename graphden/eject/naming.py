"""Names that people read, each given once in a module."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Iterable

_NO_NAME = re.compile(r"[^0-9A-Za-z_]+")


class Names:
    """Gives names that nothing else in the module has: Python's own words are taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *taken}

    def inner(self) -> Names:
        """Names for the inside of a function: those around it are taken."""
        return Names(self._taken)

    def give(self, wanted: str) -> str:
        """`wanted`, or the first of `wanted_2`, `wanted_3`, … that is free."""
        found, number = wanted, 1
        while found in self._taken:
            number += 1
            found = f"{wanted}{'' if wanted.endswith('_') else '_'}{number}"
        self._taken.add(found)
        return found


def identifier(name: str, otherwise: str = "row") -> str:
    """A row's or a slot's name as Python writes names: `delay-ms` -> `delay_ms`."""
    text = unicodedata.normalize("NFKC", name.replace("->", "_to_").replace("-", "_"))
    text = text.replace("?", "").replace("!", "")
    if not text.isidentifier():
        text = _NO_NAME.sub("_", text).strip("_")
        if text[:1].isdigit():
            text = f"{otherwise}_{text}"
    if not text.isidentifier():
        return otherwise
    return f"{text}_" if keyword.iskeyword(text) else text


def short(row: str) -> str:
    """A row's name, without its namespace and the mark of private ones, as Python's."""
    return identifier(row.rpartition("/")[2].lstrip("_"))
