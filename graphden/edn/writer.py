"""Writing: values to EDN text that reads back to equal values of the same types."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Set
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from graphden.edn import budget
from graphden.edn.digits import digits_of
from graphden.edn.names import is_keyword_name, is_symbol_name
from graphden.edn.surrogates import holds_surrogate
from graphden.edn.values import Keyword, Symbol

_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_LONG_BITS = 10_000  # of an integer that a quote does not spell out
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def write(value: object, *, lossy: bool = False, most: int | None = None) -> str:
    """`value` as EDN text on one line (`pr-str`).

    Maps keep their order, sets are sorted by the text of their members. Reading the text gives
    an equal value of the same types; tuples come back as lists.

    Raises ValueError for what EDN cannot say: NaN and infinities, instants without an offset,
    lone surrogates, names that no keyword can have, collections as keys, functions and other
    objects. With `lossy` such values become readable text instead, objects `#<type>`: for
    people, not for reading back. Raises TooLong for a value whose text passes the sizes of
    `budget`.

    With `most`, for quotes, the text is lossy and may end after so many characters: what a
    reader of no more than these sees, found by work that grows with `most`, whatever the size
    of the value. Long integers and large sets, which have no beginning that is found so, are
    described: `#<int of 40,000 bits>`, `#<set of 1,000>`.
    """
    if most is not None:
        return "".join(_pieces(value, True, most))
    return "".join(_pieces(value, lossy, None))


def _pieces(value: object, lossy: bool, most: int | None) -> list[str]:
    left = 1 + (budget.MOST_CHARACTERS if most is None else most)  # there is no gap at first
    values = 0
    pieces: list[str] = []
    parts: Iterator[tuple[object, object]] = iter(((None, value),))
    closer, gap = "", ""
    outer: list[tuple[Iterator[tuple[object, object]], str]] = []
    while True:
        for key, part in parts:
            pieces.append(gap)
            gap = " "
            left -= 1
            if closer == "}":
                text = _key(key, lossy, most)
                pieces += (text, " ")
                left -= len(text) + 1
            if isinstance(part, dict | list | tuple):
                values += len(part)
                if most is None:
                    budget.check(left, values, len(outer))
                outer.append((parts, closer))
                if isinstance(part, dict):
                    parts, opener, closer = iter(part.items()), "{", "}"
                else:
                    parts, opener, closer = enumerate(part), "[", "]"
                pieces.append(opener)
                gap = ""
                break
            if isinstance(part, set | frozenset):
                text = _set(part, lossy, most, left)
            else:
                text = _scalar(part, lossy) if most is None else _beginning(part, most)
            pieces.append(text)
            left -= len(text)
            if left < 0:
                break
        else:
            if not outer:
                return pieces
            pieces.append(closer)
            parts, closer = outer.pop()
            gap = " "
        if left < 0:
            if most is None:
                raise budget.too_many_characters()
            return pieces


def _set(members: Set[object], lossy: bool, most: int | None, left: int) -> str:
    if most is None:
        budget.check(left, len(members))
    elif len(members) > most:
        return f"#<set of {len(members):,}>"
    texts: list[str] = []
    for member in members:
        texts.append(_key(member, lossy, most))
        left -= len(texts[-1])
        if left < 0 and most is None:
            raise budget.too_many_characters()
    return "#{" + " ".join(sorted(texts)) + "}"


def _key(key: object, lossy: bool, most: int | None) -> str:
    if isinstance(key, list | tuple | set | frozenset | dict):
        if not lossy:
            raise ValueError("a collection cannot be a key of a map or a member of a set")
        return write(key, lossy=True, most=most)
    return _scalar(key, lossy) if most is None else _beginning(key, most)


def _beginning(value: object, most: int) -> str:
    """The text of a scalar, or more than `most` characters that it begins with."""
    match value:
        case Keyword():
            return f":{value.text[:most]}"
        case str():
            return _text(value[:most], lossy=True)
        case Symbol():
            return value.name[: most + 1]
        case int() if value.bit_length() > _LONG_BITS:
            return f"#<int of {value.bit_length():,} bits>"
    return _scalar(value, lossy=True)


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
