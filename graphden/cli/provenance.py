"""Where the slots and arguments of a row come from, as plain data.

A *step* is what one row of the chain does to a slot or a free name: declares it, binds it,
gives it another name, a default, a narrower type. A *need* is a place that a free name feeds: a
slot somewhere below, and the references that lead there. What the data looks like is what
`graphden explain --json` prints, and stays as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from graphden.cli.describing import describe, literal
from graphden.cli.steps import actions_of
from graphden.engine import Graph
from graphden.errors import RunError, Span
from graphden.model.resolved import Open, Place, ResolvedRow, Sequence, Slot, Source, Use, Wrap
from graphden.model.rows import Argument, Binding, Items, Row, RowKind
from graphden.model.types import Record
from graphden.read.problems import did_you_mean
from graphden.resolve.feeding import drawn
from graphden.resolve.sources import references
from graphden.resolve.types import as_callable


def explain(graph: Graph, name: str, slot: str | None = None) -> dict[str, Any]:
    """The row `name`, each of its slots and free names explained; with `slot` only that one.

    A slot is found under every name that it has on the chain. Raises RunError `unknown-row`,
    `ambiguous-name`, `unknown-slot`.
    """
    described = describe(graph, name)
    explainer = _Explainer(graph, graph.program.resolved[described["id"]])
    entries = explainer.entries(described)
    if slot is not None:
        wanted = slot.removeprefix(":")
        entries = [entry for entry in entries if wanted in _names(entry)] or _none(
            wanted, entries, explainer.row
        )
    kept = ("row", "id", "kind", "file", "line", "column")
    return {**{key: described[key] for key in kept}, "entries": entries}


def _names(entry: dict[str, Any]) -> set[str]:
    return {entry["name"], entry["declared_as"], *(step["name"] for step in entry["steps"])}


def _none(wanted: str, entries: list[dict[str, Any]], row: ResolvedRow) -> Any:
    names = [entry["name"] for entry in entries]
    listed = ", ".join(f":{each}" for each in names)
    raise RunError(
        "unknown-slot",
        f":{row.row.name} has no slot or argument :{wanted}",
        hint=did_you_mean(wanted, names) or (f"It has {listed}." if listed else "It has none."),
    )


@dataclass(frozen=True, slots=True)
class _Reached:
    """A name of a row on the search for needs, and the references that led there."""

    row: ResolvedRow
    name: str
    through: tuple[dict[str, Any], ...] = ()


class _Explainer:
    """Explains one row."""

    def __init__(self, graph: Graph, row: ResolvedRow) -> None:
        self.row = row
        self._rows = graph.program.rows
        self._resolved = graph.program.resolved
        self._types = graph.program.types

    def entries(self, described: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Slots first, then names bound for references, then free arguments."""
        slots = [
            self._slot(slot, record)
            for slot, record in zip(self.row.slots, described["slots"], strict=True)
        ]
        names = {slot.name for slot in self.row.slots}
        fed = [{**each, "bound": True} for each in described["fed"]]
        free = [{**each, "bound": False} for each in described["arguments"]]
        return slots + [
            self._free(record)
            for record in (*fed, *free)
            if record["bound"] or record["name"] not in names
        ]

    def _slot(self, slot: Slot, record: Mapping[str, Any]) -> dict[str, Any]:
        needed = [] if record["bound"] else self._needs(slot.name)
        return {
            "kind": "slot",
            **_kept(record),
            "required": not record["bound"] and self.row.interface[slot.name].required,
            "receives": self._receives(slot),
            "steps": self._slot_steps(slot),
            "needed": [need for need in needed if need["through"] or need["item"] is not None],
        }

    def _free(self, record: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "kind": "free",
            **_kept(record),
            "receives": [],
            "steps": self._free_steps(record["name"]),
            "needed": self._needs(record["name"]),
        }

    # -- what the rows of the chain did ------------------------------------------------------

    def _slot_steps(self, slot: Slot) -> list[dict[str, Any]]:
        declared = slot.declaration
        action: dict[str, Any] = {"action": "declared", "type": str(declared.type)}
        if declared.has_default:
            action["value"] = literal(declared.default, slot.type, self._types)
        elif not declared.required:
            action["optional"] = True
        steps = [_step(self.row.root, declared.name, declared.span, [action])]
        had_items = False
        for row_id in ancestors_first(self.row, self._resolved):
            row = self._rows[row_id]
            if row_id == self.row.root.id:
                continue
            steps += self._contract(row, slot)
            visible = self._visible(row_id)
            for argument in row.arguments:
                if visible.get(argument.name) == declared.name:
                    actions = actions_of(argument, slot.type, self._types, extends=had_items)
                    had_items |= isinstance(argument.binding.target, Items)
                    steps.append(_step(row, argument.name, argument.binding.span, actions))
        return steps

    def _contract(self, row: Row, slot: Slot) -> Iterator[dict[str, Any]]:
        """A record among several parents narrows the slots of its fields' names."""
        body = self._types.get(row.id)
        if row.kind is RowKind.TYPE and isinstance(body, Record):
            for field in body.fields:
                if field.name == slot.name:
                    action = {"action": "narrowed", "type": str(field.type)}
                    yield _step(row, field.name, row.name_span, [action])

    def _free_steps(self, name: str) -> list[dict[str, Any]]:
        names = {name}
        steps = []
        feed = self.row.feeds.get(name)
        type_ = self.row.interface[name].type if feed is None else feed.type
        for row_id in reversed(ancestors_first(self.row, self._resolved)):
            row, slots = self._rows[row_id], self._visible(row_id)
            for argument in row.arguments:
                as_name = argument.binding.as_name
                renamed = as_name is not None and as_name.text in names
                if argument.name not in slots and (renamed or argument.name in names):
                    names.add(argument.name)
                    actions = actions_of(argument, type_, self._types, extends=False)
                    steps.append(_step(row, argument.name, argument.binding.span, actions))
                for item in items_of(argument):
                    opened = replace(argument, name=name, binding=item)
                    told = actions_of(opened, type_, self._types, extends=False)
                    if item.as_name is not None and item.as_name.text in names and told[1:]:
                        steps.append(_step(row, item.as_name.text, item.span, told[1:]))
        return steps[::-1]

    def _visible(self, row_id: str) -> dict[str, str]:
        """The slots that a row can bind: their declared names by those its parents leave."""
        return {
            slot.name: slot.declaration.name
            for parent in self._resolved[row_id].parents
            for slot in self._resolved[parent].slots
            if self._resolved[parent].root.kind is not RowKind.TYPE or parent in self.row.chain
        }

    # -- what a name feeds -------------------------------------------------------------------

    def _needs(self, name: str) -> list[dict[str, Any]]:
        """The open places below that `name` feeds, each by the shortest way."""
        found: list[dict[str, Any]] = []
        pending = deque([_Reached(self.row, name)])
        seen = {(self.row.id, name)}
        while pending:
            reached = pending.popleft()
            found += self._places(reached)
            for further in self._further(reached):
                key = (further.row.id, further.name)
                if key not in seen:
                    seen.add(key)
                    pending.append(further)
        return found

    def _places(self, reached: _Reached) -> Iterator[dict[str, Any]]:
        row = reached.row
        for slot in row.slots:
            free = slot.source is None or isinstance(slot.source, Open)
            if free and slot.name == reached.name:
                place = replace(slot.place, path=(slot.declaration.name,))
                yield self._need(reached, place)
        for source in drawn(row.slots, row.feeds):
            for opened in _opened(source):
                if opened.name == reached.name:
                    yield self._need(reached, opened.place)

    def _opened_at(self, row: ResolvedRow, place: Place) -> Place:
        """Where an item was opened that a row below has given another name or a default."""
        name = place.path[0]
        if name in {slot.declaration.name for slot in row.slots}:
            return place
        for row_id in row.chain:
            for argument in self._rows[row_id].arguments:
                as_name = argument.binding.as_name
                if as_name is not None and as_name.text == name:
                    name = argument.name
                for index, item in enumerate(items_of(argument)):
                    if item.as_name is not None and item.as_name.text == name:
                        return Place(row_id, (argument.name, index), item.span)
        return place

    def _need(self, reached: _Reached, opened: Place) -> dict[str, Any]:
        place = self._opened_at(reached.row, opened)
        slot, *item = place.path
        return {
            "row": self._rows[place.row].owner,
            "base": reached.row.root.name,
            "slot": slot,
            "item": item[0] if item else None,
            **_place(place.span),
            "through": list(reached.through),
        }

    def _further(self, reached: _Reached) -> Iterator[_Reached]:
        """The arguments of other rows that the name feeds."""
        row = reached.row
        for source in drawn(row.slots, row.feeds):
            for ref in references(source):
                target = self._resolved[ref.target]
                received = ref.receivers if isinstance(ref, Wrap) else ()
                for name in target.interface:
                    outer = ref.renamed[name].name if name in ref.renamed else name
                    if outer == reached.name and name not in received:
                        step = self._reference(ref, name)
                        yield _Reached(target, name, (*reached.through, step))

    def _reference(self, ref: Use | Wrap, name: str) -> dict[str, Any]:
        return {
            "row": self._rows[ref.place.row].owner,
            "slot": str(ref.place.path[0]),
            "to": self._rows[ref.target].owner,
            "inline": self._rows[ref.target].inline,
            "argument": name,
            **_place(ref.place.span),
        }

    def _receives(self, slot: Slot) -> list[dict[str, Any]]:
        """Which argument of a callable receives which parameter."""
        called = as_callable(slot.type, self._types)
        if called is None or not isinstance(slot.source, Wrap):
            return []
        parameters = [name for name, _ in called.parameters]
        return [
            {"parameter": parameter, "argument": argument}
            for parameter, argument in zip(parameters, slot.source.receivers, strict=True)
        ]


