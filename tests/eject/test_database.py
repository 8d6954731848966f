"""Ejected rows with effects: the context of an App brings them the database."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graphden import App, Graph, RunError
from graphden.assets import folder
from tests.eject.ejecting import public

DEMO = folder("lessons") / "demo" / "orders.edn"
PATIENCE = 30.0


def until(look: Callable[[], Any]) -> Any:
    """What `look` finds, as soon as it finds anything."""
    ends = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.01)
    return found


@pytest.fixture
def graph() -> Graph:
    return Graph.load(DEMO)


def test_a_row_that_publishes_does_so_in_the_context_of_an_app(
    graph: Graph, database_url: str
) -> None:
    place: Any = public(graph.eject("order-placed"))
    with App.open(graph, database_url=database_url) as app, app.context() as context:
        known = place(payload={"sku": "tea", "qty": 2}, context=context)
        [message] = app.queues.messages("orders")
        assert (message["id"], message["state"]) == (known, "pending")
        with pytest.raises(RunError) as refused:
            place(payload={"sku": "tea"}, context=context)
        assert refused.value.code == "argument-type"
        assert len(app.queues.messages("orders")) == 1


def test_without_a_database_it_is_told_what_is_missing(graph: Graph) -> None:
    place: Any = public(graph.eject("order-placed"))
    with pytest.raises(RunError) as alone:
        place(payload={"sku": "tea", "qty": 2})
    assert alone.value.code == "resource-missing"


def test_an_ejected_worker_handles_tries_again_and_ends_when_asked(
    graph: Graph, database_url: str
) -> None:
    work: Any = public(graph.eject("orders-worker"))
    with App.open(graph, database_url=database_url) as app, app.context() as context:
        good = app.publish("orders", {"sku": "tea", "qty": 2})
        bad = app.publish("orders", {"sku": "cocoa", "qty": 1})
        with ThreadPoolExecutor(1) as pool:
            working = pool.submit(work, context=context)
            try:
                [dead] = until(lambda: app.queues.messages("orders", "dead"))
            finally:
                context.request_stop()
            assert working.result(PATIENCE) is None
        assert (dead["id"], dead["attempts"]) == (bad, 3)
        assert good not in [each["id"] for each in app.queues.messages("orders")]
