"""Files of rows as pieces that are stored once for all revisions: each row, and each text
between two rows, by the hash of its content. A file is a list of pieces, a revision a list of
files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphden.edn import Lines
from graphden.files import RowFile

_BYTE_ORDER_MARK = "\ufeff"

BETWEEN = ""
"""The name of a piece that is no row: the header, comments, blank lines."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file: the row `name` (with its namespace), or what stands between rows."""

    name: str
    content: bytes

    @property
    def hash(self) -> bytes:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content).digest()


@dataclass(frozen=True, slots=True)
class FileTree:
    """A file by its pieces: their names and hashes, in their order."""

    names: tuple[str, ...]
    hashes: tuple[bytes, ...]

    @property
    def hash(self) -> bytes:
        """What the tree is stored under; trees of the same pieces have the same."""
        pairs = zip(self.names, self.hashes, strict=True)
        return _hash([[name, content.hex()] for name, content in pairs])


def pieces_of(file: RowFile) -> tuple[Piece, ...]:
    """The pieces of a file without structural problems; joined they are its text."""
    text = file.text
    lines = Lines(text.removeprefix(_BYTE_ORDER_MARK))
    mark = len(text) - len(text.removeprefix(_BYTE_ORDER_MARK))
    found: list[Piece] = []
    end = 0
    for row in sorted(file.rows, key=lambda row: row.span):
        start = mark + lines.offset(row.span.line, row.span.column)
        if start > end:
            found.append(Piece(BETWEEN, text[end:start].encode("utf-8", "surrogatepass")))
        end = mark + lines.offset(row.span.end_line, row.span.end_column)
        found.append(Piece(row.id, text[start:end].encode("utf-8", "surrogatepass")))
    if len(text) > end:
        found.append(Piece(BETWEEN, text[end:].encode("utf-8", "surrogatepass")))
    return tuple(found)


def tree_of(pieces: Iterable[Piece]) -> FileTree:
    """The tree of a file's pieces."""
    pieces = tuple(pieces)
    return FileTree(
        tuple(piece.name for piece in pieces), tuple(piece.hash for piece in pieces)
    )


def revision_id(files: Mapping[str, bytes], parents: Sequence[bytes]) -> bytes:
    """The id of a revision: a hash of its files' trees, by name, and of where it comes from."""
    trees = [[name, files[name].hex()] for name in sorted(files)]
    return _hash([trees, [parent.hex() for parent in parents]])


def _hash(parts: object) -> bytes:
    return hashlib.sha256(
        json.dumps(parts, separators=(",", ":")).encode("utf-8", "surrogatepass")
    ).digest()
