"""`graphden serve`: real processes, killed, frozen and replaced."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import pytest

from graphden import App, UsageError
from graphden.services import Instance, Kind, Restart, Service, State

T = TypeVar("T")

PATIENCE = 40.0

ROWS = """
{:name :worker :parent :pg-queue-consumer :args {:queue "orders" :handler :handle}}
{:name :handle :parent :queue-publish :lambda-params [:message]
 :args {:queue "handled" :payload {:parent :list :args {:items [1
   {:parent :get :args {:coll {:as :message} :key {:value :payload} :default nil}}]}}}}
{:name :idle :parent :loop-until-stopped :args {:body {:parent :sleep :args {:ms 60000}}}}
{:name :stuck :parent :loop-until-stopped
 :args {:body {:parent :throw :args {:exception "no"}}}}
{:name :once :parent :sleep :args {:ms 1}}
"""


@pytest.fixture
def database_url(fresh_database: Callable[[str], str]) -> str:
    """On one server only: how services run does not depend on it, and takes time."""
    return fresh_database("embedded")


@pytest.fixture
def app(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", database_url)
    with App.open(database_url=database_url) as opened:
        opened.branches.push("main", {"rows.edn": ROWS})
        yield opened


def eventually(look: Callable[[], T]) -> T:
    """What `look` gives, once that is something."""
    ends = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < ends, f"still {found!r}"
        time.sleep(0.02)
    return found


def live(app: App, *, revision: str | None = None) -> list[Instance]:
    return [
        each
        for each in app.services.instances()
        if each.state is State.RUNNING and not each.lost and revision in {None, each.revision}
    ]


def refusing(app: App, revision: str) -> Service | None:
    found = [each for each in app.services.list() if each.broken == revision]
    return found[0] if found else None


def payloads(app: App, queue: str) -> list[Any]:
    return [each["payload"] for each in app.queues.messages(queue)]


def one_running(app: App) -> Instance:
    return eventually(lambda: live(app))[0]


def test_a_service_runs_while_it_is_enabled(app: App, start: Any) -> None:
    made = app.services.create("worker", "main")
    serve = start("serve", "--json")
    serve.event("serving")
    running = one_running(app)
    assert (running.service, running.revision) == (made.id, app.branches.revision("main").id)
    app.publish("orders", "tea")
    assert eventually(lambda: payloads(app, "handled")) == [[1, "tea"]]
    with pytest.raises(UsageError) as caught:
        app.services.delete(made.id)
    assert caught.value.code == "service-runs"
    app.services.disable(made.id)
    eventually(lambda: {each.state for each in app.services.instances()} == {State.ENDED})
    app.publish("orders", "milk")
    app.services.delete(str(made.id)[:8])
    assert (app.services.list(), app.services.instances()) == ((), ())
    assert payloads(app, "orders") == ["milk"]
    serve.signal(signal.SIGTERM)
    assert serve.ended() == 0


def test_sigterm_drains_and_leaves_nothing_behind(app: App, start: Any) -> None:
    app.services.create("idle", "main", Kind.POOL, slots=3)
    serve = start("serve", "--processes", "2", "--json")
    eventually(lambda: len(live(app)) == 3)
    serve.signal(signal.SIGTERM)
    serve.event("stopped")
    assert serve.ended() == 0
    assert {each.state for each in app.services.instances()} == {State.ENDED}
    assert [each.last_error for each in app.services.instances()] == [None] * 3


def test_a_process_that_is_killed_is_replaced(app: App, start: Any) -> None:
    app.services.create("worker", "main")
    serve = start("serve", "--json")
    first = one_running(app)
    os.kill(first.pid, signal.SIGKILL)
    serve.logged("was ended by SIGKILL")
    again = eventually(lambda: [each for each in live(app) if each.process != first.process])
    assert (again[0].slot, again[0].restarts) == (0, 1)
    assert "process ended" in (again[0].last_error or "")
    app.publish("orders", "tea")
    assert eventually(lambda: payloads(app, "handled")) == [[1, "tea"]]


def test_several_executors_share_the_work_and_inherit_it(app: App, start: Any) -> None:
    app.services.create("worker", "main")
    app.services.create("idle", "main", Kind.PER_PROCESS)
    executors = [start("serve", "--json") for _ in range(2)]
    eventually(lambda: len(live(app)) == 3)
    by_process: dict[Any, list[Instance]] = {}
    for each in live(app):
        by_process.setdefault(each.process, []).append(each)
    assert sorted(map(len, by_process.values())) == [1, 2]
    [holder] = {found[0].pid for found in by_process.values() if len(found) == 2}
    stat = Path(f"/proc/{holder}/stat").read_text()
    parent = int(stat.rpartition(")")[2].split()[1])
    os.kill(parent, signal.SIGKILL)  # its process hears of it, drains and ends
    [other] = {each.pid for found in by_process.values() for each in found} - {holder}
    eventually(lambda: [each.pid for each in live(app)] == [other, other])
    eventually(lambda: sum(each.process.poll() is None for each in executors) == 1)


def test_a_new_revision_replaces_the_old_as_a_whole(app: App, start: Any) -> None:
    app.services.create("worker", "main")
    start("serve", "--json")
    one_running(app)
    app.publish("orders", "tea")
    eventually(lambda: payloads(app, "handled"))
    rows = ROWS.replace(":items [1", ":items [2").replace('"orders"', '"others"')
    second = app.branches.push("main", {"rows.edn": rows}).revision
    eventually(lambda: live(app, revision=second.id))
    app.publish("orders", "old queue")
    app.publish("others", "milk")
    assert eventually(lambda: payloads(app, "handled")[1:]) == [[2, "milk"]]
    assert payloads(app, "orders") == ["old queue"]


BROKEN = {
    "unknown-row": ROWS.replace(":name :worker", ":name :vorker"),
    "service-arguments": ROWS.replace('{:queue "orders" ', "{"),
    "row-has-diagnostics": ROWS.replace('"orders"', "7"),
}


def test_a_broken_revision_replaces_nothing(app: App, start: Any) -> None:
    app.services.create("worker", "main")
    serve = start("serve", "--json")
    before = one_running(app)
    for code, rows in BROKEN.items():
        bad = app.branches.push("main", {"rows.edn": rows}).revision
        service = eventually(lambda bad=bad: refusing(app, bad.id))
        assert service.revision == before.revision
        assert code in (service.broken_error or "")
    assert [each.id for each in live(app)] == [before.id]
    mended = app.branches.push("main", {"rows.edn": ROWS + ";; mended"}).revision
    eventually(lambda: live(app, revision=mended.id))
    assert app.services.list()[0].broken is None
    serve.signal(signal.SIGTERM)
    assert serve.ended() == 0


def test_a_revision_that_fails_at_once_gives_way_to_the_one_before(
    app: App, start: Any
) -> None:
    app.services.create("idle", "main")
    start("serve", "--json")
    before = one_running(app)
    body = "{:parent :sleep :args {:ms 60000}}"
    failing = ROWS.replace(body, '{:parent :throw :args {:exception "at once"}}')
    bad = app.branches.push("main", {"rows.edn": failing}).revision
    service = eventually(lambda: refusing(app, bad.id))
    assert "at once" in (service.broken_error or "")
    eventually(lambda: live(app, revision=before.revision))


@pytest.mark.slow
def test_restarts_are_counted_and_their_error_is_told(app: App, start: Any) -> None:
    app.services.create("stuck", "main")
    start("serve", "--json")
    again = eventually(lambda: [e for e in app.services.instances() if e.restarts == 2])[0]
    assert "no" in (again.last_error or "")


def test_what_returns_stays_ended_when_it_should(app: App, start: Any) -> None:
    app.services.create("once", "main", restart=Restart.ON_FAILURE)
    app.services.create("idle", "main")
    start("serve", "--json")
    eventually(lambda: live(app))
    ended = eventually(lambda: [e for e in app.services.instances() if e.state is State.ENDED])
    app.services.disable(ended[0].service)
    app.services.enable(ended[0].service)
    again = eventually(lambda: [e for e in app.services.instances() if e.generation == 2])
    assert again[0].restarts == 0


def test_the_sessions_may_be_lost(app: App, start: Any, database_url: str) -> None:
    app.services.create("worker", "main")
    serve = start("serve", "--json")
    before = one_running(app)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    serve.logged("the database is back")
    app.publish("orders", "tea")
    assert eventually(lambda: payloads(app, "handled")) == [[1, "tea"]]
    assert [each.id for each in live(app)] == [before.id]


@pytest.mark.slow
def test_a_frozen_process_is_replaced_and_does_no_harm_when_it_wakes(
    app: App, start: Any
) -> None:
    app.services.create("worker", "main")
    executors = [start("serve", "--json") for _ in range(2)]
    frozen = one_running(app)
    os.kill(frozen.pid, signal.SIGSTOP)
    try:
        other = eventually(lambda: [e for e in live(app) if e.process != frozen.process])[0]
        app.publish("orders", "tea")
        assert eventually(lambda: payloads(app, "handled")) == [[1, "tea"]]
    finally:
        os.kill(frozen.pid, signal.SIGCONT)
    eventually(lambda: not Path(f"/proc/{frozen.pid}").exists())
    assert [each.id for each in live(app)] == [other.id]
    for each in executors:
        each.signal(signal.SIGTERM)
        assert each.ended() == 0
