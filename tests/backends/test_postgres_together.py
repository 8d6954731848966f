"""QUEUES 3.7 on PostgreSQL: acks that are accepted are written together, and always in time."""

from __future__ import annotations

import logging

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden_postgres.connections import Connections
from graphden_postgres.statements import claim_statement, statement
from tests.backends.conftest import until

ACCEPTED, DONE, LOST = Keyword("accepted"), Keyword("done"), Keyword("lost")
MINUTE = 60_000


@pytest.fixture
def asked(monkeypatch):
    """The statements that were sent by the pools of this process, in order."""
    sent = []
    rows = Connections.rows

    def noted(pool, text, values, *lane):
        sent.append(text)
        return rows(pool, text, values, *lane)

    monkeypatch.setattr(Connections, "rows", noted)
    return sent


def publish(user, queue, count):
    return [user.publish(queue, number) for number in range(count)]


def test_3_7_an_ack_is_accepted_while_its_claim_has_time(postgres, queue):
    user = postgres.user()
    publish(user, queue, 1)
    assert user.ack_soon(user.take_one(queue)) == ACCEPTED


def test_3_7_it_is_written_soon_though_nobody_takes_again(postgres, queue):
    user = postgres.user()
    publish(user, queue, 1)
    user.ack_soon(user.take_one(queue))
    until(lambda: user.counts(queue) == {})


def test_3_7_the_next_take_writes_it_in_one_statement_with_its_claim(postgres, queue, asked):
    user = postgres.user()
    publish(user, queue, 6)
    first = user.take(queue, batch=3)
    asked.clear()
    assert [user.ack_soon(message) for message in first] == [ACCEPTED] * 3
    second = user.take(queue, batch=3)
    settling = [text for text in asked if text in {statement("settle"), statement("ack")}]
    assert settling == []
    assert claim_statement(3) in asked
    assert [message["payload"] for message in second] == [3, 4, 5]
    assert postgres.user().counts(queue) == {"claimed": 3}


def test_3_7_one_app_writes_the_acks_of_all_its_takers(postgres, queue, asked):
    user = postgres.user()
    publish(user, queue, 2)
    taken = [user.take_one(queue, batch=1) for _ in range(2)]
    asked.clear()
    for message in taken:
        assert user.ack_soon(message) == ACCEPTED
    assert user.take(f"{queue}-other") == []
    assert statement("ack") not in asked
    assert postgres.user().counts(queue) == {}


def test_3_7_an_ack_outside_the_margin_is_written_at_once_and_tells_the_truth(postgres, queue):
    user, other = postgres.user(), postgres.user()
    publish(user, queue, 1)
    message = user.take_one(queue, visibility_ms=500)
    assert user.ack_soon(message) == DONE
    assert other.counts(queue) == {}


def test_3_7_a_renewed_claim_has_time_again(postgres, queue):
    user = postgres.user()
    publish(user, queue, 1)
    message = user.take_one(queue, visibility_ms=500)
    user.extend(message, MINUTE)
    assert user.ack_soon(message) == ACCEPTED


def test_3_7_after_a_stop_an_ack_is_written_at_once(postgres, queue):
    user, other = postgres.user(), postgres.user()
    publish(user, queue, 2)
    first, second = user.take(queue)
    user.ack_soon(first)
    user.context.request_stop()
    assert user.ack_soon(second) == DONE
    assert other.counts(queue) == {}


def test_5_4_a_take_after_a_stop_writes_what_was_accepted(postgres, queue):
    user, other = postgres.user(), postgres.user()
    publish(user, queue, 1)
    user.ack_soon(user.take_one(queue))
    user.context.request_stop()
    assert user.take(queue) == []
    assert other.counts(queue) == {}


def test_5_4_closing_writes_what_was_accepted(postgres, queue):
    user, other = postgres.user(), postgres.user()
    publish(user, queue, 1)
    user.ack_soon(user.take_one(queue))
    user.context.resources.close()
    assert other.counts(queue) == {}


def void(postgres, message):
    """End a claim before its time, as a long sleep of the worker's machine does."""
    postgres.ask(
        "UPDATE graphden.queue_lease SET deadline = clock_timestamp() WHERE token = %s",
        message["token"],
    )


