"""QUEUES 4: handlings that end otherwise than well."""

from __future__ import annotations

import math

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError


def test_4_2_a_failed_message_is_tried_again_after_its_delay(queues, queue):
    published = queues.publish(queue, "again")
    assert queues.nack(queues.take_one(queue), retry_ms=60_000) == Keyword("retry")
    assert queues.counts(queue) == {"delayed": 1}
    assert queues.take(queue) == []
    [waiting] = queues.messages(queue)
    assert (waiting["id"], waiting["attempts"]) == (published, 1)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_4_2_max_attempts_means_exactly_so_many_claims(queues, queue, most):
    queues.publish(queue)
    settlements = []
    while "dead" not in settlements:
        settlements.append(queues.nack(queues.take_one(queue), max_attempts=most))
    assert settlements == [Keyword("retry")] * (most - 1) + [Keyword("dead")]
    assert queues.messages(queue)[0]["attempts"] == most


def test_4_1_the_error_is_kept_with_a_message_that_waits_and_one_that_is_dead(queues, queue):
    queues.publish(queue)
    error = {"type": "thrown", "message": "no stock", "place": "orders.edn:3:1"}
    expected = {"outcome": Keyword("failed"), **error}
    for most in (2, 2):
        queues.nack(queues.take_one(queue), max_attempts=most, **error)
        assert queues.messages(queue)[0]["error"] == expected


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("NUL \0 within", "NUL \ufffd within"),
        ("half \ud83d of a pair", "half \ufffd of a pair"),
        ("a \U0001f418 whole", "a \U0001f418 whole"),
        ("", ""),
        ("x" * 4_096, "x" * 4_096),
        ("x" * 4_097, "x" * 4_089 + "… [cut]"),
        ("🐘" * 5_000, "🐘" * 4_089 + "… [cut]"),
        (None, ""),
        (42, "42"),
    ],
    ids=["NUL", "surrogate", "pair", "empty", "limit", "over", "wide", "none", "number"],
)
def test_4_1_no_error_text_can_stop_a_queue(queues, queue, text, kept):
    queues.publish(queue)
    assert queues.nack(queues.take_one(queue), message=text) == Keyword("retry")
    assert queues.messages(queue)[0]["error"]["message"] == kept


def test_4_1_types_and_places_are_cleaned_too(queues, queue):
    queues.publish(queue)
    queues.nack(queues.take_one(queue), type="a\0b", place="p" * 5_000)
    error = queues.messages(queue)[0]["error"]
    assert error["type"] == "a\ufffdb"
    assert len(error["place"]) == 512


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


def test_4_1_values_that_cannot_even_be_shown_do_no_harm(queues, queue):
    queues.publish(queue)
    assert queues.nack(queues.take_one(queue), message=Unprintable()) == Keyword("retry")


@pytest.mark.parametrize("outcome", ["", "unknown", "dead"])
def test_4_1_an_unknown_outcome_is_refused_and_the_claim_stays(queues, queue, outcome):
    queues.publish(queue)
    message = queues.take_one(queue)
    with pytest.raises(RunError) as caught:
        queues.nack(message, outcome)
    assert caught.value.code == "invalid-argument"
    assert queues.ack(message) == Keyword("done")


def test_4_4_later_uses_no_attempt(queues, queue):
    queues.publish(queue)
    for _ in range(3):
        message = queues.take_one(queue)
        assert message["attempts"] == 1
        assert queues.nack(message, "later", delay_ms=0, max_attempts=1) == Keyword("retry")


def test_4_4_later_waits_out_its_own_delay(queues, queue):
    queues.publish(queue)
    queues.nack(queues.take_one(queue), "later", delay_ms=60_000, retry_ms=0)
    assert queues.counts(queue) == {"delayed": 1}


def test_4_4_later_without_a_delay_takes_that_of_retries(queues, queue):
    queues.publish(queue)
    queues.nack(queues.take_one(queue), "later", retry_ms=60_000)
    assert queues.counts(queue) == {"delayed": 1}


@pytest.mark.parametrize("delay", [-1, math.nan, math.inf, "soon"])
def test_4_4_a_delay_that_no_queue_keeps_counts_as_a_failure(queues, queue, delay):
    queues.publish(queue)
    settlement = queues.nack(queues.take_one(queue), "later", delay_ms=delay, max_attempts=1)
    assert settlement == Keyword("dead")
    error = queues.messages(queue)[0]["error"]
    assert error["outcome"] == Keyword("failed")
    assert "delay-ms must be" in error["message"]


def test_4_4_giving_up_is_dead_at_once_with_its_reason(queues, queue):
    queues.publish(queue)
    settlement = queues.nack(queues.take_one(queue), "give-up", message="no such customer")
    assert settlement == Keyword("dead")
    error = queues.messages(queue)[0]["error"]
    assert (error["outcome"], error["message"]) == (Keyword("give-up"), "no such customer")


def test_5_4_a_released_message_returns_to_its_old_place_and_uses_no_attempt(queues, queue):
    for name in ("first", "second", "third"):
        queues.publish(queue, name)
    first, second = queues.take(queue, batch=2)
    assert queues.nack(second, "released") == Keyword("retry")
    assert queues.nack(first, "released") == Keyword("retry")
    taken = queues.take(queue)
    assert [(m["payload"], m["attempts"]) for m in taken] == [
        ("first", 1),
        ("second", 1),
        ("third", 1),
    ]


def test_4_3_a_dead_message_stays_and_is_not_taken(queues, queue):
    queues.publish(queue)
    queues.nack(queues.take_one(queue), "give-up")
    assert queues.take(queue) == []
    assert queues.counts(queue) == {"dead": 1}
