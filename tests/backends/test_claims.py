"""QUEUES 3.1, 3.3, 3.4: who holds a message, until when, and how that is proved."""

from __future__ import annotations

from concurrent.futures import wait

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError


def test_3_1_a_held_message_is_not_handed_out_again(backend, queue):
    backend.user().publish(queue)
    first = backend.user()
    assert len(first.take(queue)) == 1
    assert backend.user().take(queue) == []
    assert first.counts(queue) == {"claimed": 1}


def test_3_1_many_takers_never_share_a_message(backend, queue, background):
    users = [backend.user() for _ in range(4)]
    published = {users[0].publish(queue, number) for number in range(60)}

    def drain(user):
        taken = []
        while messages := user.take(queue, batch=3):
            taken += [message["id"] for message in messages]
        return taken

    drained = [background(drain, user) for user in users]
    wait(drained)
    taken = [each for future in drained for each in future.result()]
    assert len(taken) == 60
    assert set(taken) == published


def test_3_6_messages_come_in_the_order_they_were_published(queues, queue):
    published = [queues.publish(queue, number) for number in range(25)]
    taken = []
    while messages := queues.take(queue, batch=10):
        taken += [message["id"] for message in messages]
    assert taken == published


def test_3_6_a_retried_message_waits_behind_others(queues, queue):
    for name in ("first", "second", "third"):
        queues.publish(queue, name)
    queues.nack(queues.take_one(queue, batch=1), retry_ms=0)
    order = [queues.take_one(queue, batch=1)["payload"] for _ in range(3)]
    assert order == ["second", "third", "first"]


def test_1_2_a_batch_is_never_exceeded(queues, queue):
    for number in range(5):
        queues.publish(queue, number)
    assert [len(queues.take(queue, batch=2)) for _ in range(4)] == [2, 2, 1, 0]


def test_3_3_every_take_has_a_token_of_its_own(queues, queue):
    tokens = set()
    for _ in range(3):
        queues.publish(queue)
        tokens.add(queues.take_one(queue)["token"])
    assert len(tokens) == 3


def test_3_1_an_acknowledged_message_is_gone(queues, queue):
    queues.publish(queue)
    assert queues.ack(queues.take_one(queue)) == Keyword("done")
    assert queues.counts(queue) == {}


SETTLEMENTS = {
    "ack": lambda user, message: user.ack(message),
    "failed": lambda user, message: user.nack(message, "failed"),
    "later": lambda user, message: user.nack(message, "later", delay_ms=0),
    "give-up": lambda user, message: user.nack(message, "give-up"),
    "released": lambda user, message: user.nack(message, "released"),
    "lapsed": lambda user, message: user.nack(message, "lapsed", max_attempts=1),
    "extend": lambda user, message: user.extend(message),
}


@pytest.fixture(params=SETTLEMENTS)
def settle(request):
    return SETTLEMENTS[request.param]


def test_3_3_an_outdated_claim_changes_nothing_while_another_holds(backend, queue, settle):
    slow, other = backend.user(), backend.user()
    slow.publish(queue)
    [outdated] = slow.lapse(queue)
    current = other.take_one(queue)
    assert current["id"] == outdated["id"]
    assert other.counts(queue) == {"claimed": 1}

    assert settle(slow, outdated) == Keyword("lost")

    after = other.messages(queue)
    assert [(m["state"], m["attempts"]) for m in after] == [(Keyword("claimed"), 2)]
    assert other.ack(current) == Keyword("done")


def test_3_1_a_claim_ends_at_its_deadline_though_nobody_took_over(queues, queue, settle):
    queues.publish(queue)
    [outdated] = queues.lapse(queue)
    assert settle(queues, outdated) == Keyword("lost")
    assert queues.counts(queue) == {"lapsed": 1}


@pytest.mark.parametrize("first", [name for name in SETTLEMENTS if name != "extend"])
def test_3_3_a_claim_is_settled_once(queues, queue, settle, first):
    queues.publish(queue)
    queues.publish(queue, "of the same take")
    message, mate = queues.take(queue)
    if first == "lapsed":
        queues.nack(message, "give-up")
    else:
        SETTLEMENTS[first](queues, message)
    assert settle(queues, message) == Keyword("lost")
    assert queues.ack(mate) == Keyword("done")


def test_3_4_an_extended_claim_lasts_longer(queues, queue):
    queues.publish(queue)
    [message] = queues.take(queue, visibility_ms=150)
    assert queues.extend(message, 60_000) == Keyword("done")
    # The wait is over after the first deadline, and nothing lapsed.
    assert queues.take(queue, wait_ms=300) == []
    assert queues.ack(message) == Keyword("done")


def test_3_4_extending_renews_the_whole_take(queues, queue):
    queues.publish(queue, 1)
    queues.publish(queue, 2)
    first, second = queues.take(queue, visibility_ms=150)
    queues.extend(first, 60_000)
    assert queues.take(queue, wait_ms=300) == []
    assert queues.ack(second) == Keyword("done")
    assert queues.extend(first, 60_000) == Keyword("done")


def test_3_1_extending_never_shortens_a_claim(queues, queue):
    queues.publish(queue)
    [message] = queues.take(queue, visibility_ms=60_000)
    assert queues.extend(message, 1) == Keyword("done")
    assert queues.take(queue, wait_ms=50) == []
    assert queues.ack(message) == Keyword("done")


def test_3_3_a_settled_batch_mate_is_lost_to_extend(queues, queue):
    queues.publish(queue, 1)
    queues.publish(queue, 2)
    first, second = queues.take(queue)
    queues.ack(first)
    assert queues.extend(second) == Keyword("done")
    assert queues.extend(first) == Keyword("lost")


@pytest.mark.parametrize("message", [None, {}, "text", {"id": 1, "token": 2}])
def test_2_8_only_a_taken_message_can_be_settled(queues, message, settle):
    with pytest.raises(RunError) as caught:
        settle(queues, message)
    assert caught.value.code == "invalid-argument"
