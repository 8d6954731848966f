"""An App: graphs with a database, the place where the parts are put together.

The database is opened when a run first needs it and closed with the App. Queues are reached
through the rows of the backend that is installed, never through its Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast
from uuid import UUID

from graphden.engine import Graph
from graphden.errors import RunError
from graphden.files import packages
from graphden.project import cache_folder
from graphden.run import Context, Resources

if TYPE_CHECKING:  # the store is imported by what needs the database: few runs do
    from graphden.run.tracing import Trace
    from graphden.store import Applied, Database, MigrationState

Progress = Callable[[str], None]
Maps: TypeAlias = list[dict[str, Any]]

_DATABASE = "database"
_STOP_LOOK_S = 0.5


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    """Which database it is, in words without secrets, and how its migrations stand."""

    description: str
    migrations: tuple[MigrationState, ...]


class App:
    """Graphs, a database and what runs share: connections, queues in memory.

    Safe to use from several threads. Use it as a context manager, or `close` it.
    """

    def __init__(
        self,
        graphs: Iterable[Graph],
        *,
        database_url: str | None = None,
        project: Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._graphs = tuple(graphs) or (Graph.parse(""),)
        self._database_url = database_url
        self._project = project
        self._progress = progress
        self._resources = Resources()
        self._resources.provide(_DATABASE, self._open)
        self._resources.provide("database-url", lambda: self.database().url)

    @classmethod
    def open(
        cls,
        graphs: str | Path | Graph | Iterable[str | Path | Graph] = (),
        database_url: str | None = None,
        project: str | Path | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """An App over graphs, or over files and folders, which together make one graph.

        The database is the one at `database_url`, else at GRAPHDEN_DATABASE_URL, else embedded
        in the folder `project` (found from the current one when not given), where compiled code
        is kept as well (in `.graphden/cache`, if `.graphden` is there and GRAPHDEN_CACHE is not
        0). `progress` is told in a few words what takes time. Raises what `Graph.load` raises.
        """
        folder = None if project is None else Path(project)
        given = [graphs] if isinstance(graphs, (str, Path, Graph)) else list(graphs)
        paths = [each for each in given if not isinstance(each, Graph)]
        loaded = [each for each in given if isinstance(each, Graph)]
        if paths:
            loaded.insert(0, Graph.load(*paths, cache=cache_folder(folder)))
        return cls(
            loaded,
            database_url=database_url,
            project=folder,
            progress=progress,
        )

    def run(
        self,
        entry: str,
        args: Mapping[str, object] | None = None,
        *,
        timeout_ms: float | None = None,
        context: Context | None = None,
        trace: Trace | None = None,
    ) -> object:
        """The value of row `entry`; `context`, if given, is one that `context()` made, and
        `trace` is told of every row that is evaluated.

        Raises RunError; of a database that cannot be opened, with the codes of `open_database`.
        """
        graph = self.graph_of(entry)
        if context is not None:
            return graph.run(entry, args, timeout_ms=timeout_ms, context=context, trace=trace)
        with self.context() as own:
            return graph.run(entry, args, timeout_ms=timeout_ms, context=own, trace=trace)

    def work(
        self,
        entry: str,
        *,
        stop: threading.Event | None = None,
        args: Mapping[str, object] | None = None,
    ) -> object:
        """Run a consumer row until `stop` is set, in this thread; the row's value.

        After `stop` it claims nothing more, finishes the handler that runs, and returns.
        """
        with self.context() as context:
            if stop is None:
                return self.run(entry, args, context=context)
            with _passing_on(stop, context):
                return self.run(entry, args, context=context)

    @contextmanager
    def context(self) -> Iterator[Context]:
        """The surroundings of one run, by which it can be stopped or cancelled from outside."""
        context = Context(resources=self._resources)
        try:
            yield context
        finally:
            context.close()

    def publish(
        self, queue: str, payload: object, *, delay_ms: float = 0, key: str | None = None
    ) -> UUID:
        """Store a message; its id. When this returns, the message is durable (QUEUES 2)."""
        arguments = {"queue": queue, "payload": payload, "delay-ms": delay_ms}
        if key is not None:
            arguments["key"] = key
        return cast("UUID", self.run_package_row("queue-publish", arguments))

    @cached_property
    def queues(self) -> Queues:
        """What operators see of the queues, and do to them."""
        return Queues(self)

    def migrate(self) -> tuple[Applied, ...]:
        """Bring the database's schema up to date; the migrations that this call applied."""
        from graphden.store import migrate

        with self._unmigrated() as database:
            return tuple(migrate(database.url, packages(), self._progress))

    def database_status(self) -> DatabaseStatus:
        """How the database stands; nothing in it is changed."""
        from graphden.store import status

        with self._unmigrated() as database:
            states = status(database.url, packages())
            return DatabaseStatus(database.describe(), tuple(states))

    def database(self) -> Database:
        """The database, opened and migrated at the first call. Raises UsageError."""
        return cast("Database", self._resources.get(_DATABASE))

    def graph_of(self, entry: str) -> Graph:
        """The graph that has the row `entry`, one of the user's rather than a package's.

        Raises RunError `unknown-row`, `private-row` or `ambiguous-name`.
        """
        own: list[Graph] = []
        others: list[Graph] = []
        problems: list[RunError] = []
        for graph in self._graphs:
            try:
                resolved = graph.resolved(entry)
            except RunError as problem:
                problems.append(problem)
            else:
                (own if resolved.row.package is None else others).append(graph)
        match own, others:
            case [graph], _:
                return graph
            case [], [graph, *_]:
                return graph
            case [], []:
                telling = [p for p in problems if p.code != "unknown-row"]
                raise (telling or problems)[0]
        raise RunError(
            "ambiguous-name",
            f"{len(own)} of the graphs of this App have a row :{entry}",
            hint="Write its name in full, or open an App for each graph.",
        )

    def run_package_row(self, name: str, args: Mapping[str, object]) -> object:
        """The value of a package's row, whatever the user's rows are called.

        Raises RunError `unknown-row` when no installed package has it.
        """
        graph = self._graphs[0]
        for row in graph.program.rows.values():
            if row.name == name and row.package is not None and not row.inline:
                try:
                    return self.run(row.id, args)
                except RunError as error:  # no row of the user's called it: there is no place
                    error.row, error.span, error.trail = None, None, ()
                    raise
        raise RunError(
            "unknown-row",
            f"no installed package has a row :{name}",
            hint="Install a backend that offers it, such as graphden_postgres.",
        )

    def close(self) -> None:
        """Close connections first, then the database, which stops an embedded one if unused."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self) -> Database:
        from graphden.store import open_database

        return open_database(
            self._database_url,
            project=self._project,
            packages=packages(),
            progress=self._progress,
        )

    def _unmigrated(self) -> Database:
        from graphden.store import open_database

        return open_database(self._database_url, project=self._project, progress=self._progress)


class Queues:
    """Queues as operators see them (QUEUES 8.1). Every map has keyword keys."""

    def __init__(self, app: App) -> None:
        self._app = app

    def list(self) -> Maps:
        """Every queue: queue, pending, delayed, claimed, lapsed, dead, oldest-ms."""
        return self._run("queue-list", {})

    def messages(self, queue: str, state: str | None = None, limit: int = 100) -> Maps:
        """The oldest messages of a queue, of one state or all: id, queue, state, attempts,
        error, due, claimed-until, published, payload, trace-id.
        """
        arguments: dict[str, object] = {"queue": queue, "limit": limit}
        if state is not None:
            arguments["state"] = state
        return self._run("queue-messages", arguments)

    def requeue(self, ids: Iterable[UUID]) -> Maps:
        """Give dead messages a new life; for each id its result and, if refused, the reason."""
        return self._run("queue-requeue", {"ids": [*ids]})

    def delete(self, ids: Iterable[UUID]) -> Maps:
        """Delete messages that no consumer holds; for each id its result and reason."""
        return self._run("queue-delete", {"ids": [*ids]})

    def _run(self, row: str, arguments: Mapping[str, object]) -> Maps:
        return cast("Maps", self._app.run_package_row(row, arguments))


@contextmanager
def _passing_on(stop: threading.Event, context: Context) -> Iterator[None]:
    """While inside, `stop` being set asks the run to stop, at once."""
    over = False

    def watch() -> None:
        while not over:
            if stop.wait(_STOP_LOOK_S):  # the limit only bounds how long this outlives the run
                context.request_stop()
                return

    threading.Thread(target=watch, name="graphden-stop", daemon=True).start()
    try:
        yield
    finally:
        over = True
