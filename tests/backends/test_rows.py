"""QUEUES 1.3: the backends as rows, run by the engine."""

from __future__ import annotations

import threading
from uuid import uuid4

import pytest

import graphden

PREFIXES = {"memory": ("memory", "memory"), "postgres": ("queue", "pg")}


@pytest.fixture(params=PREFIXES)
def graph(request):
    """A program over one backend: publish, a worker of usual numbers, one with its own."""
    verbs, short = PREFIXES[request.param]
    return graphden.Graph.parse(
        """
        {:name :placed :parent :VERB-publish :args {:queue "QUEUE"}}
        {:name :listed :parent :VERB-messages :args {:queue "QUEUE"}}
        {:name :handle :parent :get
         :args {:coll {:parent :get :args {:coll {:as :message} :key {:value :payload}
                                           :default nil}}
                :key "sku" :default nil}}
        {:name :worker :parent :SHORT-queue-consumer :args {:queue "QUEUE" :handler :handle}}
        {:name :impatient-take :parent :VERB-take :args {:queue "QUEUE" :wait-ms 60000}}
        {:name :impatient-nack :parent :VERB-nack :args {:retry-ms 0 :max-attempts 2}}
        {:name :fail :parent :throw :args {:exception {:parent :ex-info
                                           :args {:message "no stock" :data nil}}}}
        {:name :failing :parent :queue-consumer
         :args {:take :impatient-take :ack :VERB-ack :nack :impatient-nack
                :extend :VERB-extend :handler :fail}}
        """.replace("VERB", verbs)
        .replace("SHORT", short)
        .replace("QUEUE", f"rows-{uuid4()}")
    )


@pytest.fixture
def app(graph, postgres_url):
    with graphden.App.open(graphs=[graph], database_url=postgres_url) as opened:
        yield opened


def worked(app, entry, until):
    """Run a consumer until a listing satisfies `until`; that listing."""
    stop = threading.Event()
    worker = threading.Thread(target=app.work, args=(entry,), kwargs={"stop": stop})
    worker.start()
    try:
        while not until(listed := app.run("listed")):
            assert worker.is_alive()
        return listed
    finally:
        stop.set()
        worker.join()


def test_1_3_the_usual_consumer_requires_its_queue_and_handler_only(graph, request):
    interface = graph.interface("worker")
    assert [parameter.name for parameter in interface if parameter.required] == []
    names = {parameter.name for parameter in interface}
    records = {"record"} if request.node.callspec.params["graph"] == "postgres" else set()
    assert names == {"heartbeat-ms", "concurrency", "timeout-ms", "backoff"} | records


def test_1_3_it_handles_and_settles(app):
    for sku in ("A-1", "A-2"):
        app.run("placed", {"payload": {"sku": sku}})
    assert [message["payload"]["sku"] for message in app.run("listed")] == ["A-1", "A-2"]
    assert worked(app, "worker", lambda listed: not listed) == []


def test_1_3_other_numbers_are_rows_of_ones_own(app):
    published = app.run("placed", {"payload": {"sku": "A-1"}})
    [dead] = worked(app, "failing", lambda listed: listed[0]["state"] == "dead")
    assert (dead["id"], dead["attempts"]) == (published, 2)
    assert dead["error"]["message"] == "no stock"
