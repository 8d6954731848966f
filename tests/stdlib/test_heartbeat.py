"""`with-heartbeat`: work goes on while a helper beats for what is not done."""

import logging
import threading
import time
from types import SimpleNamespace

import pytest

from graphden.errors import Cancelled, RunError

INTERVAL_MS = 2
NEVER_MS = 3_600_000


@pytest.fixture
def work(call, context):
    """Run `with-heartbeat` over items."""

    def run(items, body, beat, interval_ms=INTERVAL_MS, release=None):
        return call("with-heartbeat", items, body, beat, interval_ms, release, context=context)

    return run


class Beats:
    """Beats that were given, and waiting for more of them."""

    def __init__(self, answers=None):
        self.given = []
        self._answers = answers or {}
        self._changed = threading.Condition()

    def __call__(self, item):
        with self._changed:
            self.given.append(item)
            self._changed.notify_all()
        answer = self._answers.get(item)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def wait_for(self, *items):
        """Wait until each item was beaten for anew, from now on."""
        with self._changed:
            start = len(self.given)
            assert self._changed.wait_for(lambda: set(items) <= set(self.given[start:]), 10)

    def since(self, mark):
        with self._changed:
            return self.given[mark:]


def helpers():
    return [thread for thread in threading.enumerate() if thread.name == "graphden-heartbeat"]


def test_bodies_run_in_order_in_the_calling_thread(work):
    seen = []

    result = work(
        [3, 1, 2],
        lambda item: seen.append((item, threading.get_ident())),
        pytest.fail,
        NEVER_MS,
    )

    assert result is None
    assert seen == [(item, threading.get_ident()) for item in (3, 1, 2)]


def test_work_that_ends_before_the_first_beat_starts_no_helper(work):
    running = []

    work([1, 2], lambda _: running.extend(helpers()), pytest.fail, NEVER_MS)

    assert running == []


def test_all_that_is_not_done_is_beaten_for_by_one_other_thread(work):
    """QUEUES 3.4: the running item and those that wait."""
    beats = Beats()
    threads = set()

    def beat(item):
        threads.add(threading.get_ident())
        return beats(item)

    def body(item):
        if item == 1:
            beats.wait_for(1, 2, 3)
            beats.wait_for(1, 2, 3)

    work([1, 2, 3], body, beat)

    # The worker asks for itself only when it was held up for longer than an interval.
    assert len(threads - {threading.get_ident()}) == 1


def test_what_is_done_is_no_longer_beaten_for(work):
    beats = Beats()
    marks = {}

    def body(item):
        # A round that began before this body did may still beat for what ran then.
        beats.wait_for(item)
        beats.wait_for(item)
        marks[item] = len(beats.given)
        beats.wait_for(item)
        assert set(beats.since(marks[item])) <= set(range(item, 4))

    work([1, 2, 3], body, beats)

    assert sorted(marks) == [1, 2, 3]


def test_a_waiting_item_that_is_given_up_is_never_begun(work):
    beats = Beats({2: False})
    begun = []

    def body(item):
        begun.append(item)
        if item == 1:
            beats.wait_for(2)
            beats.wait_for(1)

    work([1, 2, 3], body, beats)

    assert begun == [1, 3]
    assert beats.given.count(2) == 1, "what was given up is not beaten for again"


def test_a_running_item_that_is_given_up_is_told_to_end(work, context):
    """QUEUES 3.3: after `:lost` on extend, the running handler is told to stop."""
    ended, running = [], threading.Event()
    worker = threading.get_ident()

    def beat(_):
        # A worker that was held up asks about an item itself, before that begins.
        if threading.get_ident() == worker and not ended:
            return True
        running.wait(10)
        return False

    def body(item):
        running.set()
        try:
            context.wait(10)
        except Cancelled as cancelled:
            ended.append((item, cancelled.code))
            raise
        pytest.fail("the body was not told to end")

    work([1, 2], body, beat)

    assert ended == [(1, "cancelled")]


