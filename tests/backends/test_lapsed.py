"""QUEUES 3.2: a claim that ran out unsettled. A message that kills its workers is found out."""

from __future__ import annotations

from graphden.edn import Keyword


def test_3_2_attempts_count_at_the_claim(queues, queue):
    queues.publish(queue)
    assert queues.lapse(queue)[0]["attempts"] == 1
    assert queues.take_one(queue)["attempts"] == 2


def test_3_2_a_lapsed_message_says_so_and_a_fresh_one_does_not(queues, queue):
    queues.publish(queue)
    assert queues.lapse(queue)[0]["lapsed"] is False
    assert queues.take_one(queue)["lapsed"] is True


def test_3_2_lapsed_messages_come_alone_and_with_a_claim_each(queues, queue):
    published = [queues.publish(queue, number) for number in range(3)]
    queues.lapse(queue)
    takes = [queues.take_one(queue, batch=10) for _ in range(3)]
    assert [message["id"] for message in takes] == published
    assert len({message["token"] for message in takes}) == 3


def test_3_2_settled_batch_mates_do_not_come_again(queues, queue):
    queues.publish(queue, 1)
    queues.publish(queue, 2)
    first, second = queues.take(queue, visibility_ms=200)
    assert queues.ack(first) == Keyword("done")
    again = queues.take_one(queue)
    assert again["id"] == second["id"]
    assert queues.take(queue) == []


def test_3_2_a_lapsed_message_with_attempts_left_is_held_and_its_claim_goes_on(queues, queue):
    queues.publish(queue)
    queues.lapse(queue)
    message = queues.take_one(queue)
    assert queues.nack(message, "lapsed", max_attempts=5) == Keyword("held")
    assert queues.counts(queue) == {"claimed": 1}
    assert queues.ack(message) == Keyword("done")


def test_3_2_a_message_that_kills_its_workers_is_dead_after_exactly_its_attempts(queues, queue):
    queues.publish(queue)
    handled = 0
    while True:
        message = queues.take_one(queue, visibility_ms=40)
        if message["lapsed"]:
            settlement = queues.nack(message, "lapsed", max_attempts=3)
            if settlement == "dead":
                break
            assert settlement == "held"
        handled += 1  # … and here the worker dies
    assert handled == 3
    [dead] = queues.messages(queue)
    assert (dead["state"], dead["attempts"]) == (Keyword("dead"), 3)
    assert dead["error"]["outcome"] == Keyword("lapsed")
    assert "workers that ended" in dead["error"]["message"]


def test_3_2_batch_mates_of_a_killer_live_on(queues, queue):
    queues.publish(queue, "killer")
    queues.publish(queue, "mate")
    queues.lapse(queue)
    taken = [queues.take_one(queue, batch=10) for _ in range(2)]
    settlements = {
        message["payload"]: queues.nack(message, "lapsed", max_attempts=1)
        if message["payload"] == "killer"
        else queues.ack(message)
        for message in taken
    }
    assert settlements == {"killer": Keyword("dead"), "mate": Keyword("done")}


def test_3_2_a_lapsed_message_that_is_released_comes_alone_again(queues, queue):
    queues.publish(queue, "killer")
    queues.lapse(queue)
    assert queues.nack(queues.take_one(queue), "released") == Keyword("retry")
    queues.publish(queue, "mate")
    taken = [queues.take_one(queue, batch=10) for _ in range(2)]
    found = {m["payload"]: (m["lapsed"], m["attempts"]) for m in taken}
    assert found == {"killer": (True, 2), "mate": (False, 1)}
