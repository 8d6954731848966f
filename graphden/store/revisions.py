"""Revisions as the database keeps them: written whole, read by their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphden.errors import UsageError
from graphden.files import RowFile
from graphden.store.statements import statement
from graphden.store.trees import FileTree, Piece, pieces_of, revision_id, tree_of

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

SHORTEST = 4
"""Characters of an id that may stand for all of it."""

_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Revision:
    """A graph as it was pushed, and stays.

    `id` is 64 hexadecimal digits, made of the files and the parents; `trees` has the hash of
    each file's content, by the file's name.
    """

    id: str
    parents: tuple[str, ...]
    trees: Mapping[str, bytes]
    message: str
    pushed_by: str
    pushed_at: datetime

    @property
    def short_id(self) -> str:
        """The first twelve digits, for people."""
        return self.id[:12]


def write(
    connection: Connection,
    files: Mapping[str, RowFile],
    parent: Revision | None,
    message: str,
    pushed_by: str,
) -> Revision:
    """Store the revision of these files, in the connection's transaction; `parent` itself when
    it has the same. Only what no revision has yet is sent.
    """
    pieces = {name: pieces_of(file) for name, file in files.items()}
    trees = {name: tree_of(each) for name, each in pieces.items()}
    hashes = {name: tree.hash for name, tree in trees.items()}
    if parent is not None and parent.trees == hashes:
        return parent
    _write_trees(connection, {trees[name]: pieces[name] for name in files})
    parents = [] if parent is None else [bytes.fromhex(parent.id)]
    found = revision_id(hashes, parents)
    names = sorted(hashes)
    connection.execute(
        statement("add_revision"),
        {
            "id": found,
            "files": names,
            "trees": [hashes[name] for name in names],
            "parents": parents,
            "message": message,
            "pushed_by": pushed_by,
        },
    )
    return read(connection, found.hex())


def _write_trees(connection: Connection, trees: Mapping[FileTree, Sequence[Piece]]) -> None:
    by_hash = {tree.hash: tree for tree in trees}
    missing = _missing(connection, "missing_file_trees", by_hash)
    new = [by_hash[each] for each in sorted(missing)]
    contents = {
        piece_hash: piece.content
        for tree in new
        for piece_hash, piece in zip(tree.hashes, trees[tree], strict=True)
    }
    wanted = sorted(_missing(connection, "missing_row_texts", contents))
    connection.execute(
        statement("add_row_texts"),
        {"hashes": wanted, "contents": [contents[each] for each in wanted]},
    )
    with connection.cursor() as cursor:
        cursor.executemany(
            statement("add_file_tree"),
            [
                {"hash": tree.hash, "names": [*tree.names], "pieces": [*tree.hashes]}
                for tree in new
            ],
        )


def _missing(connection: Connection, name: str, hashes: Mapping[bytes, object]) -> set[bytes]:
    rows = connection.execute(statement(name), {"hashes": [*hashes]})
    return {each for (each,) in rows}


def read(connection: Connection, revision: str) -> Revision:
    """A revision by its id or the beginning of it, at least four digits.

    Raises UsageError `unknown-revision`, also where several begin so.
    """
    wanted = revision.lower()
    digits = set("0123456789abcdef")
    if not SHORTEST <= len(wanted) <= _LENGTH or not digits.issuperset(wanted):
        raise UsageError(
            "unknown-revision",
            f"{revision!r} is no id of a revision",
            hint=f"It is {_LENGTH} hexadecimal digits, of which {SHORTEST} or more are enough; "
            "graphden log shows them.",
        )
    bounds = {
        "first": bytes.fromhex(wanted.ljust(_LENGTH, "0")),
        "last": bytes.fromhex(wanted.ljust(_LENGTH, "f")),
    }
    found = connection.execute(statement("find_revisions"), bounds).fetchall()
    if len(found) != 1:
        several = "several revisions begin" if found else "no revision begins"
        raise UsageError(
            "unknown-revision",
            f"{several} with {revision}",
            hint="graphden log shows those of a branch.",
        )
    [row] = connection.execute(statement("read_revision"), {"id": found[0][0]})
    return _revision(row)


def log(connection: Connection, revision: str, limit: int | None) -> tuple[Revision, ...]:
    """A revision and all that it comes from, the newest first."""
    given = {"id": bytes.fromhex(revision), "limit": limit}
    return tuple(map(_revision, connection.execute(statement("read_log"), given)))


def texts(connection: Connection, revision: Revision) -> dict[str, str]:
    """The texts of a revision's files, by name, byte for byte as they were pushed."""
    wanted = {"hashes": [*set(revision.trees.values())]}
    contents: dict[bytes, list[bytes]] = {each: [] for each in revision.trees.values()}
    for tree, content in connection.execute(statement("read_file_texts"), wanted):
        contents[tree].append(content)
    return {
        name: b"".join(contents[tree]).decode("utf-8", "surrogatepass")
        for name, tree in revision.trees.items()
    }


def _revision(row: Sequence[Any]) -> Revision:
    found, files, trees, parents, message, pushed_by, pushed_at = row
    return Revision(
        found.hex(),
        tuple(parent.hex() for parent in parents),
        dict(zip(files, trees, strict=True)),
        message,
        pushed_by,
        pushed_at,
    )
