"""From the bindings of one row to sources: references looked up, callables matched."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Protocol

from graphden.edn import Keyword
from graphden.errors import Notes, Problem, Span
from graphden.model.resolved import (
    Constant,
    Open,
    Place,
    ResolvedRow,
    Sequence,
    Source,
    Use,
    Wrap,
)
from graphden.model.rows import (
    Binding,
    Inline,
    Items,
    Literal,
    Name,
    Reference,
    Row,
    Target,
    Unreadable,
)
from graphden.model.types import ANY, Callable, Type, Variable
from graphden.read.problems import Spelling
from graphden.resolve.matching import Mismatch, match_parameters
from graphden.resolve.types import Narrower, accepts_null, as_callable, expand, item_type


class Rows(Protocol):
    """What is asked of the other rows."""

    types: dict[str, Type]
    incomplete: set[str]
    narrower: Narrower
    spelling: Spelling

    def find(self, name: Name, by: Row) -> Row | None: ...

    def get(
        self, row_id: str, at: Span | None = None, by: Row | None = None
    ) -> ResolvedRow | None: ...

    def type(self, type_: Type, row: Row) -> Type: ...


class Wiring:
    """Turns the bindings of `row` into sources.

    `fed` are the names that bindings on the row's chain supply. What is found on the way is
    gathered: `problems`, and whether the row is `incomplete`, which is to say that
    it or what it needs has a problem, so that a missing name may be no mistake of its own.
    """

    def __init__(self, rows: Rows, row: Row, *, incomplete: bool) -> None:
        self.rows = rows
        self.row = row
        self.fed: Collection[str] = ()
        self.problems: list[Problem] = []
        self.incomplete = incomplete

    def problem(
        self, code: str, span: Span, message: str, hint: str, *, notes: Notes = ()
    ) -> None:
        """Note a structural problem of the row."""
        self.problems.append(Problem(code, message, hint, self.row.owner, span, notes=notes))

    def diagnostic(
        self, code: str, span: Span, message: str, hint: str, *, notes: Notes = ()
    ) -> None:
        """Note what is wrong with the row's types."""
        self.problems.append(
            Problem(code, message, hint, self.row.owner, span, structural=False, notes=notes)
        )

    def chain(self, row: ResolvedRow) -> list[Row]:
        """The rows as written from `row` to its root."""
        found = map(self.rows.get, row.chain)
        return [each.row for each in found if each is not None]

    def narrowed(self, name: str, binding: Binding, before: Type, *, said: Notes = ()) -> Type:
        """The type that a slot has from here on, which a binding may only make narrower.

        `said` is where the type before was said.
        """
        if binding.type is None:
            return before
        type_ = self.rows.type(binding.type, self.row)
        if expand(type_, self.rows.types) == ANY != binding.type:
            return before  # it could not be read, and that is said already
        if not self._is_within(type_, before):
            self._not_narrower(binding.span, f":{name} takes", type_, before, said)
        return type_

    def _is_within(self, type_: Type, before: Type) -> bool:
        if isinstance(before, Variable):
            return True  # it stands for any type
        return self.rows.narrower(type_, before, self.rows.types) == type_

    def _not_narrower(
        self, span: Span, takes: str, type_: Type, before: Type, said: Notes = ()
    ) -> None:
        self.diagnostic(
            "not-narrower",
            span,
            f"{takes} {before}, and {type_} is not narrower",
            f"Narrow it to a type within {before}; the rows above rely on getting that.",
            notes=said,
        )

    def bound(
        self, binding: Binding, type_: Type, place: Place, before: Source | None
    ) -> Source | None:
        """What a binding comes to in a place of this type, over what was bound there before."""
        item = item_type(type_, self.rows.types)
        match binding.target:
            case None:
                return None
            case Items() as target if item is not None:
                self.problems.extend(target.problems)
                items = self._items(target, item, place)
                return Sequence((*_items_of(before), *items), place, target.closed)
            case Items(append=True, span=span):
                self.problem(
                    "bad-row",
                    span,
                    f":append goes with a list, and :{place.path[0]} takes "
                    f"{'any value' if isinstance(type_, Variable) else type_}",
                    "Write {:value […]} for one literal.",
                )
                return None
            case Literal(value=list() as values, whole=True, span=span) if item is not None:
                if values and as_callable(item, self.rows.types):
                    self._not_callable(span, item, values)
                return Sequence(
                    tuple(
                        Constant(value, replace(place, path=(*place.path, index)))
                        for index, value in enumerate(values)
                    ),
                    place,
                )
            case target:
                return self._source(target, type_, place)

    def _items(self, target: Items, item: Type, place: Place) -> tuple[Source, ...]:
        found: list[Source] = []
        for index, binding in enumerate(target.items):
            at = Place(self.row.id, (*place.path, index), binding.span)
            source: Source | None = None
            type_ = self._item_type(binding, item, place)
            if binding.target is not None:
                source = self._source(binding.target, type_, at)
            if binding.as_name is not None:
                source = Open(binding.as_name.text, at, type_, source)
            elif binding.type is not None and isinstance(source, Constant | Use | Wrap):
                source = replace(source, type=type_)
            if source is not None:
                found.append(source)
        return tuple(found)

    def _item_type(self, binding: Binding, item: Type, place: Place) -> Type:
        if binding.type is None:
            return item
        type_ = self.rows.type(binding.type, self.row)
        if self._is_within(type_, item):
            return type_
        if binding.as_name:
            return type_  # an argument of its own, looked at where it comes to the item
        if expand(type_, self.rows.types) != ANY or binding.type == ANY:
            takes = f":{place.path[0]} takes items of"
            self._not_narrower(binding.span, takes, type_, item)
        return item

    def _source(self, target: Target, type_: Type, place: Place) -> Source | None:
        callable_ = as_callable(type_, self.rows.types)
        match target:
            case Literal(value=value, span=span) | Items(value=value, span=span):
                missing = value is None and accepts_null(type_, self.rows.types)
                if callable_ is not None and not missing:
                    self._not_callable(span, type_, value)
                return Constant(value, place)
            case Reference(name=name):
                place = replace(place, span=name.span)
                row = self.rows.find(name, self.row)
                resolved = None if row is None else self.rows.get(row.id, name.span, self.row)
            case Inline(row=row, span=span):
                resolved = self.rows.get(row.id, span, self.row)
            case Unreadable():
                resolved = None
        if resolved is None or resolved.id in self.rows.incomplete:
            self.incomplete = True
        if resolved is None:
            return None
        if callable_ is None or as_callable(resolved.result, self.rows.types) is not None:
            return Use(resolved.id, place)
        return self._wrapped(resolved, callable_, place)

    def _wrapped(self, target: ResolvedRow, called: Callable, place: Place) -> Source | None:
        matched = match_parameters(target, called, self.fed)
        if isinstance(matched, Mismatch):
            if target.id not in self.rows.incomplete:
                self.problem(
                    matched.code,
                    place.span,
                    matched.message,
                    matched.hint,
                    notes=matched.notes,
                )
            self.incomplete = True
            return None
        return Wrap(target.id, matched, place)

    def _not_callable(self, span: Span, type_: Type, value: object) -> None:
        message = f"a callable is needed here, {type_}, and this is a literal"
        called = as_callable(type_, self.rows.types)
        takes = called.parameters[0][0] if called and called.parameters else ""
        match value:
            case str() as name if not isinstance(name, Keyword) and name.isidentifier():
                hint = f"A row is named by a keyword, :{name}; it is called each time."
            case [Keyword() as name]:
                hint = f"Without brackets, {name} names the row that is called each time."
            case Keyword() as name if takes:
                hint = (
                    f"Write {name} for the row of that name. To read the field {name}, write "
                    f"{{:parent :get :args {{:coll {{:as :{takes}}} :key {{:value {name}}}}}}}."
                )
            case _:
                hint = "Name a row, such as :double; it is called each time."
        self.diagnostic("not-callable", span, message, hint)


def _items_of(before: Source | None) -> tuple[Source, ...]:
    """The items that a vector below extends (LANGUAGE 4.4)."""
    match before:
        case Sequence(items=items):
            return items
        case Constant(value=list() as values, place=place):
            return tuple(Constant(value, place) for value in values)
    return ()
