"""QUEUES 1.4, 7.4: a backend without leases, and the consumer that needs none."""

from __future__ import annotations

import os
import threading
import warnings

import pytest

from graphden import Graph, RunError
from graphden.edn import Keyword
from graphden.run import Context, Resources
from graphden_leaseless import package
from tests.backends.conftest import until

DONE, LOST, RETRY, DEAD = (Keyword(each) for each in ("done", "lost", "retry", "dead"))
ROWS = """
{:name :take :parent :leaseless-take :args {:queue "q" :batch 10 :wait-ms 20000}}
{:name :nack :parent :leaseless-nack :args {:retry-ms 0 :max-attempts 3}}
{:name :worker :parent :queue-consumer-leaseless
 :args {:take :take :ack :leaseless-ack :nack :nack}}
{:name :put :parent :leaseless-publish :args {:queue "q"}}
{:name :listed :parent :leaseless-messages :args {:queue "q"}}
{:name :taken :parent :leaseless-take :args {:queue "q" :batch 2 :wait-ms 0}}
{:name :taken-and-failing :parent :do
 :args {:steps [:taken {:parent :div :args {:nums [1 0]}}]}}
{:name :taken-and-waiting :parent :do
 :args {:steps [:taken {:parent :call-noargs :args {:func {:as :held}}}
                {:parent :sleep :args {:ms 20000}}]}}
"""


class Runs:
    """Runs of one graph with one set of queues."""

    def __init__(self) -> None:
        self.graph = Graph.parse(ROWS)
        assert self.graph.diagnostics == ()
        self.resources = Resources()

    def context(self) -> Context:
        return Context(self.resources)

    def run(self, entry, **arguments):
        named = {name.replace("_", "-"): value for name, value in arguments.items()}
        return self.graph.run(entry, named, context=self.context())

    def states(self):
        return [(m["payload"], str(m["state"]), m["attempts"]) for m in self.run("listed")]

    def call(self, verb, *arguments, context):
        body = package.functions.get(f"leaseless-{verb}")
        return body.function(*arguments, context=context)


@pytest.fixture
def runs():
    found = Runs()
    yield found
    found.resources.close()
    found.graph.close()


def error(outcome, delay_ms=None):
    return {
        Keyword("outcome"): Keyword(outcome),
        Keyword("type"): "thrown",
        Keyword("message"): "it failed \0",
        Keyword("place"): None,
        Keyword("delay-ms"): delay_ms,
    }


def test_1_4_it_has_no_extend_and_the_consumer_needs_none(runs):
    names = {p.name for p in runs.graph.interface("leaseless-queue-consumer") if p.required}
    assert names == {"queue", "handler"}
    with pytest.raises(RunError, match="leaseless-extend"):
        runs.run("leaseless-extend")


def test_1_4_the_consumer_handles_retries_and_buries(runs):
    for payload in ("good", "bad", "last"):
        runs.run("put", payload=payload)
    seen = []

    def handler(message):
        seen.append(message["payload"])
        if message["payload"] == "bad":
            raise SystemExit

    context = runs.context()
    worker = threading.Thread(
        target=runs.graph.run,
        args=("worker", {"handler": handler}),
        kwargs={"context": context},
    )
    worker.start()
    until(lambda: runs.states() == [("bad", ":dead", 3)])
    context.request_stop()
    worker.join()
    assert seen == ["good", "bad", "last", "bad", "bad"]


def test_7_4_a_taken_message_stays_with_its_run_however_long(runs):
    runs.run("put", payload=1)
    held, go_on = threading.Event(), threading.Event()

    def hold():
        held.set()
        assert go_on.wait(20)

    context = runs.context()

    def take():
        with pytest.raises(RunError, match="cancelled"):
            runs.graph.run("taken-and-waiting", {"held": hold}, context=context)

    run = threading.Thread(target=take)
    run.start()
    assert held.wait(20)
    assert runs.states() == [(1, ":claimed", 1)]
    assert runs.run("taken") == []
    go_on.set()
    context.cancel()
    run.join()


@pytest.mark.parametrize("ending", ["returns", "fails", "is cancelled"])
def test_7_4_what_a_run_has_not_settled_returns_when_it_ends(runs, ending):
    for number in range(3):
        runs.run("put", payload=number)
    if ending == "returns":
        assert [m["payload"] for m in runs.run("taken")] == [0, 1]
    elif ending == "fails":
        with pytest.raises(RunError, match="item 2"):
            runs.run("taken-and-failing")
    else:
        context = runs.context()
        with pytest.raises(RunError, match="cancelled"):
            runs.graph.run("taken-and-waiting", {"held": context.cancel}, context=context)
    assert runs.states() == [(0, ":pending", 1), (1, ":pending", 1), (2, ":pending", 0)]
    assert [m["payload"] for m in runs.run("taken")] == [0, 1]


