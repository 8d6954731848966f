"""Faults that other queues had in publishing and operating, as black-box tests.

Each says what KIND of fault it is and where it was SEEN (project and issue), what is set UP,
what is DONE, and what is RIGHT. The rules are those of QUEUES 2, 4.3 and 8.1.
"""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import wait
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from graphden.edn import Keyword, to_json
from graphden.errors import RunError

SOON = 10.0
MINUTE = 60_000
REQUEUED = Keyword("requeued")


def dead_message(user, queue, **published):
    """The id of a message that died."""
    message_id = user.publish(queue, "work", **published)
    assert user.nack(user.take_one(queue), "give-up") == Keyword("dead")
    return message_id


# Keys


def test_many_publishers_of_one_key_all_get_its_id(backend, queue, background):
    """KIND a request is dropped under contention. SEEN graphile/worker #580.
    UP a consumer that takes at once. DONE eight publishers send one key, again and again.
    RIGHT each call has an id, the same one, and one message was handled."""
    users = [backend.user() for _ in range(8)]
    consumer = backend.user()
    handled = []

    def consume():
        while not handled or not all(each.done() for each in sending):
            for message in consumer.take(queue, wait_ms=20):
                handled.append(message["id"])
                consumer.ack(message)

    def send(user):
        return {user.publish(queue, "same", key="k") for _ in range(20)}

    sending = [background(send, user) for user in users]
    background(consume).result(timeout=SOON)
    assert len(set().union(*(each.result() for each in sending))) == 1
    assert len(handled) == 1


def test_a_key_is_kept_while_its_message_is_handled(queues, queue):
    """KIND a running message loses its key, duplicates come in. SEEN graphile/worker #303.
    UP the first message is claimed. DONE the key is published again, three times.
    RIGHT the first id each time, and nothing new."""
    first = queues.publish(queue, 1, key="k")
    message = queues.take_one(queue)
    assert {queues.publish(queue, 1, key="k") for _ in range(3)} == {first}
    queues.ack(message)
    assert queues.counts(queue) == {}


def test_a_known_key_in_a_bulk_does_not_fail_the_others(queues, queue):
    """KIND one duplicate fails the batch. SEEN pgqueuer #678. UP one key is known.
    DONE a bulk with that key and two new ones. RIGHT two are stored, three ids come back."""
    first = queues.publish(queue, "b", key="b")
    ids = queues.publish_many(queue, ["a", "b", "c"], keys=["a", "b", "c"])
    assert ids[1] == first
    assert queues.counts(queue) == {"pending": 3}


def test_messages_without_a_key_are_never_merged(queues, queue):
    """KIND a message that equals one being handled is lost. SEEN taylorchu/work #67.
    UP a claimed message. DONE the same payload is published, then the first is settled.
    RIGHT the second is there."""
    queues.publish(queue, "same")
    message = queues.take_one(queue)
    second = queues.publish(queue, "same")
    queues.ack(message)
    assert queues.take_one(queue)["id"] == second


def test_a_dead_message_is_requeued_although_its_key_was_used_again(queues, queue):
    """KIND requeue fails on a uniqueness rule. SEEN procrastinate #1446.
    UP a dead message with a key that was published again since. DONE requeue.
    RIGHT it is requeued."""
    first = dead_message(queues, queue, key="k")
    assert queues.publish(queue, "work", key="k") == first
    assert queues.requeue(first)[0]["result"] == REQUEUED
    assert queues.take_one(queue)["id"] == first


# Payloads


@pytest.mark.parametrize("text", ["\\u0000", "a\\", '"', "\\\\u0000", "\u2400", "\x01\x1f\x7f"])
def test_text_that_only_looks_like_nul_is_kept_exactly(queues, queue, text):
    """KIND a NUL filter mangles innocent text. SEEN metabase #41584, METR/vivaria #337.
    DONE text with backslashes and control characters is published. RIGHT it comes back."""
    queues.publish(queue, {text: text})
    assert queues.take_one(queue)["payload"] == {text: text}


def test_nul_is_refused_at_publish_and_not_when_it_is_read(queues, queue):
    """KIND the consumer, or the server, stumbles over NUL. SEEN osbuild-composer #4779.
    DONE NUL is published, inside and as a key. RIGHT both are refused, nothing is stored."""
    for payload, path in (({"a": "\0"}, ["a"]), ({"\0": 1}, ["\0"])):
        with pytest.raises(RunError) as caught:
            queues.publish(queue, payload)
        assert (caught.value.code, caught.value.data["path"]) == ("invalid-payload", path)
    assert queues.take(queue) == []


