"""Base functions meet their bodies: each declaration has one, and their signatures agree."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from graphden.check import Contracts, holds_secret
from graphden.edn import Keyword
from graphden.errors import Problem, RunError
from graphden.model.resolved import Program
from graphden.model.rows import Row, RowKind
from graphden.model.types import ListOf, Named, Record, Type
from graphden.run import secrets
from graphden.run.registry import Body, Package, TypeRows, parameter_name


def bind(
    program: Program, rows: Iterable[str], packages: Iterable[Package], contracts: Contracts
) -> tuple[dict[str, Body], dict[str, Problem]]:
    """The bodies of those of the rows that are base functions or type rows, and what does not
    agree, by row.
    """
    bodies: dict[str, Body] = {}
    problems: dict[str, Problem] = {}
    by_name = {package.name: package for package in packages}
    type_rows = type_tests(program.types, contracts)
    for row_id in rows:
        row = program.rows[row_id]
        body: Body | None = None
        if row.kind is RowKind.TYPE:
            body = constructor(row.id, program.types, contracts)
        elif row.kind is RowKind.BASE:
            package = by_name.get(row.package or "")
            body = None if package is None else package.functions.get(row.name)
            problem = _disagreement(row, body)
            if problem is not None:
                problems[row_id] = problem
        if body is None:
            continue
        if body.takes_types:
            body = replace(body, function=partial(body.function, types=type_rows))
        result = program.resolved[row_id].result
        bodies[row_id] = replace(body, function=noting(body.function, result, program.types))
    return bodies, problems


def undeclared(rows: Iterable[Row], packages: Iterable[Package]) -> Iterator[Problem]:
    """The Python functions of packages that none of the rows declares."""
    declared = {(row.package, row.name) for row in rows if row.kind is RowKind.BASE}
    for package in packages:
        for body in package.functions:
            if (package.name, body.name) not in declared:
                yield Problem(
                    "signature-mismatch",
                    f"the package {package.name} has a Python function for :{body.name}, "
                    "but no row declares it",
                    "Declare it in the package's rows, or remove the function.",
                    body.name,
                    None,
                )


def noting(
    function: Callable[..., object], result: Type, types: Mapping[str, Type]
) -> Callable[..., object]:
    """A function whose secret results are noted, so that no error text shows them."""
    if not holds_secret(result, types):
        return function

    def call(*arguments: object, **context: object) -> object:
        value = function(*arguments, **context)
        secrets.note_typed(value, result, types)
        return value

    return call


def _disagreement(row: Row, body: Body | None) -> Problem | None:
    def problem(message: str, hint: str) -> Problem:
        return Problem("signature-mismatch", message, hint, row.owner, row.name_span)

    if body is None:
        return problem(
            f":{row.name} has no :parent, and no Python function implements it",
            "Give it a :parent, or a type key such as :type; "
            "only packages bring base functions.",
        )
    wanted = tuple(parameter_name(slot.name) for slot in row.slots)
    if tuple(body.parameters) != wanted:
        return problem(
            f":{row.name} declares the slots {_listed(wanted)}, its Python function takes "
            f"{_listed(body.parameters)}",
            "They must be the same names in the same order.",
        )
    return None


def type_tests(types: Mapping[str, Type], contracts: Contracts) -> TypeRows:
    """Whether a value is of each of the type rows."""
    return {row: partial(_is_of, Named(row), contracts) for row in types}


def _is_of(type_: Type, contracts: Contracts, value: object) -> bool:
    return not contracts.violations(type_, value)


def _listed(names: Iterable[str]) -> str:
    return "(" + ", ".join(names) + ")"


def constructor(row: str, types: Mapping[str, Type], contracts: Contracts) -> Body:
    """A type row as a function (LANGUAGE 2.4)."""
    named = Named(row)
    match types[row]:
        case Record(fields):
            names = tuple(Keyword(field.name) for field in fields)
            optional = {Keyword(field.name) for field in fields if not field.required}

            def build(*values: object) -> object:
                return {
                    name: value
                    for name, value in zip(names, values, strict=True)
                    if value is not None or name not in optional
                }

            return _checked(row, names, build, named, contracts)
        case ListOf():
            return _checked(row, ("items",), lambda items: items, named, contracts)
        case _:
            return _checked(row, ("value",), lambda value: value, named, contracts)


def _checked(
    row: str,
    names: Iterable[str],
    build: Callable[..., object],
    type_: Type,
    contracts: Contracts,
) -> Body:
    def construct(*values: object) -> object:
        value = build(*values)
        violations = contracts.violations(type_, value)
        if violations:
            found = "; ".join(map(str, violations))
            raise RunError(
                "contract-violation", f"not a {type_}: {found}", data=list(violations)
            )
        return value

    parameters = tuple(n if not keyword.iskeyword(n) else f"{n}_" for n in names)
    return Body(row.rpartition("/")[2], construct, parameters, takes_context=False)
