"""Handlings, and what operators do, as executions below the run that published (QUEUES 6)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

import pytest

from graphden import App, Graph
from graphden.executions import Execution, Fate, Kind, Message
from graphden.store import migrate
from tests.executions.conftest import until

WORKER = """
{:name :order-placed :parent :queue-publish :args {:queue "orders"}}
{:name :take :parent :queue-take :args {:queue "orders" :wait-ms 5000 :record @record}}
{:name :nack :parent :queue-nack :args {:retry-ms 0 :max-attempts 3}}
{:name :extend :parent :queue-extend :args {:visibility-ms 30000}}
{:name :worker :parent :queue-consumer
 :args {:take :take :ack :queue-ack :nack :nack :extend :extend :handler :handle}}
{:name :_payload :parent :get :args {:coll {:as :message} :key {:value :payload} :default nil}}
{:name :_message :parent :get :args {:coll :_payload :key "fail" :default nil}}
{:name :handle :lambda-params [:message]
 :parent :if
 :args {:test {:parent :nil? :args {:value :_message}}
        :then {:parent :if
               :args {:test {:parent :get :args {:coll :_payload :key "next" :default false}}
                      :then {:parent :queue-publish
                             :args {:queue "parcels" :payload :_payload}}
                      :else nil}}
        :else {:parent :throw :args {:exception :_message}}}}
"""


@pytest.fixture
def graph() -> Graph:
    return worker_graph("all")


def worker_graph(record: str) -> Graph:
    return Graph.parse(WORKER.replace("@record", f'"{record}"'), file="rows.edn")


@contextmanager
def working(app: App) -> Iterator[None]:
    """A worker in a thread, while inside."""
    stop = threading.Event()
    thread = threading.Thread(target=app.work, args=("worker",), kwargs={"stop": stop})
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(30)
        assert not thread.is_alive()


def published(app: App, payload: object) -> UUID:
    """A run that published a message to the worker."""
    run = uuid4()
    app.run("order-placed", {"payload": payload}, execution_id=run)
    return run


def message_below(app: App, run: UUID, happened: Callable[[Message], object]) -> Message:
    """The only message that a run published, once it is as it should be."""

    def look() -> Message:
        [message] = app.executions.show(run).published
        return message

    until(lambda: happened(look()))
    return look()


def ends(message: Message) -> list[tuple[Any, ...]]:
    return [
        (step.execution.attempt, step.execution.outcome, step.execution.settlement)
        for step in message.steps
    ]


def test_a_message_that_nobody_handled_is_below_the_run_that_published_it(app):
    """QUEUES 6.1: the publish statement records the message's id."""
    run = uuid4()
    message_id = app.run("order-placed", {"payload": {}}, execution_id=run)
    [message] = app.executions.show(run).published
    assert (message.id, message.queue, message.fate) == (message_id, "orders", Fate.WAITING)
    assert message.steps == ()


def test_a_handling_is_an_execution_below_the_run(app):
    run = published(app, {})
    with working(app):
        message = message_below(app, run, lambda message: message.fate is Fate.DONE)
    assert ends(message) == [(1, "done", "done")]
    handled = message.steps[0].execution
    assert (handled.kind, handled.status, handled.entry) == ("handling", "succeeded", "handle")
    assert (handled.message_id, handled.queue) == (message.id, "orders")
    assert (handled.trace_id, handled.parent_id, handled.error) == (run, run, None)
    assert message.published <= handled.started <= handled.ended
    assert app.executions.get(handled.id) == handled


def test_what_a_handler_publishes_is_below_its_handling(app):
    run = published(app, {"next": True})
    with working(app):
        message = message_below(app, run, lambda message: message.fate is Fate.DONE)
    [step] = message.steps
    [parcel] = step.published
    assert (parcel.queue, parcel.fate) == ("parcels", Fate.WAITING)
    [stored] = app.queues.messages("parcels")
    assert (stored["id"], stored["trace-id"]) == (parcel.id, run)


