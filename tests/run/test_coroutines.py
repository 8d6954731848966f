"""Base functions that are `async def`: run on one loop thread, waited for, cancelled."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading

import pytest

from graphden.errors import Cancelled
from graphden.run import Context, Functions, Resources


@pytest.fixture
def resources():
    found = Resources()
    yield found
    found.close()


def body(function):
    """The body that rows call for a function that was registered."""
    functions = Functions()
    functions.add("f")(function)
    return functions.get("f")


async def current() -> threading.Thread:
    return threading.current_thread()


def test_it_takes_its_slots_and_the_context_as_others_do(resources):
    async def add(one, two, *, context):
        await asyncio.sleep(0)
        return one + two, context

    found = body(add)
    context = Context(resources)
    assert found.parameters == ("one", "two")
    assert found.takes_context
    assert found.function(1, 2, context=context) == (3, context)


def test_all_run_on_one_thread_of_the_app(resources):
    found = body(current)
    threads = {found.function(context=Context(resources)) for _ in range(3)}
    assert len(threads) == 1
    assert threading.current_thread() not in threads


def test_what_it_raises_is_raised(resources):
    async def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        body(fail).function(context=Context(resources))


def test_two_runs_wait_for_each_other_on_the_one_loop(resources):
    come = asyncio.Event()

    async def first():
        await come.wait()
        return "first"

    async def second():
        come.set()
        return "second"

    given: list[object] = []
    waiting = threading.Thread(
        target=lambda: given.append(body(first).function(context=Context(resources)))
    )
    waiting.start()
    assert body(second).function(context=Context(resources)) == "second"
    waiting.join(20)
    assert given == ["first"]


@pytest.fixture
def endless():
    """A coroutine that waits for ever, and events for when it has begun and ended."""
    begun, ended = threading.Event(), threading.Event()

    async def wait():
        begun.set()
        try:
            await asyncio.sleep(3_600)
        finally:
            ended.set()

    return body(wait).function, begun, ended


def test_a_cancel_of_the_run_cancels_it(resources, endless):
    function, begun, ended = endless
    context = Context(resources)
    canceller = threading.Thread(target=lambda: begun.wait(20) and context.cancel())
    canceller.start()
    with pytest.raises(Cancelled):
        function(context=context)
    canceller.join()
    assert ended.is_set()


def test_a_time_limit_around_it_cancels_it(resources, endless):
    function, _, ended = endless
    context = Context(resources)
    with pytest.raises(Cancelled), context.scope(timeout_ms=20):
        function(context=context)
    assert ended.is_set()


def test_a_polite_stop_lets_it_finish(resources):
    context = Context(resources)

    async def stopping():
        context.request_stop()
        await asyncio.sleep(0.02)
        return "finished"

    assert body(stopping).function(context=context) == "finished"


def test_one_that_calls_another_through_rows_is_no_deadlock(resources):
    inner = body(current).function
    context = Context(resources)

    async def outer():
        return inner(context=context), threading.current_thread()

    one, other = body(outer).function(context=context)
    assert one is not other


def test_closing_cancels_what_still_runs(endless):
    function, begun, ended = endless
    resources = Resources()

    def run():
        with pytest.raises(concurrent.futures.CancelledError):
            function(context=Context(resources))

    running = threading.Thread(target=run)
    running.start()
    assert begun.wait(20)
    resources.close()
    running.join(20)
    assert ended.is_set()
    assert not [t for t in threading.enumerate() if t.name == "graphden-loop"]