@pytest.mark.parametrize("number", [1970670598291982290, 3889108265204450030, 2**53 + 1])
def test_large_integers_keep_their_last_digits_for_operators_too(queues, queue, number):
    """KIND integers are rounded on the way or when shown. SEEN faktory #395, riverui #593.
    DONE publish, list, write the list as JSON. RIGHT every digit."""
    queues.publish(queue, {"id": number})
    [listed] = queues.messages(queue)
    assert json.loads(to_json(listed))["payload"]["id"] == number
    assert queues.take_one(queue)["payload"]["id"] == number


def test_the_payload_does_not_have_to_fit_a_notification(backend, queue, background):
    """KIND "payload string too long" at 8,000 bytes. SEEN odd-jobs #42, awx #12999, oban #791.
    UP an idle consumer. DONE a payload of a megabyte. RIGHT it is stored and wakes."""
    consumer = backend.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    backend.user().publish(queue, "x" * 1_000_000)
    assert len(taking.result(timeout=SOON)[0]["payload"]) == 1_000_000


# Bulk


def test_a_bulk_is_not_limited_by_the_parameters_of_a_statement(backend, queue, background):
    """KIND 65,535 parameters, or a notification for each. SEEN oban #319, tuist #11397,
    taskiq-pg #32. UP an idle consumer. DONE 10,000 in one call. RIGHT all are there."""
    consumer, publisher = backend.user(), backend.user()
    taking = background(consumer.take, queue, 10, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    assert len(set(publisher.publish_many(queue, [1] * 10_000))) == 10_000
    assert len(taking.result(timeout=SOON)) == 10
    assert publisher.counts(queue) == {"pending": 9_990, "claimed": 10}


def test_nobody_sees_a_part_of_a_bulk(backend, queue, background):
    """KIND a batch counts as complete while it is still being stored. SEEN oban #319.
    UP somebody who looks all the time. DONE bulks of 200. RIGHT only multiples of 200."""
    publisher, watcher = backend.user(), backend.user()
    publisher.publish_many(queue, [1] * 200)
    publishing = background(
        lambda: [publisher.publish_many(queue, [1] * 200) for _ in range(20)]
    )
    seen = set()
    while not publishing.done():
        seen.add(watcher.counts(queue)["pending"] % 200)
    assert seen == {0}


# Names


@pytest.mark.parametrize("length", [48, 52, 58, 63, 64, 200])
def test_long_names_are_whole_names(backend, queue, background, length):
    """KIND names are cut at 63 bytes: creation fails, or two queues are one. SEEN pgmq #33,
    #114, DotNetWorkQueue #375, PgQue #109. UP two names that differ at their end, an idle
    consumer of one. DONE both are published to. RIGHT the consumer wakes for its own."""
    names = [(queue * 6)[: length - 1] + end for end in "ab"]
    consumer, publisher = backend.user(), backend.user()
    taking = background(consumer.take, names[1], 1, 30_000, MINUTE)
    backend.wait_until_idle(names[1])
    publisher.publish(names[0], "a")
    publisher.publish(names[1], "b")
    assert taking.result(timeout=SOON)[0]["payload"] == "b"
    assert publisher.take_one(names[0])["payload"] == "a"


@pytest.mark.parametrize("name", ["Foo", "app.queue", 'a"b', "a'); --", "hello-world", "%s{}"])
def test_names_are_not_identifiers(queues, queue, name):
    """KIND a name is folded, split at its dot or spliced. SEEN pgmq #295, DotNetWorkQueue #375.
    DONE every operator's action on such a name. RIGHT it is that queue's."""
    name += queue
    published = queues.publish(name)
    queues.pause(name)
    queues.resume(name)
    queues.retain(name, MINUTE)
    assert queues.listed(name)["keep-dead-ms"] == MINUTE
    assert queues.messages(name)[0]["id"] == published
    assert queues.purge(name)["purged"] == 1


# Times


@pytest.mark.parametrize("delay_ms", [2**31, 2**31 + 1, 2**32 + 5, 10 * 365 * 86_400_000])
def test_a_long_delay_does_not_become_none(queues, queue, delay_ms):
    """KIND delays beyond 2^31 ms run at once. SEEN observablehq/runtime #37 and many timers.
    DONE publish with such a delay. RIGHT it is delayed, until then."""
    queues.publish(queue, 1, delay_ms=delay_ms)
    assert queues.take(queue) == []
    due = queues.messages(queue, "delayed")[0]["due"]
    expected = datetime.now(UTC) + timedelta(milliseconds=delay_ms)
    assert abs(due - expected) < timedelta(seconds=30)


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_wrong_clock_of_the_publisher_changes_nothing(postgres, queue, monkeypatch, hours):
    """KIND a delay is reckoned by the client's clock and judged by the server's. SEEN
    NServiceBus.SqlServer #463, fluxcd/flux #430. UP a process whose clock is an hour off.
    DONE it publishes with a delay, and without. RIGHT due by the server's clock."""
    wrong = time.time() + 3_600 * hours
    user = postgres.user()
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda: wrong)
        user.publish(queue, "later", delay_ms=MINUTE)
        user.publish(queue, "now")
    assert user.take_one(queue)["payload"] == "now"
    [[seconds]] = postgres.ask(
        "SELECT extract(epoch FROM due_at - now()) FROM graphden.queue_message "
        "WHERE queue_id = graphden.queue_id(%s) AND due_at IS NOT NULL",
        queue,
    )
    assert 30 < seconds <= 60


