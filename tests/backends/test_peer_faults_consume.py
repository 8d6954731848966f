"""Faults that consumers of other queues had, as their trackers tell, each done to this one: the
setup, the action, the right outcome.
"""

from __future__ import annotations

import logging
import threading
import time

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden_contract import Retries
from graphden_postgres.connections import connections
from tests.backends.conftest import until

DONE, LOST, RETRY, DEAD = (Keyword(each) for each in ("done", "lost", "retry", "dead"))
MINUTE = 60_000
SOON = 5.0


def test_a_rescue_does_not_bring_back_what_was_finished_meanwhile(backend, queue, background):
    """riverqueue/river#1302: stuck jobs were listed first and put back later, though one of
    them had been completed in between.
    """
    slow, rescuers = backend.user(), [backend.user() for _ in range(3)]
    for number in range(20):
        slow.publish(queue, number)
    taken = slow.take(queue, batch=20, visibility_ms=300)
    rescued = [background(user.take, queue, 10, 30_000, 400) for user in rescuers]
    settled = [message["id"] for message in taken if slow.ack(message) == DONE]
    again = [message["id"] for future in rescued for message in future.result()]
    assert not set(settled) & set(again)
    left = {message["id"] for message in slow.messages(queue)}
    assert left == {message["id"] for message in taken} - set(settled)


def test_a_long_handling_is_not_rescued_for_its_age(backend, queue):
    """oban-bg/oban#603, hexpm/hexpm#1825: whatever ran longer than a fixed age was started a
    second time, though its worker lived.
    """
    worker, other = backend.user(), backend.user()
    worker.publish(queue)
    message = worker.take_one(queue, visibility_ms=400)
    for _ in range(6):  # one and a half claims long
        assert other.take(queue, wait_ms=100) == []
        assert worker.extend(message, 400) == DONE
    assert worker.ack(message) == DONE


def test_a_message_that_kills_its_workers_is_dead_at_its_limit(queues, queue):
    """vectorize-io/hindsight#2675: only failures that were caught counted, so that a job that
    killed its worker was claimed 54 times and still had no try.
    """
    queues.publish(queue, "poison")
    handled = 0
    while True:
        message = queues.take_one(queue, visibility_ms=400)
        if message["lapsed"] and queues.nack(message, "lapsed", max_attempts=3) == DEAD:
            break
        handled += 1  # … and here the worker is killed
    assert queues.messages(queue)[0]["error"]["outcome"] == Keyword("lapsed")
    assert handled == 3


@pytest.mark.parametrize("text", ["boom\0tail", "boom\ud800", "\ud800\udc00\0", "\0" * 10_000])
def test_an_error_that_the_database_cannot_hold_is_stored_and_the_message_retried(
    queues, queue, text
):
    """fazer-ai/agents#243, firecrawl/firecrawl#4113: the write that says "failed" was refused,
    so the job was neither retried nor dead, or the worker crashed on it for ever.
    """
    queues.publish(queue)
    assert queues.nack(queues.take_one(queue), message=text, type=text, place=text) == RETRY
    assert queues.messages(queue)[0]["state"] == Keyword("pending") or queues.take_one(queue)


def test_who_lost_its_claim_completes_nothing(backend, queue):
    """OptimalBits/bull#308: a slow worker completed a job whose lock another one had."""
    slow, other = backend.user(), backend.user()
    slow.publish(queue)
    [outdated] = slow.lapse(queue)
    current = other.take_one(queue)
    assert slow.ack(outdated) == LOST
    assert slow.nack(outdated, "give-up") == LOST
    assert other.ack(current) == DONE


def test_a_claim_is_whole_or_not_there(backend, queue, background):
    """OptimalBits/bull#257, #359: between taking a job and locking it, the check for stalled
    jobs took it too.
    """
    users = [backend.user() for _ in range(4)]
    for number in range(80):
        users[0].publish(queue, number)

    def drain(user):
        taken = []
        while messages := user.take(queue, batch=5):
            taken += [(message["id"], message["lapsed"]) for message in messages]
        return taken

    taken = [each for f in [background(drain, user) for user in users] for each in f.result()]
    assert len(taken) == len({message_id for message_id, _ in taken}) == 80
    assert not any(lapsed for _, lapsed in taken)