def test_failures_and_death_are_told_with_their_errors(app):
    run = published(app, {"fail": "no tea"})
    with working(app):
        message = message_below(app, run, lambda message: message.fate is Fate.DEAD)
    assert ends(message) == [
        (1, "failed", "retry"),
        (2, "failed", "retry"),
        (3, "failed", "dead"),
    ]
    first = message.steps[0].execution
    assert (first.status, first.error.code, first.error.message) == (
        "failed",
        "thrown",
        "no tea",
    )
    assert "handle rows.edn:" in first.error.place


def test_a_requeue_is_one_step_of_the_same_message(app):
    """QUEUES 4.3, 6.1: who, when, what."""
    run = published(app, {"fail": "no tea"})
    with working(app):
        dead = message_below(app, run, lambda message: message.fate is Fate.DEAD)
        app.queues.requeue([dead.id])
        message = message_below(app, run, lambda message: len(message.steps) == 7)
    assert ends(message)[3:] == [
        (None, "requeue", None),
        (1, "failed", "retry"),
        (2, "failed", "retry"),
        (3, "failed", "dead"),
    ]
    act = message.steps[3].execution
    assert (act.kind, act.entry, act.queue) == (Kind.OPERATOR, "requeue", "orders")
    assert act.actor.count("@") == 1
    assert act.trace_id == run
    assert app.executions.list(kind="operator") == [act]


def test_success_and_deletion_can_be_told_apart(app):
    gone, done = published(app, {}), published(app, {})
    [message] = app.executions.show(gone).published
    app.queues.delete([message.id])
    with working(app):
        handled = message_below(app, done, lambda message: message.fate is Fate.DONE)
    [deleted] = app.executions.show(gone).published
    assert (deleted.fate, ends(deleted)) == (Fate.DELETED, [(None, "delete", None)])
    assert ends(handled) == [(1, "done", "done")]


def test_a_purge_is_recorded_for_each_message(app):
    run = published(app, {})
    app.queues.purge("orders")
    [message] = app.executions.show(run).published
    assert (message.fate, ends(message)) == (Fate.DELETED, [(None, "purge", None)])


def test_what_operators_could_not_do_is_not_recorded(app):
    run = published(app, {})
    [message] = app.executions.show(run).published
    app.queues.requeue([message.id, uuid4()])
    app.queues.delete([uuid4()])
    assert app.executions.list(kind="operator") == []


def test_a_message_of_nobody_has_a_trace_of_its_own(app):
    """Its handlings, and what they publish, are of one trace: the message's id."""
    message_id = app.publish("orders", {"next": True})
    with working(app):
        until(lambda: app.queues.messages("parcels"))
        until(lambda: app.executions.of_messages([message_id]))
    [handled] = app.executions.of_messages([message_id])
    assert (handled.trace_id, handled.parent_id) == (message_id, None)
    [parcel] = app.executions.show(handled.id).published
    [stored] = app.queues.messages("parcels")
    assert (stored["id"], stored["trace-id"]) == (parcel.id, message_id)


@pytest.mark.parametrize(("record", "outcomes"), [("failures", ["failed"]), ("none", [])])
def test_a_consumer_says_which_handlings_are_recorded(database_url, record, outcomes):
    """QUEUES 6.2"""
    with App.open([worker_graph(record)], database_url=database_url) as app:
        published(app, {"fail": "no tea"})
        run = published(app, {"next": True})
        with working(app):
            until(lambda: [m["state"].text for m in app.queues.messages("orders")] == ["dead"])
            until(lambda: app.queues.messages("parcels"))
        found = app.executions.list(kind="handling")
        assert sorted({each.outcome for each in found}) == outcomes
        parcels = [m for m in app.executions.show(run).published if m.queue == "parcels"]
        assert len(parcels) == 1  # below the nearest recorded execution