@pytest.mark.parametrize("writes", ["flush", "take"])
def test_3_7_lost_when_written_is_counted_and_told(postgres, queue, caplog, writes):
    user, other = postgres.user(), postgres.user()
    published = publish(user, queue, 1)
    message = user.take_one(queue)
    void(postgres, message)
    with caplog.at_level(logging.WARNING, "graphden.postgres"):
        user.ack_soon(message)
        if writes == "take":
            [again] = user.take(queue, wait_ms=1_000)
            assert (again["id"], again["lapsed"]) == (published[0], True)
        until(lambda: user.lost_settlements() == 1)
    assert "1 handled messages will be handled again" in caplog.text
    states = {m["state"] for m in other.messages(queue)}
    assert states == {Keyword("claimed" if writes == "take" else "lapsed")}


def test_3_7_a_lost_one_takes_nothing_from_those_written_with_it(postgres, queue):
    user = postgres.user()
    publish(user, queue, 3)
    taken = [user.take_one(queue, batch=1) for _ in range(3)]
    void(postgres, taken[1])
    for message in taken:
        user.ack_soon(message)
    user.written()
    [left] = user.messages(queue)
    assert (left["payload"], left["state"]) == (1, Keyword("lapsed"))
    assert user.lost_settlements() == 1


def test_3_3_a_second_settlement_of_an_accepted_message_is_lost(postgres, queue):
    user = postgres.user()
    publish(user, queue, 2)
    first, second = user.take(queue)
    assert user.ack_soon(first) == ACCEPTED
    assert user.nack(first) == LOST
    assert user.ack_soon(first) == LOST
    assert user.nack(second, "give-up") == Keyword("dead")
    assert user.counts(queue) == {"dead": 1}


@pytest.fixture(params=["answer", "request"])
def cut(request, proxy):
    return proxy.cut_answer if request.param == "answer" else proxy.cut_request


def test_4_6_a_claim_that_carried_acks_and_broke_loses_neither(
    remote, postgres, proxy, queue, cut
):
    published = publish(remote, queue, 4)
    for message in remote.take(queue, batch=2):
        remote.ack_soon(message)
    cut()
    taken = remote.take(queue, batch=2, wait_ms=5_000)
    assert [(m["id"], m["attempts"]) for m in taken] == [(each, 1) for each in published[2:]]
    until(lambda: postgres.user().counts(queue) == {"claimed": 2})
    assert remote.lost_settlements() == 0


def test_4_6_acks_wait_for_a_database_that_is_away(remote, postgres, proxy, queue):
    publish(remote, queue, 1)
    message = remote.take_one(queue)
    proxy.down()
    assert remote.ack_soon(message) == ACCEPTED
    proxy.wait_until_refused()
    proxy.up()
    until(lambda: postgres.user().counts(queue) == {})
    assert remote.lost_settlements() == 0


def test_5_4_closing_does_not_wait_for_a_database_that_is_away(remote, proxy, queue, caplog):
    publish(remote, queue, 1)
    message = remote.take_one(queue)
    proxy.down()
    remote.ack_soon(message)
    with caplog.at_level(logging.WARNING, "graphden.postgres"):
        remote.context.resources.close()
    assert "1 handled messages will be handled again" in caplog.text
    with pytest.raises(RunError, match="closed"):
        remote.publish(queue)


def test_leases_of_written_acks_are_dropped_by_the_take_after(postgres, queue):
    user = postgres.user()
    publish(user, queue, 3)
    for _ in range(3):
        user.ack_soon(user.take_one(queue, batch=1))
    user.take(queue)
    user.take(queue)
    left = postgres.ask(
        "SELECT token FROM graphden.queue_lease JOIN graphden.queue ON id = queue_id "
        "WHERE name = %s",
        queue,
    )
    assert left == []


def test_a_lease_whose_ack_was_lost_stays_so_that_its_message_can_lapse(postgres, queue):
    user = postgres.user()
    published = publish(user, queue, 1)
    message = user.take_one(queue)
    void(postgres, message)
    user.ack_soon(message)
    user.written()
    for _ in range(3):
        again = user.take(queue, wait_ms=1_000)
        if again:
            break
    assert [(m["id"], m["lapsed"]) for m in again] == [(published[0], True)]
