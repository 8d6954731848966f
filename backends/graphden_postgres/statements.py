"""The SQL of this backend: one statement a file, read once, named by its verb.

Values travel as parameters only. The one exception is the LIMIT of a claim, a range-checked
integer that is written as a literal: with a bound one the server plans the statement anew each
time, at 60 % of the speed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from psycopg import sql

_FOLDER: Final = Path(__file__).parent / "statements"

_TEXTS: Final = {file.stem: file.read_bytes() for file in sorted(_FOLDER.glob("*.sql"))}


def statement(name: str) -> bytes:
    """The text of `statements/NAME.sql`."""
    return _TEXTS[name]


@cache
def claim_statement(limit: int) -> bytes:
    """The claim of at most `limit` messages; `limit` was range-checked by the caller."""
    text = sql.SQL(_TEXTS["claim"].decode())
    return text.format(limit=sql.Literal(int(limit))).as_bytes()
