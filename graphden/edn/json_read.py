"""JSON text to values (LANGUAGE 10.2): objects to maps, arrays to lists, keys are text."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from graphden.edn.digits import integer
from graphden.edn.json_write import JsonProblem, to_json
from graphden.edn.surrogates import holds_surrogate
from graphden.edn.values import Keyword

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
    def parse(parse_int: Any = None) -> Any:
        return json.loads(
            text,
            object_hook=_keywordized if keywordize else None,
            parse_float=_finite,
            parse_int=parse_int,
            parse_constant=_refuse_constant,
        )

    try:
        return parse()
    except (json.JSONDecodeError, JsonProblem):
        raise
    except ValueError:  # an integer of more digits than `int` takes
        return parse(integer)


def _keywordized(entries: dict[str, Any]) -> dict[str, Any]:
    return {Keyword(key): value for key, value in entries.items()}


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise JsonProblem(f"the number {digits} does not fit a float")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise JsonProblem(f"malformed JSON: {name} is not a number of JSON")
