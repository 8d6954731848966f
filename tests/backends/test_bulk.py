"""QUEUES 2.3: many messages in one call: all or none, and an error names the item."""

from __future__ import annotations

import math
from concurrent.futures import wait

import pytest

from graphden.errors import RunError
from graphden_contract import payloads


def payloads_in(queues, queue):
    return [message["payload"] for message in queues.take(queue, batch=1_000)]


def test_2_3_all_are_stored_in_their_order(queues, queue):
    published = queues.publish_many(queue, [{"n": n} for n in range(500)])
    taken = queues.take(queue, batch=1_000)
    assert [message["id"] for message in taken] == published
    assert [message["payload"]["n"] for message in taken] == [*range(500)]
    assert len({*published}) == 500


def test_2_3_they_come_behind_those_before_and_before_those_after(queues, queue):
    queues.publish(queue, 1)
    queues.publish_many(queue, [2, 3])
    queues.publish(queue, 4)
    assert payloads_in(queues, queue) == [1, 2, 3, 4]


def test_2_3_none_is_a_list_too(queues, queue):
    assert queues.publish_many(queue, []) == []
    assert queues.publish_many(queue, [], keys=[]) == []
    assert queues.take(queue) == []


def test_2_3_a_delay_is_that_of_all(queues, queue):
    queues.publish_many(queue, [1, 2], delay_ms=60_000)
    assert queues.counts(queue) == {"delayed": 2}


def test_2_3_one_bad_item_is_named_and_nothing_is_stored(queues, queue):
    queues.publish(queue, "before")
    with pytest.raises(RunError, match=r"^item 2: the payload") as caught:
        queues.publish_many(queue, [1, 2, {"a": [math.nan]}, {1: 1}])
    assert caught.value.code == "invalid-payload"
    assert caught.value.data == {"item": 2, "path": ["a", 0]}
    assert queues.counts(queue) == {"pending": 1}


def test_2_3_one_that_is_too_large_is_named(queues, queue):
    with pytest.raises(RunError) as caught:
        queues.publish_many(queue, [1, "x" * 1_048_576])
    assert caught.value.code == "payload-too-large"
    assert caught.value.data == {"item": 1, "size": 1_048_578, "limit": 1_048_576}


def test_2_8_the_whole_has_a_stated_limit(queues, queue, monkeypatch):
    with pytest.raises(RunError, match="at most 10,000, not 10,001"):
        queues.publish_many(queue, [1] * 10_001)
    monkeypatch.setattr(payloads, "MAX_BULK_BYTES", 10)
    with pytest.raises(RunError) as caught:
        queues.publish_many(queue, ["abcd", "abcd"])
    assert (caught.value.code, caught.value.data) == (
        "payload-too-large",
        {"size": 12, "limit": 10},
    )
    assert queues.take(queue) == []


@pytest.mark.parametrize("bad", [None, "ab", {"a": 1}, 7])
def test_2_8_payloads_are_a_list(queues, queue, bad):
    with pytest.raises(RunError) as caught:
        queues.publish_many(queue, bad)
    assert (caught.value.code, caught.value.data) == ("invalid-argument", {"slot": "payloads"})


@pytest.mark.parametrize(
    ("keys", "data"),
    [
        (["a"], {"slot": "keys"}),
        (["a", "b", "c"], {"slot": "keys"}),
        ("ab", {"slot": "keys"}),
        (["a", ""], {"item": 1, "slot": "key"}),
        (["a", None], {"item": 1, "slot": "key"}),
        (["\0", "b"], {"item": 0, "slot": "key"}),
    ],
)
def test_2_8_keys_are_one_text_for_each(queues, queue, keys, data):
    with pytest.raises(RunError) as caught:
        queues.publish_many(queue, [1, 2], keys=keys)
    assert (caught.value.code, caught.value.data) == ("invalid-argument", data)
    assert queues.take(queue) == []


def test_2_2_each_key_works_as_that_of_one_message(queues, queue):
    first = queues.publish(queue, "b", key="kb")
    published = queues.publish_many(queue, ["a", "b", "a"], keys=["ka", "kb", "ka"])
    assert published == [published[0], first, published[0]]
    assert queues.publish(queue, "a", key="ka") == published[0]
    assert payloads_in(queues, queue) == ["b", "a"]


def test_2_2_new_ones_are_stored_in_their_order_whatever_their_keys(queues, queue):
    queues.publish_many(queue, [1, 2, 3], keys=["c", "a", "b"])
    assert payloads_in(queues, queue) == [1, 2, 3]


def test_2_2_a_conflict_names_item_and_message_and_stores_no_key(queues, queue):
    first = queues.publish(queue, "old", key="kb")
    with pytest.raises(RunError, match=r"^item 1: the key 'kb'") as caught:
        queues.publish_many(queue, ["a", "b"], keys=["ka", "kb"])
    assert (caught.value.code, caught.value.data) == ("key-conflict", {"item": 1, "id": first})
    assert queues.counts(queue) == {"pending": 1}
    queues.publish(queue, "other", key="ka")


def test_2_2_a_conflict_inside_of_one_call(queues, queue):
    with pytest.raises(RunError) as caught:
        queues.publish_many(queue, ["a", "b"], keys=["k", "k"])
    assert (caught.value.code, caught.value.data["item"]) == ("key-conflict", 1)
    assert queues.take(queue) == []


def test_2_2_calls_that_share_keys_in_other_orders_do_not_block_each_other(
    backend, queue, background
):
    users = [backend.user() for _ in range(6)]
    keys = [f"k{number}" for number in range(200)]
    published = []
    for number, user in enumerate(users):
        order = keys if number % 2 else keys[::-1]
        published.append(background(user.publish_many, queue, order, 0, order))
    wait(published)
    ids = [dict(zip(keys, each.result(), strict=True)) for each in published[1::2]]
    assert ids[0] == ids[1] == ids[2]
    assert [*ids[0].values()] == published[0].result()[::-1]
    assert users[0].counts(queue) == {"pending": 200}


def test_5_1_all_idle_workers_wake(backend, queue, background):
    workers = [backend.user() for _ in range(3)]
    taking = [background(worker.take, queue, 1, 30_000, 60_000) for worker in workers]
    backend.wait_until_idle(queue, 3)
    published = backend.user().publish_many(queue, [1, 2, 3])
    taken = {each.result(timeout=5)[0]["id"] for each in taking}
    assert taken == {*published}


def test_2_1_stored_though_the_answer_was_lost(remote, proxy, queue):
    remote.publish_many(queue, ["before"])
    proxy.cut_answer()
    published = remote.publish_many(queue, ["a", "b"])
    assert [message["id"] for message in remote.messages(queue)][1:] == published


def test_2_1_unknown_when_none_is_found(remote, proxy, queue):
    remote.publish_many(queue, ["before"])
    proxy.cut_request()
    with pytest.raises(RunError, match="the messages were stored") as caught:
        remote.publish_many(queue, ["a", "b"])
    assert caught.value.code == "publish-unknown"
    assert len(caught.value.data["ids"]) == 2
    assert remote.counts(queue) == {"pending": 1}


@pytest.mark.parametrize("cut", ["cut_answer", "cut_request"])
def test_2_2_with_keys_it_is_repeated_safely(remote, proxy, queue, cut):
    remote.publish_many(queue, ["before"], keys=["b"])
    getattr(proxy, cut)()
    published = remote.publish_many(queue, ["a", "b"], keys=["1", "2"])
    assert [message["id"] for message in remote.messages(queue)][1:] == published