@pytest.mark.parametrize("delay_ms", [-1, float("nan"), float("inf")])
def test_a_delay_that_is_none_is_refused(queues, queue, delay_ms):
    """KIND such a message never becomes ready, or at once. SEEN VertebrateResequencing/wr #440,
    backburner.js #169. RIGHT an error, nothing stored, one message or many."""
    for publish, payload in ((queues.publish, 1), (queues.publish_many, [1])):
        with pytest.raises(RunError) as caught:
            publish(queue, payload, delay_ms=delay_ms)
        assert caught.value.code == "invalid-argument"
    assert queues.messages(queue) == []


# The user's transaction


def test_a_worker_never_sees_what_was_rolled_back_or_is_not_committed(postgres, queue):
    """KIND a job runs before, or without, the data it is about. SEEN nebi #312, bops #3111.
    UP a transaction of the user's. DONE publish in it, take beside it, roll back.
    RIGHT nothing to take, ever."""
    producer, consumer = postgres.user(), postgres.user()
    with psycopg.connect(postgres.url) as connection:
        producer.context.transaction = connection
        producer.publish(queue)
        producer.publish_many(queue, [1, 2])
        assert consumer.take(queue) == []
        connection.rollback()
    assert consumer.take(queue) == []


def test_a_refused_publish_does_not_abort_the_users_transaction(postgres, queue):
    """KIND "current transaction is aborted". SEEN OCA/queue #41. UP work done in a transaction.
    DONE a conflict of keys in it. RIGHT the rest goes on and commits."""
    producer = postgres.user()
    with psycopg.connect(postgres.url) as connection:
        producer.context.transaction = connection
        producer.publish(queue, 1, key="k")
        with pytest.raises(RunError):
            producer.publish(queue, 2, key="k")
        producer.publish(queue, 3)
    assert postgres.user().counts(queue) == {"pending": 2}


# Dead messages


def test_requeueing_twice_makes_no_copies(backend, queue, background):
    """KIND "retry failed" copies, the failed list doubles. SEEN resque #548.
    UP a dead message. DONE four operators requeue it at once. RIGHT one has, one message is."""
    users = [backend.user() for _ in range(4)]
    message_id = dead_message(users[0], queue)
    acting = [background(user.requeue, message_id) for user in users]
    wait(acting)
    results = [each.result()[0]["result"].text for each in acting]
    assert sorted(results) == ["refused", "refused", "refused", "requeued"]
    assert users[0].counts(queue) == {"pending": 1}


def test_a_requeued_message_has_all_its_attempts_again(queues, queue):
    """KIND a requeued job fails at once, its attempts being used up. SEEN bull-board #737.
    UP a message that died of its third attempt. DONE requeue. RIGHT three more attempts."""
    message_id = queues.publish(queue)
    for _ in range(2):
        endings = [
            queues.nack(queues.take_one(queue), max_attempts=3).text for _attempt in range(3)
        ]
        assert endings == ["retry", "retry", "dead"]
        assert queues.requeue(message_id)[0]["result"] == REQUEUED


