"""What can be said of sources without looking anything up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from graphden.model.resolved import Constant, Open, Sequence, Source, Use, Wrap


def references(source: Source) -> Iterator[Use | Wrap]:
    """The references in a source, those of defaults included."""
    match source:
        case Use(renamed=renamed) | Wrap(renamed=renamed):
            yield source
            for opened in renamed.values():
                yield from references(opened)
        case Open(default=default) if default is not None:
            yield from references(default)
        case Sequence(items=items):
            for item in items:
                yield from references(item)


def refers(source: Source) -> bool:
    """Whether a binding is a reference, or a list with one; it is sealed (LANGUAGE 4.8)."""
    match source:
        case Use() | Wrap():
            return True
        case Sequence(items=items):
            return any(refers(item) for item in items)
        case _:
            return False


def constant(source: Source) -> bool:
    """Whether a source is data through and through."""
    match source:
        case Constant():
            return True
        case Sequence(items=items):
            return all(constant(item) for item in items)
        case _:
            return False


def value_of(source: Source) -> object:
    """The value of a constant source."""
    match source:
        case Constant(value=value):
            return value
        case Sequence(items=items):
            return [value_of(item) for item in items]
        case _:
            msg = f"not constant: {source}"
            raise TypeError(msg)


def reopen(
    source: Source,
    changes: Mapping[str, Open],
    captured: Callable[[Use | Wrap], frozenset[str]],
) -> Source:
    """`source` with the free arguments in `changes` coming from elsewhere.

    `captured` gives the names that a reference takes from the row that refers.
    """
    match source:
        case Constant():
            return source
        case Open(name=name):
            return (
                _reopened(source, changes, captured)
                if name in changes
                else (
                    source
                    if source.default is None
                    else replace(source, default=reopen(source.default, changes, captured))
                )
            )
        case Sequence(items=items):
            return replace(
                source, items=tuple(reopen(item, changes, captured) for item in items)
            )
        case Use() | Wrap():
            renamed = dict(source.renamed)
            for name in captured(source):
                before = renamed.get(name)
                if before is not None:
                    renamed[name] = _reopened(before, changes, captured)
                elif name in changes:
                    renamed[name] = changes[name]
            return replace(source, renamed=renamed) if renamed else source


def _reopened(
    opened: Open, changes: Mapping[str, Open], captured: Callable[[Use | Wrap], frozenset[str]]
) -> Open:
    default = opened.default
    if default is not None:
        default = reopen(default, changes, captured)
    change = changes.get(opened.name)
    if change is None:
        return replace(opened, default=default)
    return replace(change, default=change.default if change.default is not None else default)