@pytest.mark.parametrize("late", ["extend", "nack", "release"])
def test_nothing_that_comes_late_brings_a_finished_message_back(queues, queue, late):
    """OptimalBits/bull#850: a completed job was put back by the stall check, without data."""
    queues.publish(queue, {"sku": "tea"})
    message = queues.take_one(queue)
    assert queues.ack(message) == DONE
    acts = {
        "extend": lambda: queues.extend(message),
        "nack": lambda: queues.nack(message),
        "release": lambda: queues.nack(message, "released"),
    }
    assert acts[late]() == LOST
    assert queues.messages(queue) == []


def test_what_a_stopping_worker_holds_goes_back_and_counts_no_attempt(backend, queue):
    """rq/rq#152, #507, #1461: at SIGTERM jobs stayed in progress for ever."""
    stopping, other = backend.user(), backend.user()
    published = [stopping.publish(queue, number) for number in range(3)]
    taken = stopping.take(queue)
    stopping.context.request_stop()
    for message in taken:
        assert stopping.nack(message, "released") == RETRY
    again = other.take(queue)
    assert [(m["id"], m["attempts"]) for m in again] == [(each, 1) for each in published]


def test_claims_are_renewed_after_a_stop_was_asked_for(backend, queue):
    """rails/solid_queue#568: the heartbeat ended first, and others took what was drained."""
    draining, other = backend.user(), backend.user()
    draining.publish(queue)
    message = draining.take_one(queue, visibility_ms=400)
    draining.context.request_stop()
    for _ in range(6):
        assert other.take(queue, wait_ms=100) == []
        assert draining.extend(message, 400) == DONE
    assert draining.ack(message) == DONE


def test_a_worker_under_the_name_of_one_that_died_does_not_own_its_claims(backend, queue):
    """oban-bg/oban#862: with names of hosts used again, orphans were never rescued."""
    died, again = backend.user(), backend.user()  # same host, same process number
    died.publish(queue)
    died.lapse(queue)
    again.take(f"{queue}-other")
    assert again.take_one(queue)["lapsed"]


def test_listening_begins_again_though_the_first_tries_to_connect_fail(
    remote, proxy, postgres, queue, background
):
    """graphile/worker#541, taskforcesh/bullmq#4781, procrastinate-org/procrastinate#1425:
    after an outage notifications were never heard again.
    """
    taking = background(remote.take, queue, 1, 30_000, MINUTE)
    postgres.wait_until_idle(queue)
    proxy.down()
    proxy.wait_until_refused()
    proxy.up()
    listening = (
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE %s AND datname = current_database()"
    )
    until(lambda: postgres.ask(listening, "%LISTEN graphden_queue%"))
    published = postgres.user().publish(queue)
    assert taking.result(timeout=SOON)[0]["id"] == published


def test_an_outage_is_told_a_few_times_and_not_thirty_thousand(
    remote, proxy, queue, background, caplog
):
    """graphile/worker#224: 30,000 lines of log in 20 seconds of standby."""
    taking = background(remote.take, queue, 1, 30_000, 1_500)
    with caplog.at_level(logging.INFO):
        proxy.down()
        with pytest.raises(RunError, match="cannot be used"):
            taking.result(timeout=20)
    assert len(caplog.records) < 20


def test_a_take_after_a_long_outage_takes(remote, proxy, queue):
    """graphile/worker#185: after an outage longer than its poll the worker stood still."""
    published = remote.publish(queue)
    proxy.down()
    for _ in range(3):
        with pytest.raises(RunError):
            remote.take(queue, wait_ms=50)
    proxy.up()
    assert remote.take_one(queue)["id"] == published


def test_a_connection_that_went_bad_is_replaced(postgres, queue):
    """tobymao/saq#163: one bad connection hung the worker."""
    user = postgres.user()
    user.publish(queue, 1)
    with connections(user.context).use() as connection:
        connection.pgconn.finish()
    assert user.take_one(queue)["payload"] == 1


