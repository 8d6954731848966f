"""What must not be seen: the values of `[:secret T]` (LANGUAGE 8.7).

Types keep a secret from flowing where it does not belong; this keeps it out of texts. Every
value that comes in as a secret is noted, and error texts are cleaned of what was noted.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

from graphden.check import holds_secret
from graphden.model.types import (
    ANY,
    ListOf,
    MapOf,
    Named,
    Record,
    Secret,
    TupleOf,
    Type,
    Union,
)

HIDDEN = "‹secret›"
"""Stands where a secret would."""

MOST = 10_000
"""How many secrets are remembered; the oldest are forgotten first."""

SHORTEST = 3
"""Characters below which a text says too little to be looked for in others."""

_lock = threading.Lock()
_noted: OrderedDict[str, None] = OrderedDict()


def note(value: object) -> None:
    """Remember a secret value, or the values inside it."""
    match value:
        case dict():
            for inner in value.values():
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
        case MapOf(_, item) if isinstance(value, dict):
            for inner in value.values():
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
        case MapOf(_, item) if isinstance(value, dict):
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