def test_7_4_one_that_waits_for_work_gets_what_returned(runs):
    runs.run("put", payload=1)
    context = runs.context()
    first = runs.call("take", "q", 1, 0, context=context)
    assert len(first) == 1
    waiting: list[object] = []
    taker = threading.Thread(
        target=lambda: waiting.extend(runs.call("take", "q", 1, 20_000, context=runs.context()))
    )
    taker.start()
    context.end()
    taker.join(20)
    assert [(m["id"], m["attempts"]) for m in waiting] == [(first[0]["id"], 2)]


def test_3_3_a_run_that_is_over_settles_nothing(runs):
    runs.run("put", payload=1)
    context = runs.context()
    [outdated] = runs.call("take", "q", 1, 0, context=context)
    context.end()
    other = runs.context()
    [current] = runs.call("take", "q", 1, 0, context=other)
    assert runs.call("ack", outdated, context=context) == LOST
    for outcome in ("failed", "later", "give-up", "released", "lapsed"):
        nacked = runs.call("nack", outdated, error(outcome), 0, 5, None, context=context)
        assert nacked == LOST
    assert runs.states() == [(1, ":claimed", 2)]
    assert runs.call("ack", current, context=other) == DONE
    assert runs.states() == []


@pytest.mark.parametrize(
    ("outcome", "settlement", "left"),
    [
        ("failed", RETRY, ("delayed", 1)),
        ("later", RETRY, ("delayed", 0)),
        ("give-up", DEAD, ("dead", 1)),
        ("released", RETRY, ("pending", 0)),
        ("lapsed", Keyword("held"), ("claimed", 1)),
    ],
)
def test_4_each_outcome_settles_as_elsewhere(runs, outcome, settlement, left):
    runs.run("put", payload=1)
    context = runs.context()
    [message] = runs.call("take", "q", 1, 0, context=context)
    nacked = runs.call("nack", message, error(outcome), 60_000, 5, None, context=context)
    assert nacked == settlement
    state, attempts = left
    assert runs.states() == [(1, f":{state}", attempts)]
    if outcome in {"failed", "give-up"}:
        assert runs.run("listed")[0]["error"]["message"] == "it failed \ufffd"


def test_4_3_the_dead_are_requeued_or_deleted_and_only_they(runs):
    first, second = (runs.run("put", payload=number) for number in range(2))
    context = runs.context()
    [message] = runs.call("take", "q", 1, 0, context=context)
    runs.call("nack", message, error("give-up"), 0, 5, None, context=context)
    asked = runs.call("requeue", [first, second], context=context)
    assert [str(each["result"]) for each in asked] == [":requeued", ":refused"]
    assert runs.states() == [(0, ":pending", 0), (1, ":pending", 0)]
    runs.call("take", "q", 1, 0, context=context)
    deleted = runs.call("delete", [first, second], context=context)
    assert sorted(str(each["result"]) for each in deleted) == [":deleted", ":refused"]


def test_5_3_a_delayed_message_starts_when_it_is_due(runs):
    runs.run("put", payload=1, delay_ms=100)
    assert runs.call("take", "q", 1, 0, context=runs.context()) == []
    assert len(runs.call("take", "q", 1, 20_000, context=runs.context())) == 1


def test_2_8_it_refuses_what_other_queues_refuse(runs):
    context = runs.context()
    for act in (
        lambda: runs.call("take", "", 1, 0, context=context),
        lambda: runs.call("take", "q", 0, 0, context=context),
        lambda: runs.call("publish", "q", 1, -1, context=context),
        lambda: runs.call("publish", "q", {1: 2}, 0, context=context),
        lambda: runs.call("ack", {}, context=context),
    ):
        with pytest.raises(RunError) as caught:
            act()
        assert caught.value.code in {"invalid-argument", "invalid-payload"}


def test_5_6_a_forked_child_is_refused(runs):
    runs.run("put", payload=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            with pytest.raises(RunError, match="this is its child"):
                runs.call("take", "q", 1, 0, context=runs.context())
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_7_2_what_it_can_do_is_declared():
    assert package.capabilities == {"delays", "dead-letters", "wake-up"}
