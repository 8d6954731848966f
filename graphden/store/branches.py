"""Branches: names that lead from revision to revision of a graph (`App.branches`).

A revision is immutable: the files of a graph, byte for byte, under a hash of their content and
of the revision before. A branch moves to a new one whole or not at all.
"""

from __future__ import annotations

import getpass
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from graphden.checked import check
from graphden.engine import Graph
from graphden.errors import Problem, UsageError
from graphden.model.rows import Row
from graphden.read.problems import nearest
from graphden.read.setting import with_binding
from graphden.store import revisions
from graphden.store.connecting import connect
from graphden.store.revisions import Revision
from graphden.store.statements import statement

if TYPE_CHECKING:
    import psycopg

    from graphden.store.database import Database

    Connection = psycopg.Connection[Any]

LONGEST = 200
"""Characters of a branch's name."""

LONGEST_FILE = 1_000
"""Characters of a file's name."""

_KEPT = 8
"""How many revisions' graphs are kept, those last asked for."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch, the id of its revision (None when nothing was pushed yet), and that one's
    message.
    """

    name: str
    revision: str | None
    moved_at: datetime
    message: str | None


@dataclass(frozen=True, slots=True)
class Pushed:
    """What came of a push. `moved` is false when the branch had these very files already;
    `created` says that there was no such branch. `diagnostics` are those of the graph: rows
    that reach them are not run.
    """

    branch: str
    revision: Revision
    moved: bool
    created: bool
    diagnostics: tuple[Problem, ...]


