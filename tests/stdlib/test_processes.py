"""Bodies of stdlib_graphs/processes.edn, without `with-heartbeat` and cron."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphden.errors import Cancelled, RunError

HOUR_MS = 3_600_000


def test_current_time_is_in_milliseconds(call):
    before = int(time.time() * 1000)
    found = call("current-time-ms")

    assert isinstance(found, int)
    assert before - 1 <= found <= time.time() * 1000 + 1


def test_sleep_takes_its_time(call, context):
    started = time.monotonic()
    call("sleep", 15, context=context)

    assert time.monotonic() - started >= 0.015


@pytest.mark.parametrize(
    ("name", "slot"), [("sleep", HOUR_MS), ("sleep-until-ms", time.time() * 1000 + HOUR_MS)]
)
def test_a_wait_ends_when_a_stop_is_requested(call, context, name, slot):
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(call, name, slot, context=context)
        context.request_stop()

        assert waiting.result(10) is None


@pytest.mark.parametrize(
    ("name", "slot"), [("sleep", HOUR_MS), ("sleep-until-ms", time.time() * 1000 + HOUR_MS)]
)
def test_a_wait_ends_when_the_run_is_cancelled(call, context, name, slot):
    """LANGUAGE 7.5"""
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(call, name, slot, context=context)
        context.cancel()

        with pytest.raises(Cancelled):
            waiting.result(10)


def test_a_time_that_has_passed_is_no_wait(call, context):
    assert call("sleep-until-ms", 0, context=context) is None


@pytest.mark.parametrize("ms", [-1, float("nan"), float("inf"), True, "1"])
def test_sleep_of_what_is_no_duration(call, context, ms):
    with pytest.raises(RunError, match=r"sleep: :ms is .* milliseconds") as raised:
        call("sleep", ms, context=context)

    assert raised.value.code == "invalid-argument"


@pytest.mark.parametrize("name", ["loop-until-stopped", "loop-until-interrupted"])
def test_a_loop_finishes_the_turn_in_which_a_stop_is_requested(call, context, name):
    turns = []

    def body():
        turns.append("begun")
        if len(turns) == 5:
            context.request_stop()
        turns.append("ended")

    assert call(name, body, context=context) is None
    assert turns == ["begun", "ended"] * 3


def test_a_loop_does_not_begin_after_a_stop(call, context):
    context.request_stop()

    call("loop-until-stopped", pytest.fail, context=context)


def test_a_loop_notices_a_cancel_at_its_edge(call, context):
    """LANGUAGE 7.5"""
    turns = []

    def body():
        turns.append(1)
        context.cancel("deadline-exceeded")

    with pytest.raises(Cancelled) as raised:
        call("loop-until-stopped", body, context=context)

    assert raised.value.code == "deadline-exceeded"
    assert turns == [1]


def test_stopping(call, context):
    assert call("stopping?", context=context) is False
    context.request_stop()
    assert call("stopping?", context=context) is True


def test_schedule_calls_the_body_when_it_is_due(call, context, monkeypatch):
    from graphden.stdlib import processes

    clock = FakeClock(59_000)
    monkeypatch.setattr(processes, "time", clock)
    monkeypatch.setattr(context, "wait", clock.advance)
    fired = []

    def body(time_ms):
        fired.append(time_ms)
        clock.advance(90)  # longer than a minute: the next time passes
        if len(fired) == 3:
            context.request_stop()

    call("schedule", "* * * * *", body, context=context)

    assert fired == [60_000, 180_000, 300_000]


class FakeClock:
    """Stands in for the module `time`; a wait moves it on."""

    def __init__(self, now_ms):
        self.now = now_ms / 1000

    def time(self):
        return self.now

    def time_ns(self):
        return round(self.now * 1e9)

    def advance(self, seconds):
        self.now += seconds


def test_schedule_ends_while_it_waits(call, context):
    done = threading.Event()

    def run():
        call("schedule", "0 0 1 1 *", pytest.fail, context=context)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    context.request_stop()

    assert done.wait(10)
    thread.join(10)
