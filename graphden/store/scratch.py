"""A database of its own on the server of another one, for chaos: what is done to it harms
nobody, and it is dropped in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from graphden.store.connecting import connect

if TYPE_CHECKING:
    import psycopg


class Scratch:
    """The database at `url`, and faults that can be done to it."""

    def __init__(self, url: str, name: str, server: psycopg.Connection[Any]) -> None:
        self.url = url
        self._name = name
        self._server = server
        self._held: list[psycopg.Connection[Any]] = []

    def cut(self, share: float = 1.0) -> int:
        """End a share of the sessions, any; how many."""
        [(count,)] = self._server.execute(
            "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = %s AND random() < %s",
            [self._name, share],
        )
        return int(count)

    def read_only(self, on: bool) -> None:
        """Let all further sessions be unable to write, or able again; sessions are ended."""
        from psycopg import sql

        value = sql.SQL("on" if on else "off")
        self._server.execute(
            sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}").format(
                sql.Identifier(self._name), value
            )
        )
        self.cut()

    def hold_snapshot(self) -> None:
        """Open a transaction that sees the database as it is now, until `let_go`."""
        held = connect(self.url)
        held.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        held.execute("SELECT FROM graphden.migration")
        self._held.append(held)

    def let_go(self) -> None:
        """End the transactions that `hold_snapshot` has opened."""
        while self._held:
            self._held.pop().close()


@contextmanager
def scratch(url: str) -> Iterator[Scratch]:
    """A new database on the server at `url`, dropped at the end of the `with`."""
    from psycopg import sql
    from psycopg.conninfo import make_conninfo

    name = f"graphden_chaos_{uuid4().hex[:12]}"
    with closing(connect(url)) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        made = Scratch(make_conninfo(url, dbname=name), name, server)
        try:
            yield made
        finally:
            made.let_go()
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            server.execute(drop)