def test_an_unknown_policy_is_refused(app):
    args = {"queue": "orders", "record": "some", "wait-ms": 0}
    with pytest.raises(Exception, match="record must be one of 'all', 'failures', 'none'"):
        app.run("queue-take", args)


def test_a_claim_that_ran_out_is_recorded_by_the_next_taker(app, ask):
    """QUEUES 6.1"""
    run = published(app, {})
    app.run("queue-take", {"queue": "orders", "visibility-ms": 600}, save=False)
    with working(app):
        message = message_below(app, run, lambda message: message.fate is Fate.DONE)
    assert ends(message) == [(1, "died", "retry"), (2, "done", "done")]
    died = message.steps[0].execution
    assert (died.status, died.error.code) == ("failed", "died")
    assert died.actor in died.error.message


def test_a_worker_that_comes_back_too_late_says_so(app):
    """What others took for its death is replaced by its own end, which changed nothing."""
    run = published(app, {})
    taken = app.run("queue-take", {"queue": "orders", "visibility-ms": 600}, save=False)
    with working(app):
        message_below(app, run, lambda message: message.fate is Fate.DONE)
        assert app.run("queue-ack", {"message": taken[0]}, save=False).text == "lost"
    [message] = app.executions.show(run).published
    assert ends(message) == [(1, "lost", "lost"), (2, "done", "done")]
    assert message.fate is Fate.DONE


def test_attempts_that_workers_died_in_use_a_message_up(app):
    run = published(app, {})
    for _ in range(3):
        until(
            lambda: app.run("queue-take", {"queue": "orders", "visibility-ms": 600}, save=False)
        )
    with working(app):
        message = message_below(app, run, lambda message: message.fate is Fate.DEAD)
    assert [end[1:] for end in ends(message)] == [
        *3 * [("died", "retry")],
        ("lapsed", "dead"),
    ]


def test_a_settlement_that_is_repeated_is_recorded_once(remote, proxy):
    run = published(remote, {})
    [message] = remote.run("queue-take", {"queue": "orders", "visibility-ms": 900}, save=False)
    proxy.cut_answer()
    remote.run("queue-ack", {"message": message}, save=False)
    [told] = remote.executions.show(run).published
    assert ends(told) == [(1, "done", "done")]


def test_a_database_without_the_store_settles_and_records_nothing(database_url, graph):
    from graphden.files import packages
    from graphden.run import Context, Resources

    migrate(database_url, packages())
    resources = Resources()
    resources.provide("database-url", lambda: database_url)
    context = Context(resources=resources, execution_id=uuid4())
    message_id = graph.run("order-placed", {"payload": {}}, context=context)
    [message] = graph.run("queue-take", {"queue": "orders"}, context=context)
    assert message["id"] == message_id
    assert graph.run("queue-ack", {"message": message}, context=context).text == "accepted"
    [left] = graph.run("queue-list", {}, context=context)
    assert graph.run("queue-take", {"queue": "orders", "wait-ms": 0}, context=context) == []
    [left] = graph.run("queue-list", {}, context=context)
    assert (left["pending"], left["claimed"]) == (0, 0)
    resources.close()


def test_trouble_with_a_record_keeps_no_message_from_being_settled(app, ask):
    app.executions.list()
    run = published(app, {})
    ask("ALTER TABLE graphden.execution ADD CONSTRAINT broken CHECK (kind <> 'handling')")
    with working(app):
        until(lambda: app.queues.list()[0]["pending"] == 0)
        until(lambda: app.queues.messages("orders") == [])
    assert ends(app.executions.show(run).published[0]) == []


def test_the_list_of_handlings(app):
    published(app, {})
    published(app, {"fail": "no tea"})
    with working(app):
        until(lambda: len(app.executions.list(kind="handling")) == 4)
    found = app.executions.list(kind="handling", status="failed")
    assert [each.attempt for each in found] == [3, 2, 1]
    assert all(isinstance(each, Execution) for each in found)
