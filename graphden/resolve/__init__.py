"""From rows to a resolved graph: names, chains of parents, slots, bindings, free arguments,
callables. All structural problems of a graph are gathered here.
"""

from graphden.resolve.edits import Resolution, dependants
from graphden.resolve.names import inline_rows
from graphden.resolve.program import resolve
from graphden.resolve.types import as_callable, expand, item_type

__all__ = [
    "Resolution",
    "as_callable",
    "dependants",
    "expand",
    "inline_rows",
    "item_type",
    "resolve",
]