def ancestors_first(row: ResolvedRow, rows: Mapping[str, ResolvedRow]) -> list[str]:
    """A row and all above it, contracts included: parents from left to right, each once, and
    before what descends from it.
    """
    found: dict[str, None] = {}
    waiting = [(row.id, False)]
    while waiting:
        row_id, done = waiting.pop()
        if done:
            found[row_id] = None
        elif row_id not in found:
            waiting.append((row_id, True))
            waiting.extend((parent, False) for parent in reversed(rows[row_id].parents))
    return list(found)


def items_of(argument: Argument) -> tuple[Binding, ...]:
    """The items that an argument binds, if it binds a list."""
    target = argument.binding.target
    return target.items if isinstance(target, Items) else ()


def _kept(record: Mapping[str, Any]) -> dict[str, Any]:
    bound = record["bound"]
    return {
        "name": record["name"],
        "declared_as": record.get("declared_as", record["name"]),
        "type": record["type"],
        "bound": bound,
        "value": record.get("value"),
        "by": record.get("by"),
        "required": not bound and record["required"],
        "default": record.get("default"),
    }


def _opened(source: Source) -> Iterator[Open]:
    match source:
        case Open(default=default):
            yield source
            if default is not None:
                yield from _opened(default)
        case Sequence(items=items):
            for item in items:
                yield from _opened(item)


def _step(row: Row, name: str, span: Span, actions: list[dict[str, Any]]) -> dict[str, Any]:
    """What `row` does to the slot or argument that is called `name` there."""
    place = _place(span)
    return {"row": row.owner, "id": row.id, "name": name, "actions": actions, **place}


def _place(span: Span) -> dict[str, Any]:
    return {"file": span.file, "line": span.line, "column": span.column}
