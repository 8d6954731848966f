"""QUEUES 2.1, 4.6, 5.5 on PostgreSQL: what a broken connection leaves, and what it says."""

from __future__ import annotations

from time import monotonic

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError
from tests.backends.conftest import until

MINUTE = 60_000
SOON = 5.0


@pytest.fixture
def message(remote, queue):
    """A message that the remote user holds."""
    remote.publish(queue, "work")
    return remote.take_one(queue)


@pytest.fixture(params=["answer", "request"])
def cut(request, proxy):
    """Loses the next statement's answer, or the statement."""
    return proxy.cut_answer if request.param == "answer" else proxy.cut_request


def consume(postgres, queue):
    """Another user takes and settles what there is; the ids."""
    user = postgres.user()
    taken = user.take(queue)
    for message in taken:
        user.ack(message)
    return [message["id"] for message in taken]


def test_2_1_a_message_that_was_stored_is_found_though_the_answer_was_lost(
    remote, proxy, queue
):
    remote.publish(queue, "before")
    proxy.cut_answer()
    published = remote.publish(queue, "cut")
    assert [m["id"] for m in remote.messages(queue) if m["payload"] == "cut"] == [published]


def test_2_1_one_that_may_have_been_handled_already_is_unknown_and_named(
    remote, postgres, proxy, queue
):
    before = remote.publish(queue, "before")
    consumed = []
    proxy.cut_answer(lambda: consumed.extend(consume(postgres, queue)))
    with pytest.raises(RunError) as caught:
        remote.publish(queue, "cut")
    assert caught.value.code == "publish-unknown"
    assert consumed == [before, caught.value.data["id"]]


def test_2_1_one_that_never_arrived_is_unknown_too(remote, proxy, queue):
    remote.publish(queue, "before")
    proxy.cut_request()
    with pytest.raises(RunError) as caught:
        remote.publish(queue, "cut")
    assert caught.value.code == "publish-unknown"
    assert [m["payload"] for m in remote.messages(queue)] == ["before"]


def test_2_2_with_a_key_publishing_is_repeated_safely(remote, queue, cut):
    remote.publish(queue, "before")
    cut()
    published = remote.publish(queue, "cut", key="k")
    assert [m["id"] for m in remote.messages(queue) if m["payload"] == "cut"] == [published]


def test_2_2_with_a_key_it_is_not_stored_twice_when_handled_meanwhile(
    remote, postgres, proxy, queue
):
    remote.publish(queue, "before")
    proxy.cut_answer(lambda: consume(postgres, queue))
    published = remote.publish(queue, "cut", key="k")
    assert remote.counts(queue) == {}
    assert remote.publish(queue, "cut", key="k") == published


def test_2_1_without_a_server_publishing_is_refused(remote, proxy, queue):
    proxy.down()
    with pytest.raises(RunError) as caught:
        remote.publish(queue)
    assert caught.value.code == "queue-unavailable"
    proxy.up()
    remote.publish(queue)
    assert remote.counts(queue) == {"pending": 1}


def test_4_6_an_ack_is_repeated_and_finds_its_own_work_done(remote, proxy, queue, message, cut):
    cut()
    assert remote.ack(message) == Keyword("done")
    assert remote.counts(queue) == {}


@pytest.mark.parametrize(
    "ending",
    [
        ("failed", 5, "retry", "delayed"),
        ("failed", 1, "dead", "dead"),
        ("later", 5, "retry", "delayed"),
        ("give-up", 5, "dead", "dead"),
        ("released", 5, "retry", "pending"),
    ],
)
def test_4_6_a_nack_is_repeated_and_finds_its_own_work_done(
    remote, queue, message, cut, ending
):
    outcome, most, settlement, state = ending
    cut()
    answer = remote.nack(message, outcome, retry_ms=MINUTE, max_attempts=most)
    assert answer == Keyword(settlement)
    assert remote.counts(queue) == {state: 1}
    assert remote.messages(queue)[0]["attempts"] == (outcome in {"failed", "give-up"})


