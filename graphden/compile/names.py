"""The names of generated code: new locals, and the globals that stand for values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from math import isfinite

from graphden.compile.code import load
from graphden.compile.schedule import FunctionBody
from graphden.compile.support import MISSING, cell, thunks
from graphden.edn import Keyword


class Names:
    """What one piece of generated code calls by which name."""

    def __init__(self) -> None:
        self.globals: dict[str, object] = {
            "__name__": "graphden.generated",
            "MISSING": MISSING,
            "cell": cell,
            "thunks": thunks,
        }
        self.counter = 0
        self.known: dict[object, str] = {}

    def fresh(self, prefix: str) -> str:
        """A name that is not used yet."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def constant(self, value: object) -> ast.expr:
        """An expression for a literal."""
        if value is None or isinstance(value, (bool, int)):
            return ast.Constant(value)
        if isinstance(value, float) and isfinite(value):
            return ast.Constant(value)
        if isinstance(value, str) and not isinstance(value, Keyword):
            return ast.Constant(value)
        name = self.fresh("g")
        self.globals[name] = value
        return load(name)

    def body(self, function: str, body: FunctionBody) -> str:
        """The global that is a base function."""
        return self.shared(("body", function), "b", lambda: body.function)

    def shared(self, key: object, prefix: str, make: Callable[[], object]) -> str:
        """The name of a global that is made once."""
        name = self.known.get(key)
        if name is None:
            name = self.known[key] = self.fresh(prefix)
            self.globals[name] = make()
        return name
