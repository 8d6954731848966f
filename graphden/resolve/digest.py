"""What a row reaches, as a number: programs in which it is the same compute the same with it.

Places, layout, comments and descriptions do not count; names, values and types do. The Python
bodies of base functions are not part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from graphden.edn import write
from graphden.errors import Span
from graphden.model.resolved import Program, ResolvedRow
from graphden.model.types import Named

_UNIMPORTANT = frozenset({"description", "problems", "flawed", "package"})


def digest(program: Program, row: str) -> str:
    """The SHA-256, in hexadecimal, of `row` and of all rows and types that it reaches."""
    import hashlib

    sha = hashlib.sha256()
    for row_id in sorted(_reached(program, row)):
        for part in _parts(program.rows[row_id]):
            text = type(part).__name__ if is_dataclass(part) else write(part, lossy=True)
            sha.update(f"{text}\n".encode("utf-8", "surrogatepass"))
    return sha.hexdigest()


def _reached(program: Program, row: str) -> set[str]:
    found: set[str] = set()
    waiting = [row]
    while waiting:
        row_id = waiting.pop()
        if row_id not in found:
            found.add(row_id)
            resolved = program.resolved[row_id]
            waiting += [*resolved.parents, *resolved.targets, *_types(program, resolved)]
    return found


def _types(program: Program, row: ResolvedRow) -> Iterator[str]:
    said = (row.result, row.slots, row.feeds, row.narrowed, program.types.get(row.id))
    for part in _parts(said):
        if isinstance(part, Named) and part.row in program.rows:
            yield part.row


def _parts(value: object) -> Iterator[object]:
    """The dataclasses in `value` and the scalars between them, in order. A list that a row
    writes is one of these scalars.
    """
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Span):
            continue
        if isinstance(part, tuple):
            yield len(part)
            waiting.extend(reversed(part))
        elif isinstance(part, dict) and any(map(is_dataclass, part.values())):
            waiting.extend(reversed(part.values()))
        else:
            yield part
            if is_dataclass(part):
                known = (f.name for f in fields(part) if f.name not in _UNIMPORTANT)
                waiting.extend(reversed([getattr(part, name) for name in known]))
