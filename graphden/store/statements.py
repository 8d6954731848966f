"""The SQL of the store: one statement a file, read once, named by its verb."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent / "statements"


@cache
def statement(name: str) -> bytes:
    """The text of `statements/NAME.sql`."""
    return (_FOLDER / f"{name}.sql").read_bytes()
