"""QUEUES 4.3, 8.1: what operators see and do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic
from uuid import uuid4

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden_postgres import operating, taking


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


# Purge


@pytest.mark.parametrize("state", STATES)
def test_8_1_purge_deletes_one_state(queues, queue, state):
    for each in STATES:
        in_state(queues, f"{queue}-{each}", each)
        result = queues.purge(f"{queue}-{each}", state, force=True)
        assert result["purged"] == (each == state)
        assert queues.counts(f"{queue}-{each}") == ({} if each == state else {each: 1})


def test_8_1_purge_deletes_all_but_what_consumers_hold(queues, queue):
    for state in ("dead", "lapsed", "claimed", "delayed", "pending"):
        in_state(queues, queue, state)
    message = queues.messages(queue, "claimed")[0]
    assert queues.purge(queue) == {"queue": queue, "purged": 4, "held": 1}
    assert queues.counts(queue) == {"claimed": 1}
    assert queues.messages(queue)[0]["id"] == message["id"]


def test_8_1_claimed_messages_are_purged_only_with_force(queues, queue):
    queues.publish(queue)
    message = queues.take_one(queue)
    with pytest.raises(RunError, match="claimed is purged only with force"):
        queues.purge(queue, "claimed")
    assert queues.ack(message) in {Keyword("done"), Keyword("accepted")}


@pytest.mark.parametrize("settle", ["ack", "nack", "extend"])
def test_3_3_a_forced_purge_voids_the_claim(queues, queue, settle):
    queues.publish_many(queue, [1, 2])
    [first, second] = queues.take(queue, visibility_ms=300)
    assert queues.purge(queue, "claimed", force=True) == {
        "queue": queue, "purged": 2, "held": 0,
    }  # fmt: skip
    if settle != "ack":
        assert getattr(queues, settle)(first) == Keyword("lost")
        assert getattr(queues, settle)(second) == Keyword("lost")
    assert queues.take(queue) == []
    assert queues.counts(queue) == {}


def test_3_3_an_ack_of_what_was_purged_is_lost(backend, queue):
    user = backend.user()
    user.publish(queue)
    message = user.take_one(queue)
    assert user.purge(queue, force=True)["purged"] == 1
    assert user.ack(message) == Keyword("lost")


def test_8_1_purge_of_a_long_backlog_is_complete(queues, queue, monkeypatch):
    monkeypatch.setattr(operating, "_PURGED_AT_ONCE", 7)
    queues.publish_many(queue, list(range(100)))
    queues.publish_many(queue, list(range(30)), delay_ms=60_000)
    assert queues.purge(queue) == {"queue": queue, "purged": 130, "held": 0}
    assert queues.counts(queue) == {}


def test_8_1_purge_leaves_other_queues_and_keys(queues, queue):
    other = queues.publish(f"{queue}-2", 1)
    first = queues.publish(queue, 1, key="k")
    queues.purge(queue)
    assert [m["id"] for m in queues.messages(f"{queue}-2")] == [other]
    assert queues.publish(queue, 1, key="k") == first
    assert queues.counts(queue) == {}


def test_8_1_purge_of_a_queue_that_is_not_there(queues, queue):
    assert queues.purge(queue) == {"queue": queue, "purged": 0, "held": 0}


# Pause and resume


def test_8_1_a_paused_queue_hands_out_nothing_and_takes_everything(queues, queue):
    queues.publish(queue, 1)
    queues.pause(queue)
    queues.publish(queue, 2)
    queues.publish(queue, 3, delay_ms=1)
    assert queues.take(queue, wait_ms=30) == []
    assert queues.listed(queue)["paused"] is True
    queues.resume(queue)
    queues.resume(queue)
    assert queues.listed(queue)["paused"] is False
    taken = [queues.take_one(queue, batch=1)["payload"] for _ in range(3)]
    assert taken == [1, 2, 3]


def test_8_1_a_queue_can_be_paused_before_its_first_message(queues, queue):
    queues.pause(queue)
    queues.publish(queue)
    assert queues.take(queue) == []
    assert queues.counts(queue) == {"pending": 1}


def test_8_1_a_pause_outlives_who_made_it(postgres, queue):
    postgres.user().pause(queue)
    postgres.user().publish(queue)
    assert postgres.user().take(queue) == []


def test_8_1_what_is_held_is_renewed_and_settled_while_paused(queues, queue):
    queues.publish_many(queue, [1, 2, 3])
    [first, second, third] = queues.take(queue)
    queues.pause(queue)
    assert queues.extend(first) == Keyword("done")
    assert queues.ack(first) in {Keyword("done"), Keyword("accepted")}
    assert queues.nack(second) == Keyword("retry")
    assert queues.nack(third, "give-up") == Keyword("dead")
    assert queues.take(queue, wait_ms=20) == []
    queues.resume(queue)
    assert queues.take_one(queue)["id"] == second["id"]


def test_8_1_a_lapsed_message_waits_for_the_resume(queues, queue):
    queues.publish(queue)
    queues.lapse(queue)
    queues.pause(queue)
    assert queues.take(queue, wait_ms=20) == []
    queues.resume(queue)
    assert queues.take_one(queue)["lapsed"]


def test_8_1_a_resume_wakes_waiting_consumers(backend, queue, background):
    operator, consumer = backend.user(), backend.user()
    operator.pause(queue)
    published = operator.publish(queue)
    taking = background(consumer.take, queue, 1, 30_000, 60_000)
    backend.wait_until_idle(queue)
    operator.resume(queue)
    assert taking.result(timeout=5)[0]["id"] == published


# How long the dead stay


def test_4_3_the_dead_stay_unless_a_time_is_set(queues, queue):
    in_state(queues, queue, "dead")
    assert queues.listed(queue)["keep-dead-ms"] is None
    queues.retain(queue, 3_600_000)
    assert queues.listed(queue)["keep-dead-ms"] == 3_600_000
    queues.retain(queue)
    assert queues.listed(queue)["keep-dead-ms"] is None
    assert queues.counts(queue) == {"dead": 1}


def test_4_3_after_that_time_they_are_deleted_and_nothing_else(queues, queue):
    others = ["claimed", "delayed", "pending"]
    for state in ("dead", *others):
        in_state(queues, queue, state)
    in_state(queues, f"{queue}-2", "dead")
    queues.retain(queue, 0)
    assert queues.counts(queue) == dict.fromkeys(others, 1)
    assert queues.counts(f"{queue}-2") == {"dead": 1}


def test_4_3_consumers_delete_them_when_their_time_is_over(postgres, queue, monkeypatch):
    monkeypatch.setattr(taking, "_SWEEP_SECONDS", 0.0)
    user = postgres.user()
    user.retain(queue, 1)
    in_state(user, queue, "dead")
    ends = monotonic() + 10
    while user.counts(queue):
        assert monotonic() < ends
        user.take(queue)


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "1", True])
def test_2_8_a_time_to_keep_the_dead_must_be_one(queues, queue, bad):
    with pytest.raises(RunError) as caught:
        queues.retain(queue, bad)
    assert (caught.value.code, caught.value.data) == ("invalid-argument", {"slot": "dead-ms"})


@pytest.mark.parametrize("act", ["purge", "pause", "resume", "retain"])
def test_2_7_operators_name_queues_as_publishers_do(queues, act):
    with pytest.raises(RunError) as caught:
        getattr(queues, act)("")
    assert caught.value.data == {"slot": "queue"}
    name = "'; DROP TABLE x; -- " + "🐘" * 100
    getattr(queues, act)(name)


# Rates


def test_8_1_the_rate_counts_what_was_taken_in_the_last_minute(backend, queue):
    operator, consumer = backend.user(), backend.user()
    operator.publish_many(queue, list(range(25)))
    assert operator.listed(queue)["rate"] == 0
    while consumer.take(queue, batch=10):
        pass
    # What was counted within the last second is told at the end.
    if backend.url is not None:
        consumer.context.resources.close()
    assert operator.listed(queue)["rate"] == 25
