"""Writing: values to EDN text that reads back to equal values of the same types."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from graphden.edn.digits import digits_of
from graphden.edn.names import is_keyword_name, is_symbol_name
from graphden.edn.surrogates import holds_surrogate
from graphden.edn.values import Keyword, Symbol

_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class _Piece(str):
    """Finished text among the values that wait to be written."""

    __slots__ = ()


def write(value: object, *, lossy: bool = False, most: int | None = None) -> str:
    """`value` as EDN text on one line (`pr-str`).

    Maps keep their order, sets are sorted by the text of their members. Reading the text gives
    an equal value of the same types; tuples come back as lists.

    Raises ValueError for what EDN cannot say: NaN and infinities, instants without an offset,
    lone surrogates, names that no keyword can have, collections as keys, functions and other
    objects. With `lossy` such values become readable text instead, objects `#<type>`: for
    people, not for reading back. With `most` the text may end after so many characters: for
    those who show the beginning only, whatever the size of the value.
    """
    left = math.inf if most is None else most
    pieces: list[str] = []
    waiting: list[object] = [value]
    while waiting and left >= 0:
        item = waiting.pop()
        if isinstance(item, _Piece):
            pieces.append(item)
            left -= len(item)
        elif isinstance(item, dict):
            waiting.append(_Piece("}"))
            for key, part in reversed(item.items()):
                waiting += (part, _Piece(f"{_key(key, lossy)} "), _Piece(" "))
            if item:
                waiting.pop()
            waiting.append(_Piece("{"))
        elif isinstance(item, list | tuple):
            waiting.append(_Piece("]"))
            for part in reversed(item):
                waiting += (part, _Piece(" "))
            if item:
                waiting.pop()
            waiting.append(_Piece("["))
        elif isinstance(item, set | frozenset):
            pieces.append(_set(item, lossy))
            left -= len(pieces[-1])
        else:
            pieces.append(_scalar(item, lossy))
            left -= len(pieces[-1])
    return "".join(pieces)


def _set(members: Iterable[object], lossy: bool) -> str:
    return "#{" + " ".join(sorted(_key(member, lossy) for member in members)) + "}"


def _key(key: object, lossy: bool) -> str:
    if isinstance(key, list | tuple | set | frozenset | dict):
        if not lossy:
            raise ValueError("a collection cannot be a key of a map or a member of a set")
        return write(key, lossy=True)
    return _scalar(key, lossy)


def _scalar(value: object, lossy: bool) -> str:
    if isinstance(value, str):
        return _keyword(value, lossy) if isinstance(value, Keyword) else _text(value, lossy)
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return digits_of(value)
    if isinstance(value, float):
        return _float(value, lossy)
    if isinstance(value, Decimal):
        return _decimal(value, lossy)
    if isinstance(value, UUID):
        return f'#uuid "{value}"'
    if isinstance(value, datetime):
        return _instant(value, lossy)
    if isinstance(value, Symbol):
        if not lossy and not is_symbol_name(value.name):
            raise ValueError(f"EDN has no symbol with the name {value.name!r}")
        return value.name
    return _unspeakable(value, lossy)


def _unspeakable(value: object, lossy: bool) -> str:
    kind = type(value).__qualname__
    if not lossy:
        raise ValueError(f"EDN has no form for a value of the type {kind}")
    name = getattr(value, "__name__", None) if callable(value) else None
    return f"#<{kind} {name}>" if isinstance(name, str) else f"#<{kind}>"


def _keyword(value: Keyword, lossy: bool) -> str:
    if not lossy and not is_keyword_name(value.text):
        raise ValueError(f"EDN has no keyword with the name {value.text!r}")
    return f":{value.text}"


def _text(value: str, lossy: bool) -> str:
    if not lossy and holds_surrogate(value):
        raise ValueError(f"half of a surrogate pair in the text {value!r}")
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return _ESCAPES.get(character) or f"\\u{ord(character):04x}"


def _float(value: float, lossy: bool) -> str:
    if math.isfinite(value):
        return float.__repr__(value)
    if not lossy:
        raise ValueError(f"EDN rows have no form for the number {value!r}")
    return "##NaN" if math.isnan(value) else "##Inf" if value > 0 else "##-Inf"


def _decimal(value: Decimal, lossy: bool) -> str:
    if value.is_finite():
        return f"{value!s}M"
    if not lossy:
        raise ValueError(f"EDN rows have no form for the number {value!s}")
    return "##NaN" if value.is_nan() else "##Inf" if value > 0 else "##-Inf"


def _instant(value: datetime, lossy: bool) -> str:
    if lossy and value.utcoffset() is None:
        return f'#inst "{value.isoformat()}"'
    return f'#inst "{instant_text(value)}"'


def instant_text(value: datetime) -> str:
    """`value` as RFC 3339 text, `Z` for an offset of zero. Raises ValueError without offset."""
    offset = value.utcoffset()
    if offset is None:
        raise ValueError(f"the instant {value.isoformat()} has no offset")
    if offset % timedelta(minutes=1):
        value = value.astimezone(UTC)  # RFC 3339 has no seconds in offsets
    text = value.isoformat()
    return f"{text.removesuffix('+00:00')}Z" if text.endswith("+00:00") else text
