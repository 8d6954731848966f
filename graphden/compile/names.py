"""The names of generated code: new locals, and the globals that stand for values."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from math import isfinite

from graphden.compile.code import free_names, load
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
        self.lifted: list[ast.stmt] = []
        self.counter = 0
        self.known: dict[object, str] = {}

    def fresh(self, prefix: str) -> str:
        """A name that is not used yet."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def lift(self, function: ast.FunctionDef) -> list[ast.expr]:
        """Make a function that is called by its name only, and not yet outside of itself, a
        global one. Returns what its calls hand on beside its own arguments: what it takes from
        the functions around it.

        CPython 3.11 is quick in calls of the one function that a place has called before.
        """
        taken = [name for name in free_names(function) if not self.is_global(name)]
        function.args.args.extend(map(ast.arg, taken))
        for node in ast.walk(function):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name == function.name:
                    node.args.extend(map(load, taken))
        self.lifted.append(function)
        self.globals[function.name] = None
        return list(map(load, taken))

    def is_global(self, name: str) -> bool:
        return name in self.globals or hasattr(builtins, name)

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
