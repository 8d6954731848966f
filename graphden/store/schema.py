"""The migrations of the store's own tables, in the form in which packages bring theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from graphden.run import Functions, Package

_HERE: Final = Path(__file__).parent

own_tables: Final = Package(
    name="graphden",
    rows=_HERE / "migrations",  # it brings no rows: there are no files of them
    functions=Functions(),
    migrations=_HERE / "migrations",
)
"""Comes before all other packages, whose statements may call its functions."""