def test_a_machine_that_vanishes_needs_no_goodbye(backend, queue):
    """rails/solid_queue#159, procrastinate-org/procrastinate#307: what it ran was lost."""
    vanishing, other = backend.user(), backend.user()
    vanishing.publish(queue)
    vanishing.take_one(queue, visibility_ms=200)
    vanishing.context.resources.close() if backend.url else None
    assert other.take_one(queue)["lapsed"]


def test_one_who_computes_keeps_its_claims(backend, queue, background):
    """taskforcesh/bullmq#3078, OptimalBits/bull#1416: a busy loop starved the renewal."""
    busy, other = backend.user(), backend.user()
    busy.publish(queue)
    message = busy.take_one(queue, visibility_ms=900)
    over = threading.Event()

    def renew():
        renewals = 0
        while not over.wait(0.3):
            assert busy.extend(message, 900) == DONE
            renewals += 1
        return renewals

    renewing = background(renew)
    ends = time.monotonic() + 2
    while time.monotonic() < ends:
        sum(range(10_000))
    assert other.take(queue) == []
    over.set()
    assert renewing.result() >= 1
    assert busy.ack(message) == DONE


@pytest.mark.parametrize("payload", ['{"a": 1e400}', '"\\ud800"'])
def test_a_payload_that_nobody_can_read_stops_no_queue(postgres, queue, payload):
    """firecrawl/firecrawl#4113, cedarjs/cedar#2739: one row crashed every worker."""
    user = postgres.user()
    unreadable = user.publish(queue, "first")
    change = "UPDATE graphden.queue_message SET payload = %s::json WHERE id = %s"
    postgres.ask(change, payload, unreadable)
    user.publish(queue, "next")
    assert [message["payload"] for message in user.take(queue)] == ["next"]
    assert user.counts(queue) == {"claimed": 1, "dead": 1}


@pytest.mark.parametrize("attempts", [16, 1_017, 2_000_000])
def test_a_backoff_of_many_attempts_is_a_delay_and_no_error(attempts):
    """procrastinate-org/procrastinate#1462, apache/airflow#47971: the exponent overflowed, and
    the job was gone or the scheduler down.
    """
    grown = Retries(500, 5, lambda tries: 5.0 ** min(tries, 400))
    assert grown.delay_after({"attempts": attempts}) <= 315_576_000_000
    overflowing = Retries(500, 5, lambda tries: 5.0**tries)
    assert overflowing.delay_after({"attempts": attempts}) in {500, 5.0**16}


def test_a_retry_at_the_limit_is_dead_and_waits_for_nobody(queues, queue):
    """seatgeek/djjob#14: a retry beyond the limit lay there, neither taken nor failed."""
    queues.publish(queue)
    assert queues.nack(queues.take_one(queue), retry_ms=MINUTE, max_attempts=1) == DEAD
    assert queues.counts(queue) == {"dead": 1}


def test_a_settlement_of_a_message_that_changed_hands_raises_nothing(backend, queue):
    """procrastinate-org/procrastinate#1131: "job was not found" ended the worker process."""
    user = backend.user()
    user.publish(queue)
    message = user.take_one(queue)
    user.nack(message, "give-up")
    assert [user.delete(message["id"])[0]["result"]] == [Keyword("deleted")]
    for outcome in ("failed", "later", "give-up", "released", "lapsed"):
        assert user.nack(message, outcome) == LOST
    assert user.ack(message) == LOST


def test_closing_ends_though_the_database_is_gone(remote, proxy, queue, background):
    """procrastinate-org/procrastinate#1513, #1591: a side task kept the shutdown for ever."""
    remote.publish(queue)
    remote.ack_soon(remote.take_one(queue))
    remote.take(queue, wait_ms=20)  # its listener runs
    proxy.down()
    background(remote.context.resources.close).result(timeout=20)
    names = {thread.name for thread in threading.enumerate()}
    assert "graphden-settle" not in names
