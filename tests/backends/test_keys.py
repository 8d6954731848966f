"""QUEUES 2.2: a key makes publishing again safe."""

from __future__ import annotations

from concurrent.futures import wait

import pytest

from graphden.errors import RunError


def test_2_2_the_same_key_again_stores_nothing(queues, queue):
    first = queues.publish(queue, {"a": 1, "b": 2}, key="order-7")
    assert queues.publish(queue, {"b": 2, "a": 1}, key="order-7") == first
    assert queues.counts(queue) == {"pending": 1}


def test_2_2_a_key_is_remembered_after_its_message_is_gone(queues, queue):
    first = queues.publish(queue, 1, key="k")
    queues.ack(queues.take_one(queue))
    assert queues.publish(queue, 1, key="k") == first
    assert queues.counts(queue) == {}


@pytest.mark.parametrize("other", [2, "1", 1.0, [1], None])
def test_2_2_another_payload_is_a_conflict_that_names_the_first_message(queues, queue, other):
    first = queues.publish(queue, 1, key="k")
    with pytest.raises(RunError) as caught:
        queues.publish(queue, other, key="k")
    assert (caught.value.code, caught.value.data) == ("key-conflict", {"id": first})
    assert queues.counts(queue) == {"pending": 1}


def test_2_2_keys_belong_to_their_queue(queues, queue):
    first = queues.publish(queue, 1, key="k")
    assert queues.publish(f"{queue}-2", 2, key="k") != first
    assert queues.publish(queue, 1, key="K") != first


def test_2_2_of_many_at_once_one_is_stored(backend, queue, background):
    users = [backend.user() for _ in range(8)]
    published = [background(user.publish, queue, 1, 0, "k") for user in users]
    wait(published)
    assert len({future.result() for future in published}) == 1
    assert users[0].counts(queue) == {"pending": 1}


@pytest.mark.parametrize("key", ["", "x" * 201, 7, "\0"])
def test_2_2_a_key_is_text_like_a_name(queues, queue, key):
    with pytest.raises(RunError) as caught:
        queues.publish(queue, 1, key=key)
    assert (caught.value.code, caught.value.data) == ("invalid-argument", {"slot": "key"})


def test_2_2_a_key_that_has_expired_is_free(postgres, queue):
    user = postgres.user()
    first = user.publish(queue, 1, key="k")
    postgres.ask(
        "UPDATE graphden.queue_key SET expires_at = now() WHERE message_id = %s", first
    )
    second = user.publish(queue, 2, key="k")
    assert second != first
    assert user.publish(queue, 2, key="k") == second
