"""What ejected modules run with: the types that their rows name, as EDN, and their entries.

`graphden eject` writes Python that imports this, `graphden.run` and the base functions that its
row calls; nothing else of graphden is needed to run it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, TypeVar

from graphden.check import Contracts
from graphden.compile.support import MISSING as _MISSING
from graphden.compile.support import cell as once
from graphden.compile.support import constantly, thunks
from graphden.ejected.types import type_of, type_rows_of
from graphden.entries import Check, Entry, Signature, check_of
from graphden.errors import Cancelled, RunError, UsageError
from graphden.model.types import Named
from graphden.run import Context, Resources, as_run_error, installed_packages
from graphden.run.bind import constructor, noting, type_tests

__all__ = [
    "MISSING",
    "Cancelled",
    "Row",
    "Types",
    "as_run_error",
    "base_function",
    "constantly",
    "once",
    "thunks",
]

Function = TypeVar("Function", bound=Callable[..., Any])

# Any: it is the default of arguments of every type.
MISSING: Any = _MISSING
"""The default of an argument that need not be given and has no other."""


class Row:
    """A row as it is run from outside: its arguments are checked, its secrets stay inside."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._resources = Resources()

    def run(
        self,
        function: Callable[..., object],
        arguments: Mapping[str, object],
        context: Context | None = None,
    ) -> Any:
        """What `function` gives for arguments by the row's names for them, `MISSING` ones left
        out. Without a `context` the run has its own. Raises RunError, as `Graph.run` does.
        """
        given = {name: value for name, value in arguments.items() if value is not MISSING}
        own = context or Context(resources=self._resources)
        try:
            values = self._entry.arguments(given)
            return self._entry.shown(function(own, *values))
        except Cancelled as cancelled:
            raise RunError(cancelled.code, cancelled.message) from None
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - LANGUAGE 9.2: whatever it is
            failure = as_run_error(error)
            failure.explain()
            raise failure from failure.__cause__
        finally:
            if context is None:
                own.close()


class Types:
    """Type rows, written as EDN with their names in full, and what is made of them.

    >>> types = Types("{:name :shop/line :type {:sku :text :qty :int}}")
    >>> types.check(":shop/line")({"sku": "tea", "qty": 2})
    {'sku': 'tea', 'qty': 2}
    """

    def __init__(self, rows: str = "") -> None:
        """Raises GraphError for what is no type row."""
        self._types = type_rows_of(rows)
        self._contracts = Contracts(self._types)

    def check(self, type_: str) -> Check:
        """A function that gives a value of the type back, and raises RunError
        `contract-violation` for another. What the type calls secret is kept out of errors.
        """
        return check_of(type_of(type_), self._types, self._contracts)

    def constructor(self, row: str) -> Callable[..., Any]:
        """A type row as a function (LANGUAGE 2.4)."""
        made = constructor(row, self._types, self._contracts).function
        return noting(made, Named(row), self._types)

    def noting(self, function: Function, gives: str) -> Function:
        """A base function whose results, or parts of them, are secret: errors hide them."""
        noted: Any = noting(function, type_of(gives), self._types)
        return noted  # type: ignore[no-any-return]

    def asking(self, function: Callable[..., object]) -> Callable[..., Any]:
        """A base function that asks whether values are of these type rows."""
        return partial(function, types=type_tests(self._types, self._contracts))

    def row(
        self,
        name: str,
        takes: Mapping[str, str],
        optional: Collection[str] = (),
        gives: str = ":any",
    ) -> Row:
        """A row that takes arguments of these types, in this order, and gives a `gives`."""
        owner = name.rpartition("/")[2]
        signature = Signature(
            owner,
            owner,
            None,
            {argument: type_of(type_) for argument, type_ in takes.items()},
            frozenset(takes) - frozenset(optional),
            type_of(gives),
        )
        return Row(Entry(signature, self._types, self._contracts))


def base_function(package: str, name: str) -> Callable[..., Any]:
    """A base function that its package offers under no Python name.

    Raises UsageError `backend-broken` when no installed package has it.
    """
    for each in installed_packages():
        body = each.functions.get(name) if each.name == package else None
        if body is not None:
            return body.function
    raise UsageError(
        "backend-broken",
        f"no installed package {package} has a base function {name}",
        hint=f"Install the distribution that offers {package}.",
    )
