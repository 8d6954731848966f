"""QUEUES 4.3, 8.1: what operators see and do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError


def in_state(queues, queue, state):
    """Publish a message and bring it into a state; its id."""
    published = queues.publish(queue, state, delay_ms=60_000 if state == "delayed" else 0)
    match state:
        case "claimed":
            queues.take_one(queue)
        case "lapsed":
            queues.lapse(queue)
        case "dead":
            queues.nack(queues.take_one(queue), "give-up")
    return published


STATES = ["pending", "delayed", "claimed", "lapsed", "dead"]


@pytest.mark.parametrize("state", STATES)
def test_8_1_a_message_is_listed_with_its_state(queues, queue, state):
    published = in_state(queues, queue, state)
    [listed] = queues.messages(queue)
    assert listed["id"] == published
    assert listed["state"] == Keyword(state)
    assert listed["payload"] == state
    assert listed["attempts"] == (0 if state in {"pending", "delayed"} else 1)
    assert queues.counts(queue) == {state: 1}
    assert queues.messages(queue, state) == [listed]
    assert [queues.messages(queue, other) for other in STATES if other != state] == [[]] * 4


def test_8_1_listed_times_are_those_of_the_message(queues, queue):
    before = datetime.now(UTC)
    queues.publish(queue, 1, delay_ms=3_600_000)
    [delayed] = queues.messages(queue)
    assert abs(delayed["published"] - before) < timedelta(seconds=5)
    assert abs(delayed["due"] - before - timedelta(hours=1)) < timedelta(seconds=5)
    assert delayed["claimed-until"] is None


def test_8_1_a_claimed_message_shows_until_when(queues, queue):
    before = datetime.now(UTC)
    queues.publish(queue)
    queues.take(queue, visibility_ms=3_600_000)
    until = queues.messages(queue)[0]["claimed-until"]
    assert abs(until - before - timedelta(hours=1)) < timedelta(seconds=5)


def test_8_1_listings_are_oldest_first_and_limited(queues, queue):
    published = [queues.publish(queue, number) for number in range(5)]
    assert [m["id"] for m in queues.messages(queue, limit=3)] == published[:3]


def test_8_1_the_age_of_the_oldest_counts_from_its_publishing(queues, queue):
    queues.publish(queue)
    [counts] = [each for each in queues.list() if each["queue"] == queue]
    assert 0 <= counts["oldest-ms"] < 5_000
    queues.take(queue)
    [counts] = [each for each in queues.list() if each["queue"] == queue]
    assert counts["oldest-ms"] is None


def test_4_3_a_requeued_message_is_the_same_with_a_new_life(queues, queue):
    trace = queues.context.trace_id = uuid4()
    published = in_state(queues, queue, "dead")
    [change] = queues.requeue(published)
    assert change == {"id": published, "result": Keyword("requeued"), "reason": None}
    [listed] = queues.messages(queue)
    assert (listed["id"], listed["state"], listed["attempts"], listed["error"]) == (
        published,
        Keyword("pending"),
        0,
        None,
    )
    again = queues.take_one(queue)
    assert (again["id"], again["attempts"], again["trace-id"]) == (published, 1, trace)


@pytest.mark.parametrize("state", [state for state in STATES if state != "dead"])
def test_4_3_only_the_dead_are_requeued(queues, queue, state):
    published = in_state(queues, queue, state)
    [change] = queues.requeue(published)
    assert change["result"] == Keyword("refused")
    assert change["reason"].startswith("it is not dead: ")
    assert queues.counts(queue) == {state: 1}


@pytest.mark.parametrize("state", [state for state in STATES if state != "claimed"])
def test_4_3_what_nobody_holds_is_deleted(queues, queue, state):
    published = in_state(queues, queue, state)
    [change] = queues.delete(published)
    assert change == {"id": published, "result": Keyword("deleted"), "reason": None}
    assert queues.counts(queue) == {}
    assert queues.take(queue) == []


def test_3_3_a_live_claim_is_not_deleted(queues, queue):
    published = queues.publish(queue)
    message = queues.take_one(queue)
    [change] = queues.delete(published)
    assert (change["result"], change["reason"]) == (
        Keyword("refused"),
        "a consumer holds it",
    )
    assert queues.ack(message) == Keyword("done")


def test_4_3_many_ids_are_answered_one_by_one_in_their_order(queues, queue):
    pending = queues.publish(queue)
    unknown = uuid4()
    other = f"{queue}-2"
    dead = [in_state(queues, other, "dead") for _ in range(2)]
    asked = [dead[1], unknown, str(dead[0]).upper(), pending, dead[1]]
    results = [(change["id"], change["result"]) for change in queues.requeue(*asked)]
    assert results == [
        (dead[1], Keyword("requeued")),
        (unknown, Keyword("missing")),
        (dead[0], Keyword("requeued")),
        (pending, Keyword("refused")),
    ]


def test_4_3_no_ids_change_nothing(queues):
    assert queues.requeue() == []
    assert queues.delete() == []


@pytest.mark.parametrize("bad", ["not a uuid", 7, None])
def test_2_8_ids_are_uuids(queues, bad):
    for act in (queues.requeue, queues.delete):
        with pytest.raises(RunError) as caught:
            act(bad)
        assert (caught.value.code, caught.value.data) == ("invalid-argument", {"slot": "ids"})


def test_8_1_a_state_to_list_must_be_one(queues, queue):
    with pytest.raises(RunError, match="pending, delayed, claimed, lapsed, dead"):
        queues.messages(queue, "done")


def test_5_1_a_requeued_message_wakes_a_waiting_consumer(backend, queue, background):
    operator, consumer = backend.user(), backend.user()
    published = in_state(operator, queue, "dead")
    taking = background(consumer.take, queue, 1, 30_000, 60_000)
    backend.wait_until_idle(queue)
    operator.requeue(published)
    [message] = taking.result(timeout=5)
    assert message["id"] == published