def test_after_a_lost_item_the_next_one_is_asked_about_before_it_begins(work, context):
    """The helper's round may be slower than the body that it told to end."""
    worker = threading.get_ident()
    asked, begun = threading.Event(), []

    def beat(item):
        if item == 2 and threading.get_ident() != worker:
            asked.wait(10)
        elif item == 2:
            asked.set()
        return False

    def body(item):
        begun.append(item)
        if item == 2:
            asked.set()
        context.wait(10)

    work([1, 2], body, beat, 100)

    assert begun == [1]


def test_after_a_cancelled_item_the_next_one_runs_freely(work, context):
    beats = Beats({1: False})
    begun, running = [], threading.Event()
    worker = threading.get_ident()

    def beat(item):
        if threading.get_ident() == worker:
            return True
        running.wait(10)
        return beats(item)

    def body(item):
        begun.append(item)
        running.set()
        if item == 1:
            context.wait(10)
            pytest.fail("the body was not told to end")
        beats.wait_for(2)
        context.check()

    work([1, 2], body, beat)

    assert begun == [1, 2]


@pytest.mark.parametrize("answer", [None, True, 0, "lost"])
def test_only_false_gives_up(work, answer):
    beats = Beats({1: answer, 2: answer})
    begun = []

    def body(item):
        begun.append(item)
        beats.wait_for(item)
        beats.wait_for(item)

    work([1, 2], body, beats)

    assert begun == [1, 2]


def test_a_beat_that_fails_is_tried_again_and_harms_no_other(work, caplog):
    beats = Beats({1: OSError("no connection"), 2: SystemExit(1)})

    def body(item):
        if item == 1:
            beats.wait_for(1, 2, 3)
            beats.wait_for(1, 2, 3)

    with caplog.at_level(logging.WARNING, "graphden"):
        work([1, 2, 3], body, beats)

    (record,) = caplog.records
    assert (record.name, record.levelname) == ("graphden", "WARNING")
    assert record.getMessage() == (
        "a heartbeat failed and will be tried again: OSError: no connection"
    )


def test_the_report_of_a_failed_beat_is_bounded(work, caplog):
    beats = Beats({1: OSError("x" * 10_000)})

    work([1], lambda _: beats.wait_for(1), beats)

    assert len(caplog.records[0].getMessage()) < 600


def test_a_failing_body_ends_work_and_helper(work):
    beats = Beats()
    begun = []

    def body(item):
        begun.append(item)
        beats.wait_for(item)
        raise ValueError(item)

    with pytest.raises(ValueError, match="1"):
        work([1, 2], body, beats)

    assert begun == [1]
    assert helpers() == []


def test_a_cancelled_run_ends_work_and_helper(work, context):
    beats = Beats()

    def body(item):
        beats.wait_for(item)
        context.cancel()
        context.check()

    with pytest.raises(Cancelled):
        work([1, 2], body, beats)

    assert helpers() == []


def test_a_beat_that_meets_the_end_of_the_run_ends_the_helper_in_silence(work, context, caplog):
    met = threading.Event()

    def beat(_):
        met.set()
        context.check()

    def body(_):
        context.cancel()
        assert met.wait(10)
        context.check()

    with pytest.raises(Cancelled):
        work([1], body, beat)

    assert caplog.records == []


def test_the_cancel_of_an_outer_scope_is_not_taken_for_an_item_given_up(work, context):
    begun = []

    def body(item):
        begun.append(item)
        outer.cancel()
        context.check()

    with pytest.raises(Cancelled) as raised, context.scope() as outer:
        work([1, 2], body, pytest.fail, NEVER_MS)

    assert raised.value.scope is outer
    assert begun == [1]


def test_a_stop_request_does_not_end_the_beats(work, context):
    """QUEUES 3.4: also while draining."""
    beats = Beats()

    def body(item):
        context.request_stop()
        beats.wait_for(item)
        beats.wait_for(item)

    work([1, 2], body, beats)


