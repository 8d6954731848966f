"""Opening the database: the one a URL names, else the project's own embedded one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from graphden.project import MARKER, project_folder
from graphden.run import Package
from graphden.store.connecting import connect, server_version
from graphden.store.embedded import EmbeddedServer
from graphden.store.migrations import migrate

if TYPE_CHECKING:
    import psycopg

VARIABLE = "GRAPHDEN_DATABASE_URL"
EMBEDDED_FOLDER = Path(MARKER, "postgres")


@dataclass(eq=False, slots=True)
class Database:
    """A database that is ready: reachable, of a supported version, its schema up to date.

    `url` is for psycopg and may hold a password. `close` lets go of an embedded server.
    """

    url: str = field(repr=False)
    _description: str
    _server: EmbeddedServer | None = field(default=None, repr=False)

    def describe(self) -> str:
        """Which database it is and where, without secrets, for people."""
        return self._description

    def close(self) -> None:
        """Use it no longer. The last user of an embedded server stops it."""
        if self._server is not None:
            self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_database(
    url: str | None = None,
    *,
    project: Path | None = None,
    packages: Sequence[Package] = (),
    progress: Callable[[str], None] | None = None,
) -> Database:
    """The database at `url`, else at GRAPHDEN_DATABASE_URL, else embedded in the project.

    The migrations of `packages` are applied. `project` is the project's folder, found from the
    current one when not given. `progress` is told what takes time. Raises UsageError with the
    codes of `connect`, `EmbeddedServer.join` and `migrate`.
    """
    given = url or os.environ.get(VARIABLE)
    if given:
        with connect(given) as connection:
            migrate(connection, packages, progress)
            return Database(given, _describe_remote(connection))
    folder = (project_folder() if project is None else project) / EMBEDDED_FOLDER
    server = EmbeddedServer.join(folder, progress=progress)
    try:
        with connect(server.url) as connection:
            migrate(connection, packages, progress)
            version = server_version(connection)
        description = f"embedded PostgreSQL {version} in {_from_here(folder)}"
        return Database(server.url, description, server)
    except BaseException:
        server.close()
        raise


def _describe_remote(connection: psycopg.Connection[Any]) -> str:
    info = connection.info
    return (
        f"PostgreSQL {server_version(connection)} at {info.host}:{info.port}, "
        f"database {info.dbname}, user {info.user}"
    )


def _from_here(folder: Path) -> Path:
    """`folder` as seen from the current folder, where it is inside of that."""
    absolute = folder.absolute()
    here = Path.cwd()
    return absolute.relative_to(here) if absolute.is_relative_to(here) else absolute
