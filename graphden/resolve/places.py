"""Where things were said: the places that belong to a problem, each with a short label.

Of slots only what rows write is asked; names are followed through renames, from the row whose
name it is up to the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from graphden.errors import Notes, Span
from graphden.model.rows import Argument, Binding, Inline, Items, Name, Reference, Row, RowKind


def all_of(names: Sequence[Name]) -> Span:
    """From the first name to the last, which stand in one vector."""
    first, last = names[0].span, names[-1].span
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


def said_of(
    chain: Iterable[Row], name: str, says: Callable[[Binding], bool]
) -> tuple[Row, Argument] | None:
    """The closest row of a chain whose binding of slot `name` says what is asked for."""
    for row in chain:
        for argument in row.arguments:
            as_name = argument.binding.as_name
            if name == (argument.name if as_name is None else as_name.text):
                if says(argument.binding):
                    return row, argument
                name = argument.name
                break
    return None


def type_of_slot(chain: Sequence[Row], name: str) -> Notes:
    """Where the type of slot `name` was said: narrowed by a row, else declared by the root."""
    said = said_of(chain, name, lambda binding: binding.type is not None)
    if said is not None:
        return ((f":{said[0].owner} narrows it here", said[1].binding.span),)
    for row in chain:
        for argument in row.arguments:
            as_name = argument.binding.as_name
            if as_name is not None and as_name.text == name:
                name = argument.name
    root = chain[-1]
    for slot in root.slots:
        if slot.name == name:
            return ((f":{root.name} declares it here", slot.span),)
    if root.kind is RowKind.TYPE:
        return ((f":{root.name} says so", root.name_span),)
    return ()


def terminal(chain: Iterable[Row], name: str, owner: str) -> Notes:
    """Where row `owner` refuses to have `name` bound below it."""
    for row in chain:
        for argument in row.arguments if row.owner == owner else ():
            for binding in _bindings(argument.binding):
                as_name = binding.as_name
                if binding.terminal and name == (as_name.text if as_name else argument.name):
                    return (("made terminal here", binding.span),)
    return ()


def step(row: Row, needs: Callable[[Name], bool], inline: str) -> Span | None:
    """Where a row needs another: a name for which `needs` holds, or the inline row `inline`."""
    for name in row.parents:
        if needs(name):
            return name.span
    for argument in row.arguments:
        for binding in _bindings(argument.binding):
            match binding.target:
                case Reference(name=name) if needs(name):
                    return name.span
                case Inline(row=inner, span=span) if inner.id == inline:
                    return span
    return None


def _bindings(binding: Binding) -> Iterator[Binding]:
    yield binding
    if isinstance(binding.target, Items):
        for item in binding.target.items:
            yield from _bindings(item)
