"""QUEUES 3.1, 5.1 under races: many short rounds in which the order of two things is open."""

from __future__ import annotations

import random
import threading
from collections import Counter
from time import monotonic

import pytest

from graphden_postgres import taking

MINUTE = 60_000
SOON = 10.0
ROUNDS = 150


def test_5_1_no_wake_up_is_lost_however_a_publish_and_an_idle_mark_fall(
    backend, queue, background, monkeypatch
):
    """Each round publishes when the consumer is about to wait. It may not look again by itself,
    so a lost wake-up lasts a minute.
    """
    monkeypatch.setattr(taking, "_SECOND_LOOK_SECONDS", float("inf"))
    consumer, publisher = backend.user(), backend.user()
    began = threading.Semaphore(0)

    def consume():
        taken = []
        for _ in range(ROUNDS):
            began.release()
            [message] = consumer.take(queue, 1, 30_000, MINUTE)
            consumer.ack(message)
            taken.append(message["id"])
        return taken

    consuming = background(consume)
    published = []
    chance = random.Random(7)
    for _ in range(ROUNDS):
        assert began.acquire(timeout=SOON)
        ends = monotonic() + chance.uniform(0, 0.004)
        while monotonic() < ends:
            pass
        published.append(publisher.publish(queue))
    assert consuming.result(timeout=SOON) == published


@pytest.mark.parametrize("batch", [1, 7])
def test_3_1_workers_that_fail_stall_and_settle_lose_nothing_and_share_nothing(
    backend, queue, background, batch
):
    """Workers settle a message, fail it, release it or let its claim run out, as chance has it.
    One settlement of each message says `:done`, and only one.
    """
    users = [backend.user() for _ in range(4)]
    published = {users[0].publish(queue, number) for number in range(40)}
    done = Counter()

    def work(user, seed):
        chance = random.Random(seed)
        while messages := user.take(queue, batch, 60, 500):
            for message in messages:
                match chance.random():
                    case stalls if stalls < 0.2:
                        pass
                    case fails if fails < 0.4:
                        user.nack(message, "failed", retry_ms=5, max_attempts=1_000)
                    case releases if releases < 0.5:
                        user.nack(message, "released")
                    case _:
                        if chance.random() < 0.3:
                            user.extend(message, 60)
                        if user.ack(message) == "done":
                            done[message["id"]] += 1

    working = [background(work, user, seed) for seed, user in enumerate(users)]
    for each in working:
        each.result(timeout=50)
    assert done == Counter(published)
    assert users[0].counts(queue) == {}