def test_a_message_that_runs_is_not_requeued(backend, queue):
    """KIND requeue of a running job runs it twice. UP a claimed message. DONE requeue.
    RIGHT refused with a reason; its worker settles it."""
    operator, worker = backend.user(), backend.user()
    message_id = operator.publish(queue)
    message = worker.take_one(queue)
    assert operator.requeue(message_id)[0]["reason"] == "it is not dead: a consumer holds it"
    assert worker.ack(message) == Keyword("done")
    assert operator.counts(queue) == {}


# Pause


def test_a_take_that_waits_when_the_queue_is_paused_gets_nothing(backend, queue, background):
    """KIND a blocked fetch still hands out a job after the pause. SEEN OptimalBits/bull #447.
    UP a consumer that waits. DONE pause, publish. RIGHT it goes on waiting until resume."""
    consumer, operator = backend.user(), backend.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    backend.wait_until_idle(queue)
    operator.pause(queue)
    published = operator.publish(queue)
    assert operator.take(queue, wait_ms=50) == []
    assert not taking.done()
    operator.resume(queue)
    assert taking.result(timeout=SOON)[0]["id"] == published


def test_what_becomes_due_while_paused_waits(queues, queue):
    """KIND delayed jobs run in a paused queue. SEEN OptimalBits/bull #1087.
    UP a paused queue with a delayed message and a retry. DONE both become due.
    RIGHT they are pending, and handed out after the resume."""
    queues.publish(queue, "retried")
    message = queues.take_one(queue)
    queues.pause(queue)
    queues.publish(queue, "delayed", delay_ms=1)
    queues.nack(message, retry_ms=1)
    ends = time.monotonic() + SOON
    while queues.counts(queue) != {"pending": 2}:
        assert time.monotonic() < ends
    assert queues.take(queue, wait_ms=20) == []
    queues.resume(queue)
    assert {queues.take_one(queue, batch=1)["payload"] for _ in range(2)} == {
        "retried", "delayed",
    }  # fmt: skip


def test_pausing_loses_no_message(queues, queue):
    """KIND pause removes what waits. SEEN bullmq #322. UP messages in every state.
    DONE pause and resume, twice. RIGHT all are there as before."""
    dead_message(queues, queue)
    queues.publish(queue)
    queues.take_one(queue)
    queues.publish_many(queue, [1, 2])
    queues.publish(queue, 1, delay_ms=MINUTE)
    before = {"pending": 2, "delayed": 1, "claimed": 1, "dead": 1}
    for act in (queues.pause, queues.pause, queues.resume, queues.resume):
        act(queue)
        assert queues.counts(queue) == before


def test_a_worker_that_starts_finds_the_queue_paused(postgres, queue):
    """KIND workers take jobs before they have read the pause. SEEN sidekiq #4975, lavinmq #446.
    UP a paused queue with work. DONE twenty new processes' first takes. RIGHT nothing."""
    operator = postgres.user()
    operator.pause(queue)
    operator.publish_many(queue, [1] * 20)
    assert [postgres.user().take(queue) for _ in range(20)] == [[]] * 20


# Purge


def test_what_is_published_after_a_purge_stays(backend, queue, background):
    """KIND a purge eats what comes while it runs, or never ends. SEEN sailor/quiq #2.
    UP a publisher that does not stop. DONE purge. RIGHT it ends, and later messages stay."""
    publisher, operator = backend.user(), backend.user()
    stop, purged = threading.Event(), threading.Event()
    after = []

    def publish():
        while not stop.is_set():
            was_purged = purged.is_set()
            message_id = publisher.publish(queue)
            if was_purged:
                after.append(message_id)
                if len(after) == 5:
                    return

    publisher.publish_many(queue, [1] * 1_000)
    publishing = background(publish)
    try:
        assert operator.purge(queue)["purged"] >= 1_000
        purged.set()
        publishing.result(timeout=SOON)
    finally:
        stop.set()
    assert set(after) <= {message["id"] for message in operator.messages(queue, limit=10_000)}


def test_a_purge_leaves_running_handlers_alone(backend, queue):
    """KIND clearing a queue deletes jobs in progress. SEEN hull #237.
    UP one of three messages is claimed. DONE purge without force. RIGHT two go, one settles."""
    operator, worker = backend.user(), backend.user()
    operator.publish_many(queue, [1, 2, 3])
    [message] = worker.take(queue, batch=1)
    assert operator.purge(queue) == {"queue": queue, "purged": 2, "held": 1}
    assert worker.extend(message) == Keyword("done")
    assert worker.ack(message) == Keyword("done")