def test_work_inside_work(work):
    outer, inner = Beats(), Beats()

    def body(item):
        work(["a"], lambda _: (inner.wait_for("a"), outer.wait_for(item)), inner)

    work([1, 2], body, outer)

    assert helpers() == []


def alarms():
    """The alarm threads there are; those of graphs that live on are among them."""
    return {t for t in threading.enumerate() if t.name == "graphden-heartbeat-alarm"}


def test_many_threads_share_the_alarm_but_not_the_helper(work):
    before = alarms()
    slow = threading.Event()
    beats = Beats()

    def blocked(_):
        assert slow.wait(10)

    def body_of_blocked(_):
        assert slow.wait(10)

    thread = threading.Thread(target=work, args=([0], body_of_blocked, blocked))
    thread.start()
    try:
        work([1], beats.wait_for, beats)
        assert len(alarms() - before) == 1
    finally:
        slow.set()
        thread.join(10)


def test_closing_the_resources_ends_the_alarm(work, context):
    before = alarms()
    work([1], lambda _: None, pytest.fail, NEVER_MS)
    assert len(alarms() - before) == 1

    context.resources.close()

    assert alarms() - before == set()


def test_nothing_to_do_starts_nothing(work, context):
    before = threading.enumerate()

    assert work([], pytest.fail, pytest.fail) is None
    assert threading.enumerate() == before


@pytest.mark.parametrize("interval_ms", [0, -1, float("nan"), float("inf"), True, "10"])
def test_an_interval_that_is_none(work, interval_ms):
    with pytest.raises(
        RunError, match=r"with-heartbeat: :interval-ms is .* milliseconds above 0 is needed"
    ) as raised:
        work([1], pytest.fail, pytest.fail, interval_ms)

    assert raised.value.code == "invalid-argument"


def test_after_standing_still_an_item_is_asked_about_before_it_begins(work, monkeypatch):
    """A process that was stopped past its claims begins nothing that is no longer its own."""
    slept = 0.0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + slept)
    monkeypatch.setattr("graphden.stdlib.heartbeat.time", clock)
    begun, asked = [], []

    def body(item):
        nonlocal slept
        begun.append(item)
        slept = 3600.0 * (item == 0)

    def beat(item):
        asked.append(item)
        return item != 1

    work([0, 1, 2], body, beat, 60_000)

    assert begun == [0, 2]
    assert 1 in asked


def test_at_a_stop_what_waits_is_released_at_once_while_a_body_runs(work, context):
    released = []
    all_released = threading.Event()

    def release(item):
        released.append(item)
        if len(released) == 2:
            all_released.set()

    begun = []

    def body(item):
        begun.append(item)
        context.request_stop()
        assert all_released.wait(10)

    work(["a", "b", "c"], body, Beats(), NEVER_MS, release)
    assert begun == ["a"]
    assert sorted(released) == ["b", "c"]
    assert helpers() == []


def test_a_stop_that_came_before_releases_everything(work, context):
    context.request_stop()
    released = []
    work(["a", "b"], pytest.fail, Beats(), NEVER_MS, released.append)
    assert released == ["a", "b"]


def test_without_a_release_a_stop_changes_nothing(work, context):
    context.request_stop()
    seen = []
    work(["a", "b"], seen.append, Beats(), NEVER_MS)
    assert seen == ["a", "b"]


def test_a_release_that_fails_is_told_and_the_next_is_released(work, context, caplog):
    context.request_stop()
    released = []

    def release(item):
        released.append(item)
        raise RunError("queue-unavailable", "away")

    with caplog.at_level(logging.WARNING):
        work(["a", "b"], pytest.fail, Beats(), NEVER_MS, release)
    assert released == ["a", "b"]
    assert "away" in caplog.text


def test_what_was_given_up_is_not_released(work, context):
    beats = Beats({"b": False})
    released = []

    def body(item):
        beats.wait_for("b", "c")
        context.request_stop()

    work(["a", "b", "c"], body, beats, release=released.append)
    assert released == ["c"]
