"""Where what an ejected module uses is imported from."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module

from graphden.eject.layout import laid_out
from graphden.eject.naming import Names


class Imports:
    """The imports of a module: each name under its own, or another where that is taken."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._homes: dict[str, dict[str, str]] = {}

    def add(self, home: str, name: str) -> str:
        """The name under which `name` of the module `home` is used."""
        names = self._homes.setdefault(home, {})
        if name not in names:
            names[name] = self._names.give(name)
        return names[name]

    def text(self) -> str:
        """The statements: Python's own modules first, then the others, in alphabetic order."""
        known = sys.stdlib_module_names
        own = [home for home in self._homes if home.partition(".")[0] in known]
        groups = ({*own}, {*self._homes} - {*own})
        return "\n".join(laid_out(map(self._statement, sorted(g))) for g in groups if g)

    def _statement(self, home: str) -> ast.stmt:
        names = sorted(self._homes[home].items(), key=_import_order)
        used = [ast.alias(name, used if used != name else None) for name, used in names]
        return ast.ImportFrom(home, used, 0)


def _import_order(item: tuple[str, str]) -> tuple[int, str]:
    name = item[0]
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name


def home_of(function: Callable[..., object]) -> tuple[str, str] | None:
    """The module and name that give a function; None for one that no module has by name."""
    module, name = function.__module__, getattr(function, "__name__", "")
    found = getattr(import_module(module), name, None) if name.isidentifier() else None
    return (module, name) if found is function else None
