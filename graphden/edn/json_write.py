"""Values to JSON text (LANGUAGE 10.2), and to the stricter text that is stored.

    text, keyword      "text", without the colon        list, tuple    [ ]
    uuid, instant      "text", ISO                      map            { }, keys text or keyword
    int, float         the same number                  decimal        the number, every digit
    nil, true, false   null, true, false

Refused, with the path inside the value: NaN and infinities, sets, bytes, keys that are not text
or keyword, functions and other objects, lone surrogates, nesting beyond 500 levels, and more
text or values than `budget` allows.

JSON knows one kind of number, so a decimal comes back as an int or the nearest float, and one
beyond the floats is refused. Ints of any size, `1e22` and `-0.0` come back as they went.

It is our own walk, some 5 µs for a message of 74 bytes: the libraries that are ten times faster
(orjson, msgspec, pydantic) write NaN as null, sets as lists or keys that are numbers as text,
and none says where in the value the wrong thing is. What is stored is small and plain most of
the time; Python's own writer takes half as long for that, with a look at the types before.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import NoReturn
from uuid import UUID

from graphden.edn import budget
from graphden.edn.digits import digits_of
from graphden.edn.surrogates import holds_surrogate
from graphden.edn.values import Keyword
from graphden.edn.writer import instant_text, write

_LEVELS = 500
_SHOWN = 1_000  # characters of a path, or of a key, that a message shows
_quoted = json.JSONEncoder(ensure_ascii=False).encode


class JsonProblem(ValueError):  # noqa: N818 - a name other rooms rely on
    """A value that JSON cannot say, or text that is not JSON.

    `path` leads to the place inside the value, from the outside in: keys and indexes, as
    `get-in` takes them. It is empty for malformed text, whose `message` names line and column.
    `hint` says what to do, where that is known.
    """

    def __init__(self, message: str, path: tuple[object, ...] = (), *, hint: str = "") -> None:
        self.message = message
        self.path = path
        self.hint = hint
        super().__init__(message)

    def __str__(self) -> str:
        if not self.path:
            return self.message
        return f"at {_begin(list(self.path))}: {self.message}"


def _begin(value: object) -> str:
    text = write(value, most=_SHOWN)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def to_json(value: object) -> str:
    """`value` as JSON text on one line, without spaces. Raises JsonProblem."""
    return _json(value, storable=False)


def payload_text(value: object) -> str:
    """`value` as the JSON text that is stored (QUEUES 2.5), alike for every backend.

    As `to_json`, and refuses NUL characters, which databases do not hold. Raises JsonProblem.
    """
    text = _small_and_plain(value)
    return _json(value, storable=True) if text is None else text


_PLAIN_SCALARS = frozenset((str, int, float, bool, type(None)))
_FEW = 100  # parts: what is shared among them cannot make a long text of a short value
_plain_text = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
).encode


def _small_and_plain(value: object) -> str | None:
    """What the walk would write of a few parts of JSON's own types, else None."""
    parts, left = [value], _FEW
    while parts:
        part = parts.pop()
        kind = type(part)
        if kind in _PLAIN_SCALARS:
            continue
        if not isinstance(part, dict | list) or kind not in {dict, list}:
            return None
        left -= 1 + len(part)
        if left < 0 or (isinstance(part, dict) and any(type(key) is not str for key in part)):
            return None
        inner = part.values() if isinstance(part, dict) else part
        parts.extend(each for each in inner if type(each) not in _PLAIN_SCALARS)
    try:
        text = _plain_text(value)
    except ValueError:  # NaN, an infinity, or an integer of more digits than `str` writes
        return None
    # An escaped backslash before u0000 is found too: then the walk decides.
    return None if "\\u0000" in text or holds_surrogate(text) else text


class _Refused(Exception):  # noqa: N818 - `_json` makes a JsonProblem of it, with the path
    pass


def _json(value: object, *, storable: bool) -> str:
    pieces: list[str] = []
    path: list[object] = []
    try:
        _walk(value, pieces, path, storable)
    except _Refused as refused:
        raise JsonProblem(str(refused), tuple(path)) from None
    except budget.TooLong as refused:
        raise JsonProblem(refused.message, tuple(path), hint=refused.hint) from None
    return "".join(pieces)


def _walk(value: object, pieces: list[str], path: list[object], storable: bool) -> None:
    """Append the JSON of `value` to `pieces`; `path` always leads to where the walk is."""
    parts: Iterator[tuple[object, object]] = iter(((None, value),))
    comma, closer = "", ""
    left, values = budget.MOST_CHARACTERS, 0
    outer: list[tuple[Iterator[tuple[object, object]], str]] = []
    while True:
        for key, part in parts:
            if outer:
                path[-1] = key
                pieces.append(comma)
                left -= 1
                if closer == "}":
                    pieces.append(_key(key, path, storable))
                    left -= len(pieces[-1])
            comma = ","
            if isinstance(part, dict | list | tuple):
                outer.append((parts, closer))
                if len(outer) > _LEVELS:
                    raise _Refused(f"nested deeper than {_LEVELS} levels")
                values += len(part)
                budget.check(left, values)
                path.append(None)
                if isinstance(part, dict):
                    parts, opener, closer = iter(part.items()), "{", "}"
                else:
                    parts, opener, closer = iter(enumerate(part)), "[", "]"
                pieces.append(opener)
                comma = ""
                break
            pieces.append(_text(part, storable) if isinstance(part, str) else _scalar(part))
            left -= len(pieces[-1])
            if left < 0:
                raise budget.too_many_characters()
        else:
            if not outer:
                return
            pieces.append(closer)
            path.pop()
            parts, closer = outer.pop()
            comma = ","


def _key(key: object, path: list[object], storable: bool) -> str:
    if isinstance(key, str):
        return f"{_text(key, storable)}:"
    path.pop()  # the problem is the map's
    raise _Refused(f"the key {_begin(key)} is not text; keys of JSON are text")


def _text(value: str, storable: bool) -> str:
    value = value.text if isinstance(value, Keyword) else value
    if storable and "\0" in value:
        raise _Refused("a NUL character cannot be stored")
    if holds_surrogate(value):
        raise _Refused("half of a surrogate pair is not text")
    return _quoted(value)


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return digits_of(value)
    if isinstance(value, float):
        return float.__repr__(value) if math.isfinite(value) else _refuse_number(value)
    if isinstance(value, Decimal):
        fits = value.is_finite() and math.isfinite(float(value))
        return str(value) if fits else _refuse_number(value)
    if isinstance(value, UUID):
        return f'"{value}"'
    if isinstance(value, datetime):
        try:
            return f'"{instant_text(value)}"'
        except ValueError as error:
            raise _Refused(str(error)) from None
    if isinstance(value, set | frozenset):
        raise _Refused("a set has no form in JSON; make it a list, for example with `vec`")
    if isinstance(value, bytes | bytearray | memoryview):
        raise _Refused("bytes have no form in JSON; make them text")
    raise _Refused(f"a value of the type {type(value).__qualname__} has no form in JSON")


def _refuse_number(value: float | Decimal) -> NoReturn:
    if isinstance(value, Decimal) and value.is_finite():
        raise _Refused(f"the decimal {value} is beyond the numbers that JSON readers hold")
    name = "NaN" if math.isnan(value) else "infinity"
    raise _Refused(f"{name} has no form in JSON")
