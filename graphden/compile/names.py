"""The names of generated code: new locals, and the globals that stand for values."""

from __future__ import annotations

import ast
import builtins
from math import isfinite

from graphden.compile.code import free_names, load
from graphden.compile.linking import ALWAYS, Global, Literal, Shared
from graphden.edn import Keyword


class Names:
    """What one piece of generated code calls by which name."""

    def __init__(self) -> None:
        self.globals: dict[str, Global] = {}
        self.lifted: dict[str, ast.stmt] = {}
        self.counter = 0
        self.known: dict[Shared, str] = {}

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
        self.lifted[function.name] = function
        return list(map(load, taken))

    def is_global(self, name: str) -> bool:
        known = (self.globals, self.lifted, ALWAYS, vars(builtins))
        return any(name in names for names in known)

    def constant(self, value: object) -> ast.expr:
        """An expression for a literal."""
        if value is None or isinstance(value, (bool, int)):
            return ast.Constant(value)
        if isinstance(value, float) and isfinite(value):
            return ast.Constant(value)
        if isinstance(value, str) and not isinstance(value, Keyword):
            return ast.Constant(value)
        return self.named(Literal(value))

    def named(self, literal: Literal) -> ast.Name:
        """A literal as a global of its own."""
        name = self.fresh("g")
        self.globals[name] = literal
        return load(name)

    def shared(self, meant: Shared, prefix: str) -> str:
        """The name of a global that is written once."""
        name = self.known.get(meant)
        if name is None:
            name = self.known[meant] = self.fresh(prefix)
            self.globals[name] = meant
        return name
