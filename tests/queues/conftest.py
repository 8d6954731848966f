"""Consumers as users write them: rows over a real backend, run in threads of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from graphden import Graph
from graphden.files import packages
from graphden.run import Context, Resources
from graphden.store import migrate

PATIENCE = 20.0
"""Seconds until what a test waits for counts as never happening."""


class Bench:
    """Rows with a backend under them, whose rows begin with `prefix`."""

    def __init__(self, prefix: str, resources: Resources) -> None:
        self.prefix = prefix
        self.resources = resources
        self._workers: list[tuple[Context, threading.Thread]] = []

    def graph(self, text: str) -> Graph:
        """The rows of a text in which `@take` stands for the backend's own take, and so on."""
        graph = Graph.parse(self._named(text), file="rows.edn")
        assert graph.diagnostics == ()
        return graph

    def run(self, graph: Graph, entry: str, **arguments: object) -> Any:
        return graph.run(
            self._named(entry), _slots(arguments), context=Context(resources=self.resources)
        )

    def context(self) -> Context:
        """The surroundings of a run of the test's own."""
        return Context(resources=self.resources)

    def start(self, graph: Graph, entry: str, **arguments: object) -> Context:
        """Run a consumer in a thread; it is stopped when the test ends."""
        context = Context(resources=self.resources)

        def work() -> None:
            graph.run(entry, _slots(arguments), context=context)

        thread = threading.Thread(target=work)
        thread.start()
        self._workers.append((context, thread))
        return context

    def stop(self) -> None:
        """Stop all consumers politely, and wait for them."""
        for context, _ in self._workers:
            context.request_stop()
        for _, thread in self._workers:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        self._workers.clear()

    def messages(self, graph: Graph, queue: str) -> list[dict[str, Any]]:
        return list(self.run(graph, "@messages", queue=queue))

    def until(self, condition: Callable[[], Any]) -> Any:
        """Ask the real state again until it is so."""
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            assert time.monotonic() < end, "it never came to that"
            time.sleep(0.005)
        return found

    def _named(self, text: str) -> str:
        return text.replace("@", f"{self.prefix}-")


def _slots(arguments: dict[str, object]) -> dict[str, object]:
    return {name.replace("_", "-"): value for name, value in arguments.items()}


@pytest.fixture(params=["memory", "embedded", "system"])
def bench(
    request: pytest.FixtureRequest, fresh_database: Callable[[str], str]
) -> Iterator[Bench]:
    """The same rows over memory and over both PostgreSQL servers."""
    resources = Resources()
    if request.param == "memory":
        made = Bench("memory", resources)
    else:
        url = fresh_database(request.param)
        migrate(url, packages())
        resources.provide("database-url", lambda: url)
        made = Bench("queue", resources)
    yield made
    made.stop()
    resources.close()
