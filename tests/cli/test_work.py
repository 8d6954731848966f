"""`graphden work`: real processes, real signals, both servers."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from graphden import App

WORKER = """
{:name :take   :parent :queue-take
 :args {:queue "orders" :batch 10 :visibility-ms VISIBILITY :wait-ms 5000}}
{:name :nack   :parent :queue-nack   :args {:retry-ms 100 :max-attempts 2}}
{:name :extend :parent :queue-extend :args {:visibility-ms VISIBILITY}}
{:name :worker :parent :queue-consumer
 :args {:take :take :ack :queue-ack :nack :nack :extend :extend :handler :handle}}
{:name :_payload :parent :get
 :args {:coll {:as :message} :key {:value :payload} :default nil}}
{:name :_attempts :parent :get
 :args {:coll {:as :message} :key {:value :attempts} :default nil}}
{:name :_begun :parent :log
 :args {:level "info" :data nil
        :message {:parent :str :args {:parts ["begun " :_payload " attempt " :_attempts]}}}}
{:name :_finished :parent :log
 :args {:level "info" :data nil :message {:parent :str :args {:parts ["finished " :_payload]}}}}
"""
GATED = """
{:name :handle :parent :do :lambda-params [:message]
 :args {:steps [:_begun {:parent :pass-gate :args {:path "gate"}} :_finished]}}
"""
QUICK = """
{:name :handle :parent :do :lambda-params [:message] :args {:steps [:_begun :_finished]}}
"""
DEADLY = """
{:name :handle :parent :do :lambda-params [:message]
 :args {:steps [:_begun
                {:parent :if :args {:test {:parent :eq :args {:values [:_payload "poison"]}}
                                    :then :kill-worker :else nil}}
                :_finished]}}
"""


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with App.open(database_url=database_url) as app:
        yield app


@pytest.fixture
def work(start, rows, database_url):
    """Start a worker over these rows, and wait until it consumes."""

    def begin(handler: str, visibility_ms: int = 30_000):
        rows(WORKER.replace("VISIBILITY", str(visibility_ms)) + handler)
        process = start("work", "worker", "--json", GRAPHDEN_DATABASE_URL=database_url)
        assert process.event("consuming")["entry"] == "worker"
        return process

    return begin


def only(app: App) -> dict[str, Any]:
    [message] = app.queues.messages("orders")
    return message


def idle(database_url: str, until) -> None:
    """Wait until a worker waits for messages."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        until(lambda: connection.execute("SELECT 1 FROM graphden.queue_idle").fetchone())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_after_a_signal_the_running_handler_finishes(work, app, gate, until, number):
    """QUEUES 5.4"""
    app.publish("orders", "one")
    app.publish("orders", "two")
    process = work(GATED)
    process.logged("begun one attempt 1")
    process.signal(number)
    process.event("stopping")
    until(lambda: [m["state"] for m in app.queues.messages("orders")] == ["claimed", "pending"])
    gate()
    process.logged("finished one")
    process.event("stopped")
    assert process.ended() == 0
    left = only(app)
    assert (left["payload"], left["state"], left["attempts"]) == ("two", "pending", 0)


def test_an_idle_worker_stops_at_once(work, app, until, database_url):
    """QUEUES 5.4: far below the empty wait of 5 s"""
    process = work(QUICK)
    idle(database_url, until)
    began = time.monotonic()
    process.signal(signal.SIGTERM)
    assert process.ended() == 0
    assert time.monotonic() - began < 2


def test_a_second_signal_ends_it_though_the_handler_goes_on(work, app, gate):
    """QUEUES 5.4"""
    app.publish("orders", "one")
    process = work(GATED)
    process.logged("begun one")
    process.signal(signal.SIGTERM)
    process.event("stopping")
    began = time.monotonic()
    process.signal(signal.SIGTERM)
    process.event("cancelled")
    assert process.ended() == 1
    assert time.monotonic() - began < 4
    assert only(app)["state"] == "claimed"


def test_a_killed_workers_message_comes_again_after_its_visibility(work, app, gate):
    """QUEUES 3.1, 3.2"""
    app.publish("orders", "one")
    killed = work(GATED, visibility_ms=1_500)
    killed.logged("begun one attempt 1")
    killed.signal(signal.SIGKILL)
    assert killed.ended() == -signal.SIGKILL
    held = only(app)
    assert (held["state"], held["attempts"]) == ("claimed", 1)

    other = work(QUICK, visibility_ms=1_500)
    other.logged("begun one attempt 2")
    assert datetime.now(UTC) >= held["claimed-until"]
    other.logged("finished one")
    other.signal(signal.SIGTERM)
    assert other.ended() == 0
    assert app.queues.messages("orders") == []


def test_a_message_that_kills_its_workers_is_dead_and_takes_nobody_along(work, app, until):
    """QUEUES 3.2"""
    for payload in ("before", "poison", "after"):
        app.publish("orders", payload)
    deaths = 0
    begun: list[str] = []
    while True:
        process = work(DEADLY, visibility_ms=600)
        until(
            lambda process=process: (
                process.process.poll() is not None
                or [m["state"].text for m in app.queues.messages("orders")] == ["dead"]
            )
        )
        if process.process.poll() is None:
            process.signal(signal.SIGTERM)
            assert process.ended() == 0
        lines = process.rest(process.err)
        begun += [line.split("begun ")[1] for line in lines if "begun " in line]
        if process.ended() == 0:
            break
        assert process.ended() == -signal.SIGKILL
        deaths += 1
    assert deaths == 2
    assert [line for line in begun if "poison" in line] == [
        "poison attempt 1",
        "poison attempt 2",
    ]
    assert sum("after" in line for line in begun) == 1
    dead = only(app)
    assert (dead["payload"], dead["error"]["outcome"]) == ("poison", "lapsed")


def test_a_published_message_wakes_an_idle_worker(work, app, until, database_url):
    """QUEUES 5.1: far below the empty wait of 5 s"""
    process = work(QUICK)
    idle(database_url, until)
    began = time.monotonic()
    app.publish("orders", "one")
    process.logged("begun one attempt 1")
    assert time.monotonic() - began < 1


def test_what_it_says_to_people(start, rows, database_url):
    rows(WORKER.replace("VISIBILITY", "30000") + QUICK)
    process = start("work", "worker", GRAPHDEN_DATABASE_URL=database_url)
    first = process.said()
    assert first.startswith("consuming with :worker, PostgreSQL ")
    assert first.endswith(f" (process {process.process.pid}; Ctrl-C stops it)")
    process.signal(signal.SIGTERM)
    assert process.ended() == 0
    assert process.rest(process.out) == [
        "SIGTERM: stopping after the running handler",
        "stopped",
    ]


def test_a_worker_with_wrong_arguments_does_not_begin(run, rows):
    rows(WORKER.replace("VISIBILITY", "30000") + QUICK)
    result = run("work", "worker", "--arg", "queue=1", "--json")
    assert result.code == 1
    assert result.json["error"]["code"] == "unknown-argument"


def test_a_consumer_over_memory_starts_no_database(start, rows, folder):
    rows('{:name :w :parent :memory-queue-consumer :args {:queue "q" :handler :h}}'
         "{:name :h :parent :const :args {:value 1}}")  # fmt: skip
    process = start("work", "w", "--json")
    assert process.event("consuming")["database"] is None
    process.signal(signal.SIGTERM)
    assert process.ended() == 0
    assert [path.name for path in folder.iterdir()] == ["rows.edn"]
