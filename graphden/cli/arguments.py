"""Arguments of rows given as JSON on the command line: `--arg name=json`, `--args '{…}'`.

JSON has no uuids, instants, keywords and decimals. Where the type of an argument asks for one,
at the top or inside, the text or number that stands for it is converted; a value that cannot be
is left for the run to refuse, with its path.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from graphden.check import Contracts
from graphden.edn import JsonProblem, Keyword, from_json
from graphden.engine import Graph
from graphden.errors import RunError, UsageError
from graphden.model.resolved import Parameter
from graphden.model.types import (
    ListOf,
    MapOf,
    Named,
    Primitive,
    Record,
    Refined,
    TupleOf,
    Type,
    Union,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--arg` and `--args`."""
    parser.add_argument(
        "--arg",
        metavar="NAME=JSON",
        action="append",
        default=[],
        help="an argument of the row, such as factor=3 or name='\"Ada\"'; may be repeated",
    )
    parser.add_argument("--args", metavar="JSON", help="all arguments as one JSON object")


def read_arguments(arguments: argparse.Namespace, graph: Graph) -> dict[str, object]:
    """The values for `arguments.entry`, converted to what its interface asks for.

    Raises UsageError `bad-argument` for what is not JSON, RunError for an unknown entry.
    """
    interface = graph.resolved(arguments.entry).interface
    values: dict[str, object] = {}
    if arguments.args is not None:
        values = _object(arguments.args)
    for given in arguments.arg:
        name, equals, text = given.partition("=")
        name = name.removeprefix(":")
        if not equals or not name:
            raise UsageError(
                "bad-argument", f"--arg {given} has no value", hint="Write --arg NAME=JSON."
            )
        if name in values:
            raise UsageError("bad-argument", f"the argument {name} is given twice")
        values[name] = _value(name, text, interface.get(name))
    types = graph.program.types
    return {
        name: _Conversion(types).convert(value, interface[name].type)
        if name in interface
        else value
        for name, value in values.items()
    }


def verify(graph: Graph, entry: str, values: Mapping[str, object]) -> None:
    """`Graph.verify`, which says for a missing argument how the command line gives it."""
    try:
        graph.verify(entry, values)
    except RunError as error:
        interface = graph.resolved(entry).interface.values()
        missing = [each.name for each in interface if each.required and each.name not in values]
        if error.code == "missing-argument":
            given = " ".join(f"--arg {name}=JSON" for name in missing)
            wrong: Any = error.data
            hints = dict.fromkeys(hint for _, _, hint in wrong if hint)
            error.hint = " ".join([*hints, f"Add {given}."])
        raise


def read_json(text: str, what: str) -> Any:
    """The value of JSON text. Raises UsageError `bad-argument` that names `what`."""
    try:
        return from_json(text)
    except JsonProblem as problem:
        raise UsageError(
            "bad-argument", f"{what} is not JSON: {problem}", hint=_quoted_hint(text)
        ) from None


def _object(text: str) -> dict[str, object]:
    value = read_json(text, "--args")
    if not isinstance(value, dict):
        raise UsageError(
            "bad-argument",
            "--args is not a JSON object",
            hint="""Write --args '{"factor": 3}'.""",
        )
    return {name.removeprefix(":"): each for name, each in value.items()}


def _value(name: str, text: str, parameter: Parameter | None) -> object:
    try:
        return from_json(text)
    except JsonProblem as problem:
        wants = "" if parameter is None else f"; :{name} takes {parameter.type}"
        raise UsageError(
            "bad-argument",
            f"the value of --arg {name} is not JSON{wants}: {problem}",
            hint=_quoted_hint(text, f"--arg {name}="),
        ) from None


def _quoted_hint(text: str, before: str = "") -> str:
    if any(mark in text for mark in "\"'{}[]"):
        return "Text stands in double quotes, and the shell needs single quotes around it all."
    return f"""Text needs its quotes: write {before}'"{text}"'."""


class _Conversion:
    """Converts values of JSON to what a type asks for; types that do not fit change nothing."""

    def __init__(self, types: Mapping[str, Type]) -> None:
        self._types = types
        self._contracts = Contracts(types)

    def convert(self, value: Any, type_: Type) -> object:
        match type_:
            case Primitive(name):
                return _primitive(value, name)
            case Named(row):
                return self.convert(value, self._types[row])
            case Refined(base):
                return self.convert(value, base)
            case Union(members):
                return self._member(value, members)
            case ListOf(item) if isinstance(value, list):
                return [self.convert(each, item) for each in value]
            case TupleOf(items) if isinstance(value, list) and len(value) == len(items):
                return [self.convert(v, t) for v, t in zip(value, items, strict=True)]
            case MapOf(key, inner) if isinstance(value, dict):
                return {self.convert(k, key): self.convert(v, inner) for k, v in value.items()}
            case Record(fields) if isinstance(value, dict):
                types = {field.name: field.type for field in fields}
                return {
                    name: self.convert(each, types[name]) if name in types else each
                    for name, each in value.items()
                }
        return value

    def _member(self, value: object, members: tuple[Type, ...]) -> object:
        """As it is where that fits a member, else as the first member that it can become."""
        candidates = [(value, member) for member in members]
        candidates += [(self.convert(value, member), member) for member in members]
        for candidate, member in candidates:
            if not self._contracts.violations(member, candidate):
                return candidate
        return value


def _primitive(value: object, name: str) -> object:
    try:
        match name, value:
            case "uuid", str():
                return UUID(value)
            case "timestamptz", str():
                return datetime.fromisoformat(value)
            case "keyword", str():
                return Keyword(value.removeprefix(":"))
            case "decimal", str() | int() if not isinstance(value, bool):
                return Decimal(value)
            case "decimal", float():
                return Decimal(repr(value))
    except (ValueError, InvalidOperation):
        pass
    return value
