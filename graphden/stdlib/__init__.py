"""The standard library: the Python bodies of the base functions that `stdlib_graphs/*.edn`
declares, one module for each of its files. Slots, types, defaults and meanings stand in the
rows.
"""

from graphden import assets
from graphden.run.registry import Package
from graphden.stdlib import (
    arithmetic,
    collections,
    control,
    hof,
    logic,
    processes,
    strings,
    system,
)
from graphden.stdlib.functions import functions

__all__ = [
    "arithmetic",
    "collections",
    "control",
    "hof",
    "logic",
    "package",
    "processes",
    "strings",
    "system",
]

package = Package(name="core", rows=assets.folder("stdlib_graphs"), functions=functions)
