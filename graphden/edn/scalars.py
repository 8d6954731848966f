r"""Scalars: from the text of one token to its value (LANGUAGE 10.1).

Refused, because rows have no such values: ratios, `##NaN` and `##Inf`, regular expressions.
A character (`\a`, `\newline`, `\u0041`) is read as text of length 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from uuid import UUID

from graphden.edn.digits import integer
from graphden.edn.names import is_keyword_name, is_symbol_name
from graphden.edn.surrogates import holds_surrogate
from graphden.edn.values import Keyword, Symbol


class Malformed(Exception):  # noqa: N818 - caught by the scanner, which makes a ReadError of it
    """A token's text is not a value. `start` and `end` are offsets in the token, if not all."""

    def __init__(self, message: str, hint: str, start: int = 0, end: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.start = start
        self.end = end


_CONSTANTS: Mapping[str, object] = {"nil": None, "true": True, "false": False}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_ESCAPES = {"t": "\t", "r": "\r", "n": "\n", "b": "\b", "f": "\f", '"': '"', "\\": "\\"}
_CHARACTERS = {"newline": "\n", "return": "\r", "space": " ", "tab": "\t"}
_NONZERO = re.compile(r"[1-9]")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?P<time>T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(?P<fraction>\d+))?)?"
    r"(?P<offset>Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)


def _text(raw: str) -> str:
    value = _unescaped(raw) if "\\" in raw else raw[1:-1]
    if holds_surrogate(value):
        raise Malformed(
            "half of a surrogate pair in a text",
            r"write both halves, such as \ud83d\udc22, or the character itself, in UTF-8",
        )
    return value


def _unescaped(raw: str) -> str:
    pieces: list[str] = []
    done = 1
    for escape in _ESCAPE.finditer(raw, 1, len(raw) - 1):
        code, letter = escape.groups()
        if code is None and letter not in _ESCAPES:
            raise Malformed(
                f"`\\{letter}` is not an escape of text",
                r"write \\ for a backslash; the escapes are \" \\ \n \t \r \b \f \uXXXX",
                *escape.span(),
            )
        pieces.append(raw[done : escape.start()])
        pieces.append(_ESCAPES[letter] if code is None else chr(int(code, 16)))
        done = escape.end()
    pieces.append(raw[done:-1])
    # Two escapes that are the halves of a surrogate pair become the character they stand for.
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _character(raw: str) -> str:
    name = raw[1:]
    if len(name) == 1:
        return name
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    value = chr(int(name[1:], 16))
    if holds_surrogate(value):
        raise Malformed("half of a surrogate pair is not a character", "write it as text")
    return value


def _ascii(raw: str) -> None:
    if not raw.isascii():
        raise Malformed(f"`{raw}` is not a number", "write numbers with the digits 0 to 9")


def _integer(raw: str) -> int:
    _ascii(raw)
    return integer(raw.removesuffix("N"))


def _hexadecimal(raw: str) -> int:
    return int(raw, 16)


def _float_or_decimal(raw: str) -> float | Decimal:
    _ascii(raw)
    if raw.endswith("M"):
        try:
            return Decimal(raw[:-1])
        except InvalidOperation:
            hint = "write a smaller exponent"
            raise Malformed(f"`{raw}` does not fit a decimal", hint) from None
    value = float(raw)
    lost = value == 0 and _NONZERO.search(re.split("[eE]", raw)[0]) is not None
    if lost or math.isinf(value):
        raise Malformed(f"`{raw}` does not fit a float", f"write a decimal: {raw}M")
    return value


def _ratio(raw: str) -> object:
    raise Malformed(
        f"ratios such as `{raw}` are not values of rows",
        "write a decimal such as 0.75M, or divide with the row `div`",
    )


def _symbolic(raw: str) -> object:
    raise Malformed(
        f"`{raw}` is not a value of rows",
        "numbers are finite; write nil for a number that is not there",
    )


def _keyword(raw: str) -> Keyword:
    name = raw[1:]
    if is_keyword_name(name):
        return Keyword(name)
    if name.startswith(":"):
        raise Malformed(f"`{raw}` is not a keyword", f"write one colon: {raw[1:]}")
    raise Malformed(
        f"`{raw}` is not a keyword",
        "a keyword holds no @ and does not start or end with : or #",
    )


def _symbol(raw: str) -> object:
    if raw in _CONSTANTS:
        return _CONSTANTS[raw]
    if is_symbol_name(raw):
        return Symbol(raw)
    if raw.endswith(":") and is_keyword_name(raw[:-1]):
        hint = f"a keyword starts with its colon: write :{raw[:-1]}"
    elif match := re.match(r"([-+]?)\.(?=\d)", raw):
        raise Malformed(f"`{raw}` is not a number", f"write {match[1]}0.{raw[match.end() :]}")
    else:
        hint = 'write text in quotes: "…", keywords with a colon: :name'
    raise Malformed(f"`{raw}` is not a symbol", hint)


SCALARS: Mapping[str, Callable[[str], object]] = {
    "STRING": _text,
    "CHAR": _character,
    "WHITESPACE": _character,  # edn_format's name for \newline, \space, \tab and \return
    "INTEGER": _integer,
    "HEX_INTEGER": _hexadecimal,
    "FLOAT": _float_or_decimal,
    "RATIO": _ratio,
    "SYMBOLIC_VALUE": _symbolic,
    "KEYWORD": _keyword,
    "SYMBOL": _symbol,
}
"""By the name of edn_format's token: the function from its text to its value."""


def _instant(value: object) -> datetime:
    if not isinstance(value, str):
        raise Malformed("#inst takes a text", 'write #inst "2026-01-31T12:00:00Z"')
    match = _INSTANT.fullmatch(value)
    if match is None:
        raise Malformed(
            f'"{value}" is not an instant', 'write it as in #inst "2026-01-31T12:00:00Z"'
        )
    if match["time"] is None or match["offset"] is None:
        missing = "time" if match["time"] is None else "offset"
        raise Malformed(
            f'"{value}" is not an instant: it has no {missing}',
            'write both, as in #inst "2026-01-31T12:00:00Z"',
        )
    if match["fraction"] is not None and match["fraction"][6:].strip("0"):
        raise Malformed(f'"{value}" is finer than a microsecond', "write at most six decimals")
    try:
        instant = datetime.fromisoformat(value)
        hash(instant)  # some instants beside the first and last year overflow only here
    except (ValueError, OverflowError) as error:
        raise Malformed(
            f'"{value}" is not an instant: {error}', "write one that exists"
        ) from None
    return instant


def _uuid(value: object) -> UUID:
    if not isinstance(value, str) or _UUID.fullmatch(value) is None:
        raise Malformed(
            "#uuid takes a text of 32 hexadecimal digits with four dashes",
            'write it as in #uuid "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"',
        )
    return UUID(value)


TAGS: Mapping[str, Callable[[object], object]] = {"inst": _instant, "uuid": _uuid}
"""By tag: the function from the value behind it to the tagged value."""
