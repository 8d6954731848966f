"""What must not be seen: the values of `[:secret T]` (LANGUAGE 8.7).

Types keep a secret from flowing where it does not belong; this keeps it out of texts. Every
value that comes in as a secret is noted, and error texts are cleaned of what was noted.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from graphden.check import Violation, holds_secret
from graphden.model.types import (
    ANY,
    NULL,
    ListOf,
    MapOf,
    Named,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
)

HIDDEN = "‹secret›"
"""Stands where a secret would."""

MOST = 10_000
"""How many secrets are remembered; the oldest are forgotten first."""

DEEPEST = 100
"""Levels of the data of an error that are looked through; what is below is hidden."""

SHORTEST = 3
"""Characters below which a text says too little to be looked for in others."""

_lock = threading.Lock()
_noted: OrderedDict[str, None] = OrderedDict()


def note(value: object) -> None:
    """Remember a secret value, or the values inside it."""
    match value:
        case dict():
            for key, inner in value.items():
                note(key)
                note(inner)
        case list() | tuple() | frozenset():
            for inner in value:
                note(inner)
        case None | bool():
            pass
        case _:
            text = str(value)
            if len(text) >= SHORTEST:
                with _lock:
                    _noted[text] = None
                    _noted.move_to_end(text)
                    if len(_noted) > MOST:
                        _noted.popitem(last=False)


def note_typed(value: object, type_: Type, types: Mapping[str, Type]) -> None:
    """Remember the parts of a value that its type calls secret."""
    match type_:
        case Secret():
            note(value)
        case Named(row):
            if holds_secret(type_, types):
                note_typed(value, types.get(row, ANY), types)
        case ListOf(item) if isinstance(value, list):
            for inner in value:
                note_typed(inner, item, types)
        case Refined(base, _):
            note_typed(value, base, types)
        case MapOf(key, item) if isinstance(value, dict):
            for name, inner in value.items():
                note_typed(name, key, types)
                note_typed(inner, item, types)
        case Record(fields) if isinstance(value, dict):
            for field in fields:
                note_typed(value.get(field.name), field.type, types)
        case TupleOf(items) if isinstance(value, list):
            for inner, item in zip(value, items, strict=False):
                note_typed(inner, item, types)
        case Union(members) if value is not None:
            for member in members:
                note_typed(value, member, types)


def hide(value: object, type_: Type, types: Mapping[str, Type]) -> object:
    """A value with `HIDDEN` in place of the parts that its type calls secret."""
    if value is None or not holds_secret(type_, types):
        return value
    match type_:
        case Secret():
            return HIDDEN
        case Named(row):
            return hide(value, types.get(row, ANY), types)
        case ListOf(item) if isinstance(value, list):
            return [hide(inner, item, types) for inner in value]
        case Refined(base, _):
            return hide(value, base, types)
        case Union(members) if len(some := [m for m in members if m != NULL]) == 1:
            return hide(value, some[0], types)
        case MapOf(key_type, item) if isinstance(value, dict):
            if holds_secret(key_type, types):
                return HIDDEN
            return {key: hide(inner, item, types) for key, inner in value.items()}
        case Record(fields) if isinstance(value, dict):
            known = {field.name: field.type for field in fields}
            return {k: hide(inner, known.get(k, ANY), types) for k, inner in value.items()}
        case TupleOf(items) if isinstance(value, list):
            pairs = zip(value, items, strict=False)
            return [hide(inner, item, types) for inner, item in pairs]
    return HIDDEN


def clean(text: str) -> str:
    """`text` without the secrets that were noted."""
    if not _noted:
        return text
    with _lock:
        secrets = [secret for secret in _noted if secret in text]
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def clean_in(value: object, levels: int = DEEPEST) -> object:
    """A value without the noted secrets in its texts; what tells none stays itself."""
    if not _noted:
        return value
    if levels == 0:
        return HIDDEN

    def inside(parts: Iterable[object]) -> list[object]:
        return [clean_in(part, levels - 1) for part in parts]

    match value:
        case str():
            return clean(value)
        case dict():
            cleaned = inside(value), inside(value.values())
            same = _same(value, cleaned[0]) and _same(value.values(), cleaned[1])
            return value if same else dict(zip(*cleaned, strict=True))
        case list() | tuple():
            parts = inside(value)
            return value if _same(value, parts) else type(value)(parts)
        case Violation(path, expected, came):
            parts = inside((*path, came))
            return Violation(tuple(parts[:-1]), expected, str(parts[-1]))
    return value


def _same(parts: Iterable[object], others: Iterable[object]) -> bool:
    return all(one is other for one, other in zip(parts, others, strict=True))