def test_4_6_an_extension_is_repeated(remote, queue, message, cut):
    remote.extend(message)  # opens the connection that is cut
    cut()
    assert remote.extend(message) == Keyword("done")


def test_4_6_a_repeated_ack_of_a_claim_that_another_took_over_is_lost(
    remote, postgres, proxy, queue
):
    remote.publish(queue)
    [outdated] = remote.lapse(queue)
    other = postgres.user()
    current = other.take_one(queue)
    proxy.cut_request()
    assert remote.ack(outdated) == Keyword("lost")
    assert other.ack(current) == Keyword("done")


def test_4_6_a_settlement_waits_for_the_server_while_its_claim_lasts(
    remote, proxy, queue, message, background
):
    proxy.down()
    acking = background(remote.ack, message)
    proxy.wait_until_refused()
    proxy.up()
    assert acking.result(timeout=SOON) == Keyword("done")
    assert remote.counts(queue) == {}


def test_4_6_and_no_longer(remote, proxy, queue):
    remote.publish(queue)
    message = remote.take_one(queue, visibility_ms=300)
    proxy.down()
    before = monotonic()
    assert remote.ack(message) == Keyword("lost")
    assert monotonic() - before < SOON
    proxy.up()
    assert remote.take_one(queue)["lapsed"]


def test_3_3_a_claim_whose_answer_was_lost_is_read_back_and_burns_no_attempt(
    remote, proxy, queue
):
    published = [remote.publish(queue, number) for number in range(3)]
    proxy.cut_answer()
    taken = remote.take(queue, wait_ms=1_000)
    assert [(m["id"], m["attempts"]) for m in taken] == [(each, 1) for each in published]
    assert [remote.ack(m) for m in taken] == [Keyword("done")] * 3


def test_5_5_a_take_waits_for_a_server_that_is_away_then_says_so(remote, proxy, queue):
    proxy.down()
    before = monotonic()
    with pytest.raises(RunError) as caught:
        remote.take(queue, wait_ms=200)
    assert caught.value.code == "queue-unavailable"
    assert 0.2 <= monotonic() - before < SOON


def test_5_5_a_waiting_take_goes_on_when_the_server_is_back(
    remote, proxy, postgres, queue, background
):
    taking = background(remote.take, queue, 1, 30_000, MINUTE)
    postgres.wait_until_idle(queue)
    proxy.down()
    # Wake the take for a claim that finds nobody.
    proxy.wait_until_refused()
    published = postgres.user().publish(queue)
    proxy.up()
    assert taking.result(timeout=SOON)[0]["id"] == published


def test_5_5_a_stop_ends_a_take_that_waits_for_the_server(remote, proxy, queue, background):
    remote.publish(queue)
    proxy.down()
    taking = background(remote.take, queue, 1, 30_000, MINUTE)
    proxy.wait_until_refused()
    remote.context.request_stop()
    assert taking.result(timeout=SOON) == []


def test_3_1_a_claim_that_ran_out_before_it_was_heard_of_is_not_handed_out(
    remote, postgres, proxy, queue
):
    """As when a process is frozen while it takes: the others have its messages by then."""
    published = [remote.publish(queue, n) for n in range(2)]
    others = []
    held = (
        "SELECT 1 FROM graphden.queue_lease JOIN graphden.queue ON queue.id = queue_id"
        " WHERE name = %s"
    )

    def others_take() -> bool:
        if not postgres.ask(held, queue):
            return False
        until(lambda: others.extend(postgres.user().take(queue)) or len(others) == 2)
        return True

    proxy.hold_answer(others_take)
    assert remote.take(queue, 10, 200, 0) == []
    assert sorted(each["id"] for each in others) == sorted(published)
    assert all(each["lapsed"] for each in others)
