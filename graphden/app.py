"""An App: graphs with a database, the place where the parts are put together.

The database is opened when a run first needs it and closed with the App. Queues are reached
through the rows of the backend that is installed, never through its Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast
from uuid import UUID, uuid4

from graphden.engine import Graph
from graphden.errors import RunError
from graphden.files import packages
from graphden.project import cache_folder
from graphden.queues import Queues
from graphden.run import Context, Package, Resources

if TYPE_CHECKING:  # the store is imported by what needs the database: few runs do
    from graphden.executions import Execution, Executions, RecordedRun, Recorder
    from graphden.run.tracing import Trace
    from graphden.services import Host, Service, Services
    from graphden.store import (
        Applied,
        Branches,
        Connection,
        Database,
        MigrationState,
        Session,
        Symptom,
    )

Progress = Callable[[str], None]

_DATABASE = "database"
_RECORDER = "executions.recorder"
_SESSION = "executions.session"
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
        self._resources.provide(_RECORDER, self._new_recorder)
        self._resources.provide(_SESSION, self._new_session)

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
        save: bool | None = None,
        execution_id: UUID | None = None,
    ) -> object:
        """The value of row `entry`; `context`, if given, is one that `context()` made, and
        `trace` is told of every row that is evaluated.

        With `save` the run is recorded, under `execution_id` if that is given, for
        `executions.show`; without it no run is, and by default those that have the effect `db`.
        A run that is to be recorded does not begin while it cannot be: then UsageError
        `database-unreachable`. Raises RunError; of a database that cannot be opened, with the
        codes of `open_database`.
        """
        graph = self.graph_of(entry)
        if save is None:
            save = execution_id is not None or "db" in graph.resolved(entry).effects
        with nullcontext(context) if context is not None else self.context() as own:
            if not save:
                return graph.run(entry, args, timeout_ms=timeout_ms, context=own, trace=trace)
            run = self._recorded_run(graph, entry, args or {}, own, execution_id=execution_id)
            return run(timeout_ms=timeout_ms, trace=trace)

    def work(
        self,
        entry: str,
        *,
        stop: threading.Event | None = None,
        args: Mapping[str, object] | None = None,
    ) -> object:
        """Run a consumer row until `stop` is set, in this thread; the row's value.

        After `stop` it claims nothing more, finishes the handler that runs, and returns. What
        is recorded are its handlings, one by one.
        """
        with self.context() as context:
            if stop is None:
                return self.run(entry, args, context=context, save=False)
            with _passing_on(stop, context):
                return self.run(entry, args, context=context, save=False)

    @contextmanager
    def context(self, *, transaction: Connection | None = None) -> Iterator[Context]:
        """The surroundings of one run, by which it can be stopped or cancelled from outside.

        What the run publishes through :queue-publish belongs to `transaction`, if given: it is
        there when that connection commits, and gone when it rolls back.
        """
        context = Context(resources=self._resources, transaction=transaction)
        try:
            yield context
        finally:
            context.close()

    def publish(
        self,
        queue: str,
        payload: object,
        *,
        delay_ms: float = 0,
        key: str | None = None,
        transaction: Connection | None = None,
    ) -> UUID:
        """Store a message; its id. When this returns, the message is durable (QUEUES 2).

        With a `transaction`, a connection to the same database, it is part of that instead.
        Raises RunError: `publish-unknown` when the connection broke during the commit, else
        nothing was stored.
        """
        arguments = {"queue": queue, "payload": payload, "delay-ms": delay_ms}
        if key is not None:
            arguments["key"] = key
        return cast("UUID", self._published("queue-publish", arguments, transaction))

    def publish_many(
        self,
        queue: str,
        payloads: Iterable[object],
        *,
        delay_ms: float = 0,
        keys: Iterable[str] | None = None,
        transaction: Connection | None = None,
    ) -> list[UUID]:
        """Store messages in one commit, all or none; their ids, in order.

        As `publish`; the data of a RunError about one message has its `item`, counted from 0.
        """
        arguments: dict[str, object] = {
            "queue": queue,
            "payloads": [*payloads],
            "delay-ms": delay_ms,
        }
        if keys is not None:
            arguments["keys"] = [*keys]
        return cast("list[UUID]", self._published("queue-publish-many", arguments, transaction))

    def _published(
        self,
        row: str,
        arguments: Mapping[str, object],
        transaction: Connection | None,
    ) -> object:
        with self.context(transaction=transaction) as context:
            return self.run_package_row(row, arguments, context=context)

    @cached_property
    def queues(self) -> Queues:
        """What operators see of the queues, and do to them."""
        return Queues(self.run_package_row)

    @cached_property
    def executions(self) -> Executions:
        """What ran, what came of it, what it caused."""
        from graphden.executions import Executions

        return Executions(
            lambda: cast("Session", self._resources.get(_SESSION)), self._run_again
        )

    @cached_property
    def branches(self) -> Branches:
        """The branches of the database, and the revisions of graphs that they lead to."""
        from graphden.store import Branches

        return Branches(self.database)

    @cached_property
    def services(self) -> Services:
        """What should run, and what does."""
        from graphden.services import Services

        return Services(lambda: cast("Session", self._resources.get(_SESSION)), self.branches)

    def service_host(self, service: Service, revision: str, instance: UUID) -> Host:
        """The row of a service in a revision, ready to run as that instance.

        Raises GraphdenError when it cannot be started.
        """
        from graphden.services.startable import startable

        graph = self.branches.graph(revision)
        startable(graph, service.row)
        return _ServiceHost(
            App([graph], database_url=self.database().url), service.row, instance
        )

    def migrate(self, *, post: bool = False) -> tuple[Applied, ...]:
        """Bring the database's schema up to date; the migrations that this call applied.

        Processes of the release before go on working. With `post` what only they need goes too.
        """
        from graphden.store import migrate

        with self._unmigrated() as database:
            return tuple(migrate(database.url, _migrated(), self._progress, post=post))

    def database_status(self) -> DatabaseStatus:
        """How the database stands; nothing in it is changed."""
        from graphden.store import status

        with self._unmigrated() as database:
            states = status(database.url, _migrated())
            return DatabaseStatus(database.describe(), tuple(states))

    def doctor(self, *, old_transaction_s: float = 60.0) -> tuple[Symptom, ...]:
        """What makes queues slow or stuck, or services stand still (QUEUES 8.3)."""
        from graphden.services.troubles import of_services
        from graphden.store import examine
        from graphden.store.doctor import of_queues

        url = self.database().url
        return (
            *examine(url, _migrated(), old_transaction_s=old_transaction_s),
            *of_queues(self.queues.list()),
            *of_services(self.services.list(), self.services.instances()),
        )

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

    def run_package_row(
        self, name: str, args: Mapping[str, object], *, context: Context | None = None
    ) -> object:
        """The value of a package's row, whatever the user's rows are called.

        Raises RunError `unknown-row` when no installed package has it.
        """
        graph = self._graphs[0]
        for row in graph.program.rows.values():
            if row.name == name and row.package is not None and not row.inline:
                try:
                    return self.run(row.id, args, context=context, save=False)
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
            packages=_migrated(),
            progress=self._progress,
        )

    def _new_recorder(self) -> Recorder:
        from graphden.executions import Recorder

        return Recorder(self.database().url)

    def _new_session(self) -> Session:
        from graphden.store import Session

        return Session(self.database().url)

    def _recorded_run(
        self,
        graph: Graph,
        entry: str,
        args: Mapping[str, object],
        context: Context,
        *,
        execution_id: UUID | None,
        rerun_of: UUID | None = None,
    ) -> RecordedRun:
        from graphden.executions import RecordedRun

        recorder = cast("Recorder", self._resources.get(_RECORDER))
        return RecordedRun(
            recorder, graph, entry, args, context, execution_id or uuid4(), rerun_of
        )

    def _run_again(
        self,
        execution: Execution,
        args: Mapping[str, object],
        execution_id: UUID | None,
        given: Context | None,
    ) -> object:
        entry = str(execution.entry)
        with nullcontext(given) if given is not None else self.context() as context:
            run = self._recorded_run(
                self.graph_of(entry),
                entry,
                args,
                context,
                execution_id=execution_id,
                rerun_of=execution.id,
            )
            return run()

    def _unmigrated(self) -> Database:
        from graphden.store import open_database

        return open_database(self._database_url, project=self._project, progress=self._progress)


class _ServiceHost:
    """A row that runs as an instance of a service, with connections of its own."""

    def __init__(self, app: App, row: str, instance: UUID) -> None:
        self._app = app
        self._row = row
        self.context = Context(resources=app._resources, instance_id=instance)

    def run(self) -> object:
        return self._app.run(self._row, context=self.context, save=False)

    def close(self) -> None:
        self.context.close()
        self._app.close()


def _migrated() -> tuple[Package, ...]:
    """All that brings migrations: the store's own come first, which others build on."""
    from graphden.store import own_tables

    return (own_tables, *packages())


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
