"""EDN: text to values and back, each value with the place it was read from.

A *form* is a value together with its place (file, line, column); `read` makes forms of text,
`write` makes text of values. Values are those of LANGUAGE 10.1: nil, booleans, numbers, text,
keywords, symbols, uuids, instants, and lists, maps and sets of them. `equal` says when two of them
are the same, `identity_key` makes that a key; `to_json` and `from_json` carry them over to JSON.
"""

from graphden.edn.forms import Form, Kind
from graphden.edn.reader import read, read_all
from graphden.edn.values import Keyword, Symbol
from graphden.edn.writer import write

__all__ = ["Form", "Keyword", "Kind", "Symbol", "read", "read_all", "write"]
