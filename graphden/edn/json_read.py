"""JSON text to values (LANGUAGE 10.2): objects to maps, arrays to lists, keys are text.

Python's own `json`, whose scanner is C, with decoders made once: 3 µs for 74 bytes of message.
Of the fast libraries, measured against the rules: orjson makes floats of large ints, msgspec
overflows the C stack on deep nesting under the recursion limit that rows need, and pydantic's
parser makes 1e400 infinity; a search for such numbers costs what it saves on a message.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from graphden.edn.digits import integer
from graphden.edn.json_write import JsonProblem, to_json
from graphden.edn.surrogates import holds_surrogate
from graphden.edn.values import Keyword

_COLLECTIONS = frozenset((dict, list))
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def from_json(text: str, *, keywordize: bool = False) -> Any:
    """The value of a JSON text; with `keywordize`, the keys of objects become keywords.

    Of equal keys in one object the last one counts. Raises JsonProblem for malformed text, NaN,
    infinities, numbers beyond the floats and lone surrogates.
    """
    try:
        value = _parsed(text, keywordize=keywordize)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise JsonProblem(f"malformed JSON at {place}: {error.msg}") from None
    except RecursionError:
        raise JsonProblem("the JSON text is nested too deeply") from None
    if _ESCAPED_SURROGATE.search(text) or holds_surrogate(text):
        to_json(value)  # refuses lone surrogates, with their path
    return value


def payload_value(text: str) -> Any:
    """The value of a stored payload: what `payload_text` wrote. Raises JsonProblem."""
    return from_json(text)


def _parsed(text: str, *, keywordize: bool) -> Any:
    try:
        value = _decode(text)
    except (json.JSONDecodeError, JsonProblem):
        raise
    except ValueError:  # an integer of more digits than `int` takes
        value = _decode_long(text)
    return _keywordized(value, {}) if keywordize else value


def _keywordized(value: Any, names: dict[str, Keyword]) -> Any:
    """`value` with keywords for keys, each made once."""
    if type(value) is dict:
        return {
            names.get(key) or names.setdefault(key, Keyword(key)): (
                _keywordized(part, names) if type(part) in _COLLECTIONS else part
            )
            for key, part in value.items()
        }
    if type(value) is list:
        return [
            _keywordized(part, names) if type(part) in _COLLECTIONS else part for part in value
        ]
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise JsonProblem(f"the number {digits} does not fit a float")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise JsonProblem(f"malformed JSON: {name} is not a number of JSON")


_decode = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant).decode
_decode_long = json.JSONDecoder(
    parse_float=_finite, parse_constant=_refuse_constant, parse_int=integer
).decode
