"""All rows of a graph, resolved: each once, in an order in which what it needs comes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphden.errors import Problem, Span
from graphden.model.resolved import Parameter, Place, Program, ResolvedRow, Slot
from graphden.model.rows import (
    Binding,
    Inline,
    Items,
    Name,
    Row,
    RowKind,
    SlotDeclaration,
)
from graphden.model.types import (
    ANY,
    Callable,
    Field,
    ListOf,
    MapOf,
    Named,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Unresolved,
    Variant,
)
from graphden.resolve.derive import Derivation
from graphden.resolve.names import Names
from graphden.resolve.types import Narrower


def resolve(rows: Iterable[Row], narrower: Narrower) -> tuple[Program, list[Problem]]:
    """The program that `rows` make, and every structural problem in it."""
    listed = list(rows)
    resolver = Resolver([inner for row in listed for inner in _with_inline(row)], narrower)
    for row in listed:
        resolver.get(row.id)
    return resolver.program(), resolver.problems


def _with_inline(row: Row) -> Iterator[Row]:
    yield row
    for argument in row.arguments:
        yield from _inside(argument.binding)


def _inside(binding: Binding) -> Iterator[Row]:
    match binding.target:
        case Inline(row=row):
            yield from _with_inline(row)
        case Items(items=items):
            for item in items:
                yield from _inside(item)


class Resolver:
    """Resolves rows on demand, each once; `problems` are those found so far."""

    def __init__(self, rows: Iterable[Row], narrower: Narrower) -> None:
        self.names = Names(rows)
        self.narrower = narrower
        self.problems: list[Problem] = []
        self.types: dict[str, Type] = {}
        self.incomplete: set[str] = set()
        self._resolved: dict[str, ResolvedRow | None] = {}
        self._stack: list[str] = []
        for first, second in self.names.duplicates:
            self.problem(
                "duplicate-row",
                second,
                second.name_span,
                f":{second.id} is already defined at {first.span}",
                "Rename one of them, or put it into another namespace.",
            )
        for row in self.names.rows.values():
            if row.type is not None:
                self.types[row.id] = self.type(row.type, row)

    def program(self) -> Program:
        """What was resolved."""
        resolved = {key: value for key, value in self._resolved.items() if value is not None}
        return Program(self.names.rows, resolved, self.types)

    def problem(self, code: str, row: Row, span: Span, message: str, hint: str = "") -> None:
        """Note a structural problem."""
        self.problems.append(Problem(code, message, hint, row.owner, span))

    def find(self, name: Name, by: Row) -> Row | None:
        """The row that a name means, its absence noted."""
        found = self.names.find(name.text, by, name.span)
        if isinstance(found, Problem):
            self.problems.append(found)
            return None
        return found

    def get(self, row_id: str, at: Span | None = None, by: Row | None = None) -> (
        ResolvedRow | None
    ):
        """The resolved row; None while it is being resolved, or when it cannot be."""
        if row_id in self._resolved:
            return self._resolved[row_id]
        row = self.names.rows[row_id]
        if row_id in self._stack:
            self._cycle(row_id, by or row, at or row.span)
            return None
        self._stack.append(row_id)
        try:
            resolved = self._resolve(row)
        finally:
            self._stack.pop()
        self._resolved[row_id] = resolved
        return resolved

    def _cycle(self, row_id: str, by: Row, at: Span) -> None:
        cycle = [*self._stack[self._stack.index(row_id) :], row_id]
        shown = [self.names.rows[step].name for step in cycle]
        self.problem(
            "cycle",
            by,
            at,
            f"this row needs itself: {' → '.join(':' + name for name in shown)}",
            "A row cannot reach itself through parents or references; "
            "for recursion use :fix, whose :step is handed itself as :self.",
        )

    def _resolve(self, row: Row) -> ResolvedRow | None:
        match row.kind:
            case RowKind.BASE:
                return self._base(row)
            case RowKind.TYPE:
                return self._type_row(row)
            case RowKind.FUNCTION:
                return self._function(row)

    def _function(self, row: Row) -> ResolvedRow | None:
        if len(row.parents) != 1:
            if row.parents:
                self.problem(
                    "bad-row",
                    row,
                    row.parents[1].span,
                    "several parents are not supported yet",
                    "Give the row one :parent.",
                )
            return None
        parent = self.find(row.parents[0], row)
        base = None if parent is None else self.get(parent.id, row.parents[0].span, row)
        if base is None:
            return None
        return Derivation(self, row, base).finish()

    def _base(self, row: Row) -> ResolvedRow:
        declarations = [
            SlotDeclaration(
                d.name,
                self.type(d.type, row),
                d.span,
                d.required,
                d.default,
                d.has_default,
                d.lazy,
                d.description,
            )
            for d in row.slots
        ]
        result = ANY if row.return_type is None else self.type(row.return_type, row)
        return self._root(row, declarations, result)

    def _type_row(self, row: Row) -> ResolvedRow:
        """A type row as a parent: a record builds the map of its fields, a refinement gives its
        `:value`, a list its `:items` (LANGUAGE 2.4).
        """
        body = self.types[row.id]

        def slot(name: str, type_: Type, *, required: bool = True) -> SlotDeclaration:
            return SlotDeclaration(name, type_, row.span, required)

        match body:
            case Record(fields):
                slots = [slot(f.name, f.type, required=f.required) for f in fields]
            case ListOf():
                slots = [slot("items", body)]
            case _:
                slots = [slot("value", body)]
        return self._root(row, slots, Named(row.id))

    def _root(self, row: Row, slots: list[SlotDeclaration], result: Type) -> ResolvedRow:
        places = {d.name: Place(row.id, (d.name,), d.span) for d in slots}
        return ResolvedRow(
            row=row,
            chain=(row.id,),
            root=row,
            slots=tuple(
                Slot(d, d.name, d.type, d.required, places[d.name]) for d in slots
            ),
            interface={
                d.name: Parameter(
                    d.name,
                    d.type,
                    d.required,
                    d.default,
                    d.has_default,
                    (places[d.name],),
                    d.description,
                )
                for d in slots
            },
            effects=row.effects,
            result=result,
        )

    def type(self, type_: Type, row: Row) -> Type:
        """`type_` with every name of a type row looked up."""

        def again(inner: Type) -> Type:
            return self.type(inner, row)

        match type_:
            case Unresolved(name, span):
                found = self.names.find(name, row, span, kind="type")
                if isinstance(found, Problem):
                    self.problems.append(found)
                    return ANY
                if found.kind is not RowKind.TYPE:
                    self.problem("unknown-type", row, span, f":{name} is a row, but not a type")
                    return ANY
                return Named(found.id)
            case ListOf(item):
                return ListOf(again(item))
            case MapOf(key, value):
                return MapOf(again(key), again(value))
            case TupleOf(items):
                return TupleOf(tuple(again(item) for item in items))
            case Union(members):
                return Union(tuple(again(member) for member in members))
            case Callable(parameters, result):
                return Callable(
                    tuple((name, again(inner)) for name, inner in parameters), again(result)
                )
            case Secret(inner):
                return Secret(again(inner))
            case Record(fields):
                return Record(
                    tuple(Field(f.name, again(f.type), f.required) for f in fields)
                )
            case Variant(cases):
                return Variant(tuple((tag, again(inner)) for tag, inner in cases))
            case Refined(base, constraint):
                return Refined(again(base), constraint)
            case _:
                return type_

