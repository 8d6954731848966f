"""`graphden work`: real processes, real signals, both servers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
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
SPINNING = GATED.replace(":pass-gate", ":spin-until")
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

    def begin(handler: str, visibility_ms: int = 30_000, *options: str):
        rows(WORKER.replace("VISIBILITY", str(visibility_ms)) + handler)
        words = ("work", "worker", "--json", *options)
        process = start(*words, GRAPHDEN_DATABASE_URL=database_url)
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


def test_the_end_of_the_grace_time_ends_it_and_counts_the_attempt(work, app, gate):
    """QUEUES 5.4"""
    app.publish("orders", "one")
    process = work(GATED, 30_000, "--grace", "0.2")
    process.logged("begun one")
    began = time.monotonic()
    process.signal(signal.SIGTERM)
    process.event("cancelled")
    assert process.ended() == 1
    assert time.monotonic() - began < 0.2 + 2 + 2  # the last 2 for a busy machine
    assert (only(app)["state"], only(app)["attempts"]) == ("claimed", 1)


@pytest.mark.parametrize("draining", [False, True])
def test_a_handler_that_never_waits_keeps_the_claims_of_its_batch(
    work, app, folder, until, draining
):
    """QUEUES 3.4: also while the worker drains"""
    payloads = ["one"] if draining else ["one", "two"]
    for payload in payloads:
        app.publish("orders", payload)
    process = work(SPINNING, 600)
    process.logged("begun one attempt 1")
    if draining:
        process.signal(signal.SIGTERM)
        process.event("stopping")
    first = app.queues.messages("orders")[-1]["claimed-until"]
    # Renewed twice: two claims' lengths are over, and nothing lapsed.
    for _ in range(2):
        until(lambda before=first: app.queues.messages("orders")[-1]["claimed-until"] > before)
        first = app.queues.messages("orders")[-1]["claimed-until"]
    states = {(m["state"].text, m["attempts"]) for m in app.queues.messages("orders")}
    assert states == {("claimed", 1)}
    (folder / "gate").touch()
    until(lambda: not app.queues.messages("orders"))
    if not draining:
        process.signal(signal.SIGTERM)
    assert process.ended() == 0


def test_a_worker_that_stood_still_past_its_lease_settles_nothing(work, app, gate, until):
    """QUEUES 3.3: its message was handled by another meanwhile"""
    app.publish("orders", "one")
    still = work(GATED, 700)
    still.logged("begun one attempt 1")
    still.signal(signal.SIGSTOP)
    other = work(QUICK, 700)
    other.logged("begun one attempt 2")
    other.logged("finished one")
    until(lambda: not app.queues.messages("orders"))
    app.publish("orders", "two")
    other.logged("finished two")
    other.signal(signal.SIGTERM)
    assert other.ended() == 0
    still.signal(signal.SIGCONT)
    gate()
    app.publish("orders", "three")
    still.logged("begun three attempt 1")
    gate()
    until(lambda: not app.queues.messages("orders"))
    still.signal(signal.SIGTERM)
    assert still.ended() == 0


def test_a_worker_whose_sessions_are_ended_goes_on(work, app, gate, until, database_url):
    """QUEUES 4.6, 5.5"""
    app.publish("orders", "one")
    process = work(GATED)
    process.logged("begun one attempt 1")
    end = (
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with psycopg.connect(database_url, autocommit=True) as connection:
        assert connection.execute(end).fetchall()
    gate()
    process.logged("finished one")
    until(lambda: not app.queues.messages("orders"))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(end)
    app.publish("orders", "two")
    process.logged("begun two attempt 1")
    process.signal(signal.SIGKILL)


def test_several_processes_work_stop_and_are_started_again(work, app, start, until):
    process = work(QUICK, 30_000, "--processes", "2")
    pids = {process.event("consuming")["pid"]}
    [killed] = pids
    os.kill(killed, signal.SIGKILL)
    assert process.event("restarting")["ended"] == killed
    assert process.event("consuming")["pid"] != killed
    app.publish("orders", "one")
    process.logged("finished one")
    process.signal(signal.SIGTERM)
    assert process.ended() == 0
    said = [line for line in process.rest(process.out) if '"stopped"' in line]
    assert len(said) == 2


def test_processes_stop_when_their_supervisor_is_killed(work, app, until):
    process = work(QUICK, 30_000, "--processes", "2")
    child = process.event("consuming")["pid"]
    process.signal(signal.SIGKILL)
    until(lambda: not alive(child))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def test_when_one_of_several_fails_by_itself_all_end_with_its_code(start, rows):
    rows(WORKER.replace("VISIBILITY", "30000") + QUICK)
    url = "postgresql://postgres@127.0.0.1:1/none"
    process = start("work", "worker", "--json", "--processes", "2", GRAPHDEN_DATABASE_URL=url)
    assert process.ended() == 1
    assert any("database-unreachable" in line for line in process.rest(process.out))


@pytest.mark.parametrize(
    "words", [("--processes", "0"), ("--processes", "x"), ("--grace", "-1"), ("--grace", "nan")]
)
def test_2_8_numbers_out_of_range_are_wrong_use(run, rows, words):
    rows(WORKER.replace("VISIBILITY", "30000") + QUICK)
    result = run("work", "worker", *words)
    assert result.code == 2
    assert words[0] in result.err
