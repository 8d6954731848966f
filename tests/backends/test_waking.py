"""QUEUES 5.1–5.4: who waits is woken: by work, by the clock, or by a stop. No wait here polls:
each take could wait a minute, and a test fails when it does.
"""

from __future__ import annotations

from concurrent.futures import wait
from time import monotonic

import pytest

from graphden.errors import Cancelled

MINUTE = 60_000
SOON = 5.0
"""Seconds: far below the wait of the takes here, and enough for a busy machine."""


def test_5_1_an_idle_consumer_wakes_at_once(backend, queue, background):
    consumer, publisher = backend.user(), backend.user()
    taking = background(consumer.take, queue, 10, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    published = publisher.publish(queue)
    [message] = taking.result(timeout=SOON)
    assert message["id"] == published


@pytest.mark.parametrize("name", ["'; NOTIFY x; --", "🐘" * 120, "a\nb", "UPPER lower"])
def test_5_2_no_queue_name_can_break_the_waking(backend, queue, background, name):
    consumer, publisher = backend.user(), backend.user()
    taking = background(consumer.take, name + queue, 10, 30_000, MINUTE)
    backend.wait_until_idle(name + queue)
    publisher.publish(name + queue)
    assert len(taking.result(timeout=SOON)) == 1


def test_5_1_idle_workers_all_start_when_there_is_work_for_each(backend, queue, background):
    consumers = [backend.user() for _ in range(5)]
    taking = [background(user.take, queue, 1, 30_000, MINUTE) for user in consumers]
    backend.wait_until_idle(queue, 5)
    publisher = backend.user()
    published = {publisher.publish(queue, number) for number in range(5)}
    wait(taking, timeout=SOON)
    assert {message["id"] for future in taking for message in future.result(0)} == published


def test_5_1_threads_of_one_process_all_start(backend, queue, background):
    consumer = backend.user()
    taking = [background(consumer.take, queue, 1, 30_000, MINUTE) for _ in range(4)]
    backend.wait_until_idle(queue, 4)
    publisher = backend.user()
    published = {publisher.publish(queue, number) for number in range(4)}
    wait(taking, timeout=SOON)
    assert {message["id"] for future in taking for message in future.result(0)} == published


def test_5_1_work_of_another_queue_wakes_nobody_for_nothing(backend, queue, background):
    consumer, publisher = backend.user(), backend.user()
    taking = background(consumer.take, queue, 1, 30_000, 300)
    backend.wait_until_idle(queue)
    publisher.publish(f"{queue}-other")
    assert taking.result(timeout=SOON) == []


@pytest.mark.parametrize("delay_ms", [1, 120])
def test_5_3_a_delayed_message_starts_when_it_is_due(backend, queue, background, delay_ms):
    consumer, publisher = backend.user(), backend.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    before = monotonic()
    publisher.publish(queue, 1, delay_ms=delay_ms)
    assert len(taking.result(timeout=SOON)) == 1
    assert monotonic() - before >= delay_ms / 1000


def test_5_3_one_that_was_delayed_before_the_take_starts_when_it_is_due(queues, queue):
    before = monotonic()
    queues.publish(queue, 1, delay_ms=150)
    assert len(queues.take(queue, wait_ms=MINUTE)) == 1
    assert 0.15 <= monotonic() - before < SOON


def test_5_3_a_delayed_message_does_not_come_early(queues, queue):
    queues.publish(queue, 1, delay_ms=MINUTE)
    assert queues.take(queue, wait_ms=50) == []


def test_4_2_a_retry_wakes_another_worker_when_it_is_due(backend, queue, background):
    failing, idle = backend.user(), backend.user()
    failing.publish(queue)
    message = failing.take_one(queue)
    taking = background(idle.take, queue, 1, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    before = monotonic()
    failing.nack(message, retry_ms=100)
    assert taking.result(timeout=SOON)[0]["attempts"] == 2
    assert monotonic() - before >= 0.1


def test_5_4_a_released_message_starts_elsewhere_at_once(backend, queue, background):
    stopping, idle = backend.user(), backend.user()
    stopping.publish(queue)
    message = stopping.take_one(queue)
    taking = background(idle.take, queue, 1, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    stopping.nack(message, "released")
    assert taking.result(timeout=SOON)[0]["id"] == message["id"]


def test_3_2_a_lapsed_message_is_handed_out_when_its_claim_runs_out(backend, queue):
    dying, other = backend.user(), backend.user()
    dying.publish(queue)
    before = monotonic()
    dying.take(queue, visibility_ms=200)
    [message] = other.take(queue, wait_ms=MINUTE)
    assert message["lapsed"]
    assert 0.2 <= monotonic() - before < SOON


def test_3_2_also_to_a_worker_that_was_idle_when_the_claim_was_made(backend, queue, background):
    idle = [backend.user() for _ in range(2)]
    taking = [background(user.take, queue, 1, 300, MINUTE) for user in idle]
    backend.wait_until_idle(queue, 2)
    backend.user().publish(queue)
    wait(taking, timeout=SOON)
    lapsed = sorted(message["lapsed"] for future in taking for message in future.result(0))
    assert lapsed == [False, True]


def test_1_2_a_take_without_work_ends_with_its_wait(queues, queue):
    before = monotonic()
    assert queues.take(queue, wait_ms=120) == []
    assert 0.12 <= monotonic() - before < SOON


def test_5_4_a_stop_ends_the_wait(backend, queue, background):
    consumer = backend.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    consumer.context.request_stop()
    assert taking.result(timeout=SOON) == []


def test_5_4_after_a_stop_nothing_is_claimed(queues, queue):
    queues.publish(queue)
    queues.context.request_stop()
    assert queues.take(queue, wait_ms=MINUTE) == []
    assert queues.counts(queue) == {"pending": 1}


def test_5_4_after_a_stop_what_is_held_can_be_settled(queues, queue):
    queues.publish(queue, 1)
    queues.publish(queue, 2)
    first, second = queues.take(queue)
    queues.context.request_stop()
    assert queues.ack(first) == "done"
    assert queues.nack(second, "released") == "retry"


def test_7_5_a_cancel_ends_the_wait(backend, queue, background):
    consumer = backend.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    consumer.context.cancel()
    with pytest.raises(Cancelled):
        taking.result(timeout=SOON)
