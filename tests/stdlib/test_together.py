"""`concurrently`, `with-time-limit` and the backoffs."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.errors import Cancelled, RunError
from graphden.stdlib.backoff import exponential


def test_so_many_threads_run_the_body_at_once(call, context):
    barrier = threading.Barrier(5)
    call("concurrently", 5, lambda: barrier.wait(10), context=context)


def test_one_runs_in_the_calling_thread(call, context):
    threads = []
    call("concurrently", 1, lambda: threads.append(threading.current_thread()), context=context)
    assert threads == [threading.current_thread()]


@pytest.mark.parametrize("kind", [ValueError, SystemExit])
def test_when_one_fails_the_others_are_cancelled_and_it_is_raised(call, context, kind):
    first = threading.Lock()

    def body():
        if first.acquire(blocking=False):
            raise kind("broken")
        while True:
            context.check()
            time.sleep(0.001)

    with pytest.raises(kind, match="broken"):
        call("concurrently", 3, body, context=context)
    context.check()


def test_a_cancel_of_the_run_ends_all_of_them(call, context):
    running = threading.Barrier(4)

    def body():
        running.wait(10)
        while True:
            context.check()
            time.sleep(0.001)

    def cancel():
        running.wait(10)
        context.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(Cancelled):
        call("concurrently", 3, body, context=context)
    canceller.join()


def test_its_threads_are_inside_of_the_scopes_around_it(call, context):
    def body():
        while True:
            context.check()
            time.sleep(0.001)

    with pytest.raises(RunError) as caught:
        call(
            "with-time-limit",
            20,
            lambda: call("concurrently", 3, body, context=context),
            context=context,
        )
    assert caught.value.code == "deadline-exceeded"


def test_a_body_within_its_limit_gives_its_value(call, context):
    assert call("with-time-limit", 60_000, lambda: 7, context=context) == 7
    assert call("with-time-limit", None, lambda: 8, context=context) == 8
    assert call("with-time-limit", 1e300, lambda: 9, context=context) == 9


def test_the_limit_is_over_with_the_body(call, context):
    call("with-time-limit", 10, lambda: None, context=context)
    context.wait(0.05)
    context.check()


@pytest.mark.parametrize("ms", [0, -1, float("inf"), "1"])
def test_a_limit_that_is_none_is_refused(call, context, ms):
    with pytest.raises(RunError, match="with-time-limit"):
        call("with-time-limit", ms, lambda: None, context=context)


@given(
    st.integers(0, 10**9),
    st.floats(0, 1e9),
    st.floats(0, 1e12),
    st.floats(1, 1e6),
    st.floats(0, 1),
)
def test_a_backoff_is_never_negative_nor_above_its_limit(tries, first, most, factor, jitter):
    assert 0 <= exponential(tries, first, most, factor, jitter) <= most


@given(st.integers(1, 40))
def test_without_jitter_it_doubles_up_to_its_limit(tries):
    assert exponential(tries, 100, 60_000, 2, 0) == min(60_000, 100 * 2 ** (tries - 1))


@pytest.mark.parametrize(("factor", "jitter"), [(0.5, 0), (2, -0.1), (2, 1.1), ("x", 0)])
def test_factors_and_jitters_out_of_range_are_refused(factor, jitter):
    with pytest.raises(RunError, match="exponential-backoff"):
        exponential(1, 100, 1_000, factor, jitter)
