"""Base functions: the Python bodies of rows that have no parent, and the packages they come in.

A package is a folder of rows (`*.edn`) plus the bodies of the base functions declared there.
The standard library is one; every backend is another, found by the entry point group
`graphden.backends`. Slots, types, defaults and effects stand in the rows; here are only bodies.
"""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from graphden.compile.templates import Expression, Fold, Pair, Template
from graphden.errors import UsageError
from graphden.run.context import Context

F = TypeVar("F", bound=Callable[..., object])

ENTRY_POINT_GROUP = "graphden.backends"

__all__ = [
    "Body",
    "Expression",
    "Fold",
    "Functions",
    "Package",
    "Pair",
    "TypeRows",
    "installed_packages",
    "parameter_name",
]

TypeRows: TypeAlias = Mapping[str, Callable[[object], bool]]
"""Whether a value is of a type row, by the row's full name."""


@dataclass(frozen=True, slots=True)
class Body:
    """The Python body of one base function.

    `parameters` are in the function's own order, without `context` and `types`. `template` may
    be written in place of a call where the types prove it equal; `inline` names a form that the
    compiler itself knows to write (`if`, `map`, `try`, …), and `needs` are the globals of that.
    """

    name: str
    function: Callable[..., object]
    parameters: tuple[str, ...]
    takes_context: bool
    inline: str | None = None
    takes_types: bool = False
    template: Template | None = None
    needs: Mapping[str, object] = field(default_factory=dict)


class Functions:
    """The bodies of one package, by the name of the row that declares each.

    >>> functions = Functions()
    >>> @functions.add("str-len")
    ... def str_len(string): return len(string)

    A body receives every declared slot, positionally, in declared order; a slot that is
    optional, has no default and was not given arrives as None. A parameter is named like its
    slot with `-` as `_` and, for Python's keywords, a trailing `_`. A keyword-only parameter
    `context` gets the run's `Context`, and one named `types` the type rows of the graph, as
    `TypeRows`. A `:lazy` slot arrives as a function without parameters that evaluates it (a
    lazy list slot as a list of such functions, one for each item). A slot typed as a callable
    arrives as a Python callable that takes its parameters positionally. An `async def` body
    runs on one loop thread of the App or Graph, while the run waits for it.
    """

    def __init__(self) -> None:
        self._bodies: dict[str, Body] = {}

    def add(
        self,
        name: str,
        *,
        inline: str | None = None,
        template: Template | None = None,
        needs: Mapping[str, object] | None = None,
    ) -> Callable[[F], F]:
        """Register the decorated function as the body of the base function `name`.

        A `template` (`Expression`, `Fold`, `Pair`) is Python that stands for a call where the
        types prove that both give the same:

        >>> functions = Functions()
        >>> @functions.add("half", template=Expression("number // 2", {"number": "int"}))
        ... def half(number): return number // 2

        Raises UsageError `duplicate-function` for a name that has a body.
        """

        def register(function: F) -> F:
            if name in self._bodies:
                raise UsageError("duplicate-function", f"base function {name} has two bodies")
            parameters = inspect.signature(function).parameters.values()
            surroundings = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
            is_coroutine = inspect.iscoroutinefunction(function)
            self._bodies[name] = Body(
                name=name,
                function=_waited_for(function, surroundings) if is_coroutine else function,
                parameters=tuple(p.name for p in parameters if p.kind is not p.KEYWORD_ONLY),
                takes_context=is_coroutine or "context" in surroundings,
                inline=inline,
                takes_types="types" in surroundings,
                template=template,
                needs=needs or {},
            )
            return function

        return register

    def get(self, name: str) -> Body | None:
        """The body registered under `name`, if there is one."""
        return self._bodies.get(name)

    def __iter__(self) -> Iterator[Body]:
        return iter(self._bodies.values())

    def __len__(self) -> int:
        return len(self._bodies)


def _waited_for(function: Callable[..., Any], surroundings: Set[str]) -> Callable[..., object]:
    """An `async def` body as a plain one, which waits for what it gives."""

    @functools.wraps(function)
    def wait(*arguments: object, context: Context, **others: object) -> object:
        from graphden.run.coroutines import loop_of  # few programs need asyncio

        if "context" in surroundings:
            others["context"] = context
        return loop_of(context.resources).result(function(*arguments, **others), context)

    return wait


def parameter_name(slot: str) -> str:
    """The Python parameter for a slot: `delay-ms` -> `delay_ms`, `from` -> `from_`."""
    name = slot.replace("-", "_").replace("?", "").replace("!", "")
    return f"{name}_" if keyword.iskeyword(name) else name


@dataclass(frozen=True, slots=True)
class Package:
    """Rows and the bodies of their base functions.

    `rows` is a folder of `*.edn` files. `migrations` is a folder of numbered SQL files that the
    store applies before anything of this package touches the database. `capabilities` says what
    a backend can do, for people and for the conformance kit.
    """

    name: str
    rows: Path
    functions: Functions
    migrations: Path | None = None
    capabilities: frozenset[str] = field(default_factory=frozenset)


def installed_packages() -> tuple[Package, ...]:
    """Every package that an installed distribution offers, in the order of their names."""
    found: dict[str, Package] = {}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda p: p.name):
        try:
            package = point.load()
        except Exception as error:
            raise UsageError(
                "backend-broken",
                f"the package {point.name} ({point.value}) cannot be loaded: {error!r}",
                hint="Mend or uninstall the distribution that offers it.",
            ) from error
        if not isinstance(package, Package):
            raise UsageError(
                "backend-broken",
                f"the entry point {point.name} ({point.value}) is not a graphden Package",
                hint="Point it at a `graphden.run.Package`.",
            )
        found[package.name] = package
    return tuple(found.values())
