"""EDN: text to values and back, each value with the place it was read from.

A *form* is a value together with its place: file, line and column. `read` makes forms of text,
`write` makes text of values, `caret` shows a place in its line, `Lines` finds it in the text.
The values are those of LANGUAGE 10.1: nil, booleans, numbers, text, keywords, symbols, uuids,
instants, and lists, maps and sets of them. `equal` says when two values are the same,
`identity_key` makes a dictionary key of one. `to_json` and `from_json` carry values to JSON and
back, `payload_text` and `payload_value` do so for what is stored.
"""

from graphden.edn.equality import equal, identity_key
from graphden.edn.forms import Form, Kind
from graphden.edn.frame import caret, lines_of
from graphden.edn.json_read import from_json, payload_value
from graphden.edn.json_write import JsonProblem, payload_text, to_json
from graphden.edn.lines import Lines
from graphden.edn.reader import read, read_all
from graphden.edn.values import Keyword, Symbol
from graphden.edn.writer import write

__all__ = [
    "Form",
    "JsonProblem",
    "Keyword",
    "Kind",
    "Lines",
    "Symbol",
    "caret",
    "equal",
    "from_json",
    "identity_key",
    "lines_of",
    "payload_text",
    "payload_value",
    "read",
    "read_all",
    "to_json",
    "write",
]
