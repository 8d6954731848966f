"""An execution's life under kills and lost connections: never two ends, never a lost end."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest

from graphden import App, Graph, RunError, UsageError
from graphden.executions import Status
from tests.executions.conftest import until


@pytest.fixture
def graph() -> Graph:
    return Graph.parse(
        "{:name :wait-for :parent :call-noargs :args {:func {:as :gate :type [:fn {} :any]}}}"
        "{:name :double :parent :mul :args {:nums [2 {:as :number}]}}"
        "{:name :long :parent :sleep :args {:ms 600000}}"
    )


class Gate:
    """A run that tells that it runs, and goes on when it may."""

    def __init__(self) -> None:
        self.running = threading.Event()
        self.opened = threading.Event()

    def __call__(self) -> str:
        self.running.set()
        assert self.opened.wait(30)
        return "through"


def test_a_pending_run_is_seen_while_it_runs(app, database_url):
    chosen, gate = uuid4(), Gate()
    with ThreadPoolExecutor() as threads, App.open(database_url=database_url) as other:
        value = threads.submit(app.run, "wait-for", {"gate": gate}, execution_id=chosen)
        gate.running.wait(30)
        [found] = other.executions.list(status=Status.PENDING)
        assert (found.id, found.ended, found.took) == (chosen, None, None)
        gate.opened.set()
        assert value.result(30) == "through"
        assert other.executions.get(chosen).status is Status.SUCCEEDED


def test_an_end_whose_answer_is_lost_is_written_once(remote, proxy, ask):
    chosen = uuid4()

    def gate() -> str:
        proxy.cut_answer()
        return "through"

    remote.run("wait-for", {"gate": gate}, execution_id=chosen)
    assert not proxy.is_armed()
    assert ask("SELECT status, result, owner FROM graphden.execution") == [
        ("succeeded", '"through"', None)
    ]


def test_an_end_that_is_lost_on_its_way_is_sent_again(remote, proxy, ask):
    def gate() -> str:
        proxy.cut_request()
        return "through"

    assert remote.run("wait-for", {"gate": gate}, save=True) == "through"
    assert ask("SELECT status, owner FROM graphden.execution") == [("succeeded", None)]


def test_a_beginning_whose_answer_is_lost_is_a_beginning(remote, proxy, ask):
    remote.executions.list()
    remote.run("double", {"number": 1}, save=True)
    proxy.cut_answer()
    assert remote.run("double", {"number": 2}, save=True) == 4
    assert not proxy.is_armed()
    assert ask("SELECT count(*), count(owner) FROM graphden.execution") == [(2, 0)]


def test_an_end_waits_for_a_database_that_is_away(remote, proxy, ask):
    """The caller gets its value; the end is written when the database is back."""
    gate = Gate()
    with ThreadPoolExecutor() as threads:
        value = threads.submit(remote.run, "wait-for", {"gate": gate}, save=True)
        gate.running.wait(30)
        proxy.down()
        gate.opened.set()
        assert value.result(30) == "through"
        assert ask("SELECT status FROM graphden.execution") == [("pending",)]
        proxy.up()
        until(lambda: ask("SELECT status FROM graphden.execution") == [("succeeded",)])


def test_an_end_that_waits_is_written_when_the_app_is_closed(graph, remote, proxy, ask):
    def gate() -> str:
        proxy.down()
        return "through"

    remote.run("wait-for", {"gate": gate}, save=True)
    proxy.up()
    remote.close()
    assert ask("SELECT status FROM graphden.execution") == [("succeeded",)]


def test_a_run_does_not_begin_while_the_database_is_away(remote, proxy):
    remote.run("double", {"number": 1}, save=True)
    proxy.down()
    ran = []
    with pytest.raises(UsageError) as raised:
        remote.run("wait-for", {"gate": lambda: ran.append(1)}, save=True)
    assert (raised.value.code, ran) == ("database-unreachable", [])
    proxy.up()


def test_who_lost_the_database_is_taken_for_dead_until_it_is_back(remote, proxy, app, ask):
    """The verdict of others is a presumption: the process's own end is what stands."""
    chosen, gate = uuid4(), Gate()
    with ThreadPoolExecutor() as threads:
        value = threads.submit(remote.run, "wait-for", {"gate": gate}, execution_id=chosen)
        gate.running.wait(30)
        proxy.down()
        until(lambda: app.executions.get(chosen).status is Status.FAILED)
        assert app.executions.get(chosen).error.code == "died"
        proxy.up()
        until(lambda: app.executions.get(chosen).status is Status.PENDING)
        gate.opened.set()
        assert value.result(30) == "through"
    found = app.executions.get(chosen)
    assert (found.status, found.result, found.error) == ("succeeded", '"through"', None)


def test_others_do_not_take_the_living_for_dead(app, database_url):
    gate = Gate()
    with ThreadPoolExecutor() as threads, App.open(database_url=database_url) as other:
        value = threads.submit(app.run, "wait-for", {"gate": gate}, save=True)
        gate.running.wait(30)
        for _ in range(5):
            assert [each.status for each in other.executions.list()] == ["pending"]
        gate.opened.set()
        value.result(30)


def test_a_run_is_cancelled_from_another_process(app, database_url):
    chosen = uuid4()
    with ThreadPoolExecutor() as threads, App.open(database_url=database_url) as other:
        value = threads.submit(app.run, "long", execution_id=chosen)
        until(lambda: other.executions.list(status="pending"))
        asked = other.executions.cancel(chosen)
        assert (asked.status, asked.cancel_by is None) == ("pending", False)
        with pytest.raises(RunError) as raised:
            value.result(30)
        assert raised.value.code == "cancelled"
        found = other.executions.get(chosen)
        assert (found.status, found.error.code) == ("cancelled", "cancelled")
        assert asked.cancel_by in found.error.message


def test_what_has_ended_is_not_cancelled(app):
    chosen = uuid4()
    app.run("double", {"number": 1}, execution_id=chosen)
    found = app.executions.cancel(chosen)
    assert (found.status, found.cancel_by) == ("succeeded", None)


def test_pending_runs_are_not_pruned(app):
    gate = Gate()
    with ThreadPoolExecutor() as threads:
        value = threads.submit(app.run, "wait-for", {"gate": gate}, save=True)
        gate.running.wait(30)
        assert app.executions.prune(timedelta(0)) == 0
        gate.opened.set()
        value.result(30)
    assert app.executions.prune(timedelta(0)) == 1
