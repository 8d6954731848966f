"""A row as plain data: its parents, slots, bindings, open arguments, result and effects.

Values and types are EDN text, as a row would write them; secrets are hidden.
What the data looks like is what `graphden show --json` prints, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from graphden.check import holds_secret, variables, without_variables
from graphden.check.findings import shown
from graphden.cli.reporting import problem_record
from graphden.edn import Keyword, write
from graphden.engine import Graph
from graphden.errors import Span
from graphden.model.resolved import (
    Constant,
    Feed,
    Open,
    Parameter,
    ResolvedRow,
    Sequence,
    Slot,
    Source,
    Use,
    Wrap,
)
from graphden.model.rows import Items, Row, RowKind
from graphden.model.types import ANY, ListOf, Named, Secret, Type
from graphden.run import secrets


def describe(graph: Graph, name: str) -> dict[str, Any]:
    """The row `name`; a private one may be looked at too. Raises RunError `unknown-row`, …"""
    return _Describer(graph.program.rows, graph.program.types).row(
        graph, graph.resolved(name, private=True)
    )


class _Describer:
    """Describes the rows of one graph."""

    def __init__(self, rows: Mapping[str, Row], types: Mapping[str, Type]) -> None:
        self._rows = rows
        self._types = types
        self._declares = False

    def row(self, graph: Graph, resolved: ResolvedRow) -> dict[str, Any]:
        row = resolved.row
        self._declares = row.kind is RowKind.BASE
        return {
            "row": row.name,
            "id": row.id,
            "kind": row.kind.value,
            "description": row.description or None,
            "type": None if row.type is None else str(row.type),
            **place_record(row.span),
            "parents": [self._parent(parent) for parent in resolved.chain[1:]],
            "slots": [self._slot(slot) for slot in resolved.slots],
            "fed": [self._feed(name, feed) for name, feed in resolved.feeds.items()],
            "arguments": [self._argument(each) for each in resolved.interface.values()],
            "result": self._result(graph, resolved),
            "variables": sorted(self._variables(resolved)) if self._declares else [],
            "effects": sorted(resolved.effects),
            "diagnostics": [problem_record(p) for p in graph.diagnostics_of(resolved.id)],
        }

    def _type(self, type_: Type) -> str:
        """A type as text; type variables are for base functions, which declare them."""
        return str(type_ if self._declares else without_variables(type_))

    def _variables(self, resolved: ResolvedRow) -> frozenset[str]:
        declared = (slot.type for slot in resolved.slots)
        return variables(resolved.result).union(*map(variables, declared))

    def _result(self, graph: Graph, resolved: ResolvedRow) -> str:
        """What is declared; else, where it depends on what is bound, what is inferred."""
        if self._declares or not variables(resolved.result):
            return str(resolved.result)
        return shown(graph.inference.row(resolved.id).result)

    def _parent(self, row_id: str) -> dict[str, Any]:
        row = self._rows[row_id]
        return {"row": row.name, "id": row.id, "kind": row.kind.value, **place_record(row.span)}

    def _slot(self, slot: Slot) -> dict[str, Any]:
        bound = slot.source is not None and not isinstance(slot.source, Open)
        declared = slot.declaration
        default = None
        if isinstance(slot.source, Open) and slot.source.default is not None:
            default = self._text(slot.source.default, slot.type)
        elif not bound and declared.has_default:
            default = self._literal(declared.default, slot.type)
        return {
            "name": slot.name,
            "declared_as": declared.name,
            "type": self._type(slot.type),
            "required": slot.required and not bound,
            "bound": bound,
            "value": self._text(slot.source, slot.type) if bound and slot.source else None,
            "default": default,
            "by": None if slot.bound_by is None else self._rows[slot.bound_by].owner,
            "terminal": slot.terminal_by is not None,
            **place_record(slot.place.span),
        }

    def _feed(self, name: str, feed: Feed) -> dict[str, Any]:
        return {
            "name": name,
            "type": self._type(feed.type),
            "value": self._text(feed.source, feed.type),
            "by": self._rows[feed.bound_by].owner,
            **place_record(feed.source.place.span),
        }

    def _argument(self, parameter: Parameter) -> dict[str, Any]:
        known = parameter.default_known
        return {
            "name": parameter.name,
            "type": self._type(parameter.type),
            "required": parameter.required,
            "default": self._literal(parameter.default, parameter.type) if known else None,
            "description": parameter.description or None,
            "from": [
                {
                    "row": self._rows[origin.row].owner,
                    "argument": str(origin.path[0]),
                    **place_record(origin.span),
                }
                for origin in parameter.origins
            ],
        }

    def _text(self, source: Source, type_: Type) -> str:
        """A source as a row would write it; rows that are written inline are cut short."""
        match source:
            case Constant(value=Keyword() as value):
                return f"{{:value {self._literal(value, type_)}}}"
            case Constant(value=value):
                return self._literal(value, type_)
            case Use(target=target) | Wrap(target=target):
                return written(self._rows[target])
            case Sequence(items=items):
                each = item_type(type_, self._types)
                texts = (self._text(item, self._stated(item) or each) for item in items)
                return f"[{' '.join(texts)}]"
            case Open(name=name, default=None):
                return f"{{:as :{name}}}"
            case Open(name=name, default=default) if default is not None:
                key = ":ref" if isinstance(default, Use | Wrap) else ":value"
                kept = source.type if holds_secret(source.type, self._types) else type_
                return f"{{:as :{name} {key} {self._text(default, kept)}}}"
            case Open():
                return f"{{:as :{source.name}}}"
            case _:
                assert_never(source)

    def _stated(self, item: Source) -> Type | None:
        """The type that an item states for itself."""
        for argument in self._rows[item.place.row].arguments:
            target = argument.binding.target
            if isinstance(target, Items) and item.place.path[0] == argument.name:
                return next((i.type for i in target.items if i.span == item.place.span), None)
        return None

    def _literal(self, value: object, type_: Type) -> str:
        return literal(value, type_, self._types)


def literal(value: object, type_: Type, types: Mapping[str, Type]) -> str:
    """A value of that type as EDN text, what is secret in it hidden."""
    return secrets.clean(write(secrets.hide(value, type_, types), lossy=True))


def item_type(type_: Type, types: Mapping[str, Type]) -> Type:
    """The type of the items of a list; a type that is secret in another way is that of each."""
    match type_:
        case ListOf(item):
            return item
        case Named(row):
            return item_type(types.get(row, ANY), types)
    return Secret(ANY) if holds_secret(type_, types) else ANY


def written(row: Row) -> str:
    """A row as a reference writes it; one that is written inline is cut short."""
    if not row.inline:
        return f":{row.name}"
    parents = " ".join(f":{parent.text}" for parent in row.parents)
    return f"{{:parent {parents} …}}"


def place_record(span: Span) -> dict[str, Any]:
    return {"file": span.file, "line": span.line, "column": span.column}