class Branches:
    """The branches of a database. Where a `revision` is asked for, the name of a branch stands
    for the one it has, and the beginning of an id for that.
    """

    def __init__(self, database: Callable[[], Database]) -> None:
        self._database = database
        self._graphs: OrderedDict[str, Graph] = OrderedDict()

    def list(self) -> tuple[Branch, ...]:
        """All branches, in order of their names."""
        with self._connected() as connection:
            return tuple(
                Branch(name, None if found is None else found.hex(), moved_at, message)
                for name, found, moved_at, message in connection.execute(
                    statement("list_branches")
                )
            )

    def create(self, name: str, of: str | None = None) -> Branch:
        """A new branch with the revision that `of` names, or with none.

        Raises UsageError `branch-exists`, `bad-branch-name`, `unknown-revision`.
        """
        _check_name(name)
        with self._connected() as connection, connection.transaction():
            start = None if of is None else self._revision(connection, of)
            given = {
                "name": name,
                "revision": None if start is None else bytes.fromhex(start.id),
            }
            row = connection.execute(statement("add_branch"), given).fetchone()
        if row is None:
            raise UsageError(
                "branch-exists",
                f"there is a branch {name} already",
                hint=f"graphden push --branch {name} adds a revision to it.",
            )
        message = None if start is None else start.message
        return Branch(name, None if start is None else start.id, row[0], message)

    def delete(self, name: str) -> None:
        """Delete a branch; its revisions, messages and executions stay.

        Raises UsageError `unknown-branch`.
        """
        with self._connected() as connection:
            if connection.execute(statement("delete_branch"), {"name": name}).fetchone():
                return
            raise self._unknown(connection, name)

    def push(
        self,
        branch: str,
        files: Mapping[str, str] | Graph,
        *,
        message: str = "",
        expect: str | None = None,
    ) -> Pushed:
        """Give a branch, made when there is none, the revision of these files, texts by name.

        Everything is stored, or nothing. With `expect`, an id, only if the branch is there.
        Raises GraphError with all structural problems; UsageError `branch-moved`, `no-rows`,
        `bad-branch-name`, `bad-file-name`.
        """
        _check_name(branch)
        graph = files if isinstance(files, Graph) else Graph(check(files))
        if not graph.files:
            raise UsageError("no-rows", "there are no files to push", hint="Name some.")
        for file in graph.files:
            _check_file(file)
        with self._connected() as connection, connection.transaction():
            given = {"name": branch, "revision": None}
            created = connection.execute(statement("add_branch"), given).fetchone() is not None
            [(head,)] = connection.execute(statement("lock_branch"), {"name": branch})
            before = None if head is None else revisions.read(connection, head.hex())
            if expect is not None and (before is None or before.id != expect):
                raise UsageError(
                    "branch-moved",
                    f"branch {branch} was moved by another push",
                    hint="Look at it again: graphden log --branch " + branch,
                )
            revision = revisions.write(
                connection,
                graph.files,
                before,
                message,
                who(),
            )
            moved = before is None or revision.id != before.id
            if moved:
                to = {"name": branch, "revision": bytes.fromhex(revision.id)}
                connection.execute(statement("move_branch"), to)
                connection.execute(statement("tell_branch_moved"))
        self._keep(revision.id, graph)
        return Pushed(branch, revision, moved, created, graph.diagnostics)

    def set(
        self, branch: str, row: str, slot: str, value: str, *, message: str | None = None
    ) -> Pushed:
        """Give a branch the revision in which `row` itself binds `slot` to `value`, EDN as it
        stands in files; the rest of the text stays as it is.

        The rules of files hold (LANGUAGE 4.8): raises GraphError, RunError `unknown-row`,
        UsageError `bad-binding`, `packages-row`, and what `push` raises.
        """
        said = f"set {row} {slot}" if message is None else message
        while True:
            head = self.revision(branch)
            graph = self.graph(head.id)
            found = _own_row(graph, row)
            text = graph.files[found.span.file].text
            changed = with_binding(text, found.span, slot.removeprefix(":"), value)
            after = graph.edited({found.span.file: changed})
            try:
                return self.push(branch, after, message=said, expect=head.id)
            except UsageError as error:  # another push came between: its files count
                if error.code != "branch-moved":
                    raise

    def log(self, revision: str, limit: int | None = None) -> tuple[Revision, ...]:
        """A revision and all it comes from, the newest first. Raises UsageError."""
        with self._connected() as connection:
            start = self._revision(connection, revision)
            return revisions.log(connection, start.id, limit)

    def revision(self, revision: str) -> Revision:
        """The revision of a branch, or the one whose id begins so.

        Raises UsageError `unknown-branch`, `unknown-revision`, `empty-branch`.
        """
        with self._connected() as connection:
            return self._revision(connection, revision)

    def files(self, revision: str) -> dict[str, str]:
        """The texts of a revision's files, by name, as they were pushed."""
        with self._connected() as connection:
            return revisions.texts(connection, self._revision(connection, revision))

    def graph(self, revision: str) -> Graph:
        """The graph of a revision.

        Raises GraphError when the installed packages no longer suit its rows.
        """
        with self._connected() as connection:
            found = self._revision(connection, revision)
            kept = self._graphs.get(found.id)
            if kept is not None:
                return kept
            texts = revisions.texts(connection, found)
        graph = Graph(check(texts))
        self._keep(found.id, graph)
        return graph

    def _keep(self, revision: str, graph: Graph) -> None:
        self._graphs[revision] = graph
        while len(self._graphs) > _KEPT:
            self._graphs.popitem(last=False)

    def _revision(self, connection: Connection, name: str) -> Revision:
        row = connection.execute(statement("read_branch"), {"name": name}).fetchone()
        if row is None:
            try:
                return revisions.read(connection, name)
            except UsageError as error:
                raise self._unknown(connection, name) from error
        if row[0] is None:
            raise UsageError(
                "empty-branch",
                f"nothing was pushed to branch {name} yet",
                hint=f"graphden push --branch {name}",
            )
        return revisions.read(connection, row[0].hex())

    def _unknown(self, connection: Connection, name: str) -> UsageError:
        names = [found for found, *_ in connection.execute(statement("list_branches"))]
        close = nearest(name, names)
        known = f"There are: {', '.join(names[:10])}." if names else "There is none yet."
        return UsageError(
            "unknown-branch",
            f"there is no branch {name}, and no revision whose id begins so",
            hint=f"Did you mean {close}?" if close else known,
        )

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        import psycopg

        try:
            with connect(self._database().url) as connection:
                yield connection
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            reason = getattr(error, "diag", None) and error.diag.message_primary
            raise UsageError(
                "database-unreachable",
                f"the database cannot be used now: {reason or 'the connection broke'}",
                hint="Do it again: what was stored already is not stored twice.",
            ) from error


def _own_row(graph: Graph, name: str) -> Row:
    row = graph.resolved(name, private=True).row
    if row.package is not None:
        raise UsageError(
            "packages-row",
            f":{row.name} comes with a package, and is not part of the branch",
            hint=f"Derive a row from it: {{:name :my-{row.name} :parent :{row.name} :args …}}",
        )
    return row


def _check_name(name: str) -> None:
    if not (isinstance(name, str) and 0 < len(name) <= LONGEST and name.isprintable()) or (
        name != name.strip()
    ):
        raise UsageError(
            "bad-branch-name",
            f"{name!r} cannot name a branch",
            hint=f"A name has 1 to {LONGEST} printable characters, none of them a space at an "
            "end.",
        )


def _check_file(name: str) -> None:
    """Refuse names that a checkout would not write below its folder."""
    path = PurePosixPath(name)
    plain = str(path) == name and name.isprintable() and len(name) <= LONGEST_FILE
    if not plain or path.is_absolute() or ".." in path.parts or name == ".":
        raise UsageError(
            "bad-file-name",
            f"a revision cannot have a file {name!r}",
            hint="Files are named from the project's folder down: orders/rows.edn",
        )


def who() -> str:
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in some containers
        user = "unknown"
    return f"{user}@{socket.gethostname()}"
