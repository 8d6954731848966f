"""Bodies of stdlib_graphs/control.edn."""

import asyncio
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphden.edn import Keyword
from graphden.errors import Cancelled, RunError, Span
from graphden.run import Context
from graphden.stdlib.control import FIX_DEPTH

# What the engine sets when it is imported.
sys.setrecursionlimit(40_000)


def raising(error):
    def body():
        raise error

    return body


def unneeded(exception):
    pytest.fail(f"the handler was called with {exception!r}")


def test_do_gives_the_last(call):
    """LANGUAGE 11, edge behaviour"""
    assert call("do", [1, 2]) == 2
    assert call("do", []) is None


def test_try_without_failure(call):
    assert call("try", lambda: 5, unneeded) == 5


@pytest.mark.parametrize(
    "error",
    [
        ValueError("v"),
        SystemExit(3),
        KeyboardInterrupt(),
        GeneratorExit(),
        asyncio.CancelledError(),
        MemoryError(),
    ],
)
def test_try_catches_whatever_a_row_can_raise(call, error):
    """LANGUAGE 11, edge behaviour"""
    caught = call("try", raising(error), lambda exception: exception)

    assert isinstance(caught, RunError)
    assert caught.code == "base-function-error"
    assert caught.__cause__ is error


def test_try_hands_over_the_error_itself(call):
    error = RunError("thrown", "x", data={"a": 1})

    assert call("try", raising(error), lambda exception: exception) is error


def test_try_names_division_by_zero(call):
    assert call("try", lambda: 1 // 0, lambda error: error.code) == "division-by-zero"


def test_try_lets_the_end_of_the_run_through(call):
    """LANGUAGE 7.5"""
    with pytest.raises(Cancelled):
        call("try", raising(Cancelled("cancelled", "told to end", None)), unneeded)


def test_throw_raises_errors_as_they_are(call):
    error = RunError("queues/later", "later")

    with pytest.raises(RunError) as raised:
        call("throw", error)

    assert raised.value is error


def test_throw_makes_an_error_of_any_value(call):
    with pytest.raises(RunError) as raised:
        call("throw", {Keyword("a"): 1})

    error = raised.value
    assert (error.code, error.message, error.data) == ("thrown", "{:a 1}", {"a": 1})


def test_ex_info(call):
    error = call("ex-info", "no stock", {"sku": 5})

    assert (error.code, error.message, error.data) == ("thrown", "no stock", {"sku": 5})
    assert call("throwable-message", error) == "no stock"
    assert call("ex-data", error) == {"sku": 5}


def test_ex_data_of_what_has_none(call):
    assert call("ex-data", ValueError()) is None
    assert call("ex-data", 5) is None


def test_throwable_message_of_a_value(call):
    with pytest.raises(RunError, match="throwable-message: :ex is the number 5; an error"):
        call("throwable-message", 5)


def test_ex_describe(call):
    span = Span("orders.edn", 12, 3, 12, 9)
    error = RunError("thrown", "no", data=[1], row="orders/ship", span=span)

    assert call("ex-describe", error) == {
        "type": "thrown",
        "message": "no",
        "place": "orders/ship orders.edn:12",
        "data": [1],
    }


def test_ex_describe_names_the_python_type_of_a_foreign_error(call):
    described = call("try", raising(KeyError("k")), lambda error: call("ex-describe", error))

    assert described["type"] == "KeyError"
    assert described["message"] == "KeyError: 'k'"
    assert described["place"] is None


@pytest.mark.parametrize("name", ["invoke", "call"])
def test_calls(call, name):
    assert call(name, lambda arg: arg + 1, 1) == 2


def test_other_calls(call):
    assert call("call-with", lambda first, second: first - second, 5, 3) == 2
    assert call("call-noargs", lambda: 7) == 7


def sum_to(input, self):
    return 0 if input == 0 else input + self(input - 1)


def test_fix(call):
    assert call("fix", sum_to, 4) == 10


def test_fix_nests_1000_calls(call):
    """LANGUAGE 7.4"""
    assert call("fix", sum_to, 1_000) == 500_500


def test_fix_ends_at_its_depth_and_the_process_stays_healthy(call):
    """LANGUAGE 7.4"""
    assert call("fix", sum_to, FIX_DEPTH - 1) == sum(range(FIX_DEPTH))
    for _ in range(3):
        with pytest.raises(RunError) as raised:
            call("fix", sum_to, FIX_DEPTH)
        assert raised.value.code == "recursion-depth"
    assert call("fix", sum_to, FIX_DEPTH - 1) == sum(range(FIX_DEPTH))


def test_fix_inside_fix_counts_together(call):
    def through_two(input, self):
        return call("fix", sum_to, FIX_DEPTH - input - 1) if input == 10 else self(input + 1)

    with pytest.raises(RunError, match="nested more than 2,500 deep"):
        call("fix", through_two, 0)


def test_fix_counts_each_thread_alone(call):
    def then_elsewhere(input, self):
        if input:
            return self(input - 1)
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(call, "fix", sum_to, 2_000).result()

    assert call("fix", then_elsewhere, 2_000) == 2_001_000


@pytest.fixture
def swap(call, context):
    return lambda cell, change: call("swap", cell, change, context=context)


@pytest.mark.parametrize("name", ["atom", "cell"])
def test_cells(call, context, swap, name):
    cell = call(name, 1)

    assert call("deref", cell) == 1
    assert swap(cell, lambda value: value + 1) == 2
    assert call("reset", cell, 5, context=context) == 5
    assert call("deref", cell) == 5


def test_swap_may_use_its_own_cell(call, swap):
    cell = call("atom", 1)

    def twice(value):
        swap(cell, lambda inner: inner + 10)
        return value + call("deref", cell)

    assert swap(cell, twice) == 12


def test_swap_that_fails_leaves_the_cell_as_it_was(call, swap):
    cell = call("atom", 1)

    with pytest.raises(ZeroDivisionError):
        swap(cell, lambda value: value // 0)

    assert call("deref", cell) == 1
    assert swap(cell, lambda value: value + 1) == 2


def test_swap_runs_once_while_other_threads_wait(call, swap):
    cell = call("atom", 0)
    inside = threading.Event()
    go_on = threading.Event()
    calls = []

    def slow(value):
        calls.append(value)
        inside.set()
        assert go_on.wait(10)
        return value + 1

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(swap, cell, slow)
        assert inside.wait(10)
        second = pool.submit(swap, cell, lambda value: value + 10)
        go_on.set()
        assert first.result(10) == 1
        assert second.result(10) == 11

    assert calls == [0]


@pytest.mark.parametrize("threads", [2, 3])
def test_swaps_in_a_ring_end_with_one_that_fails(call, swap, threads):
    """Each holds its own cell and wants its neighbour's: one fails, all others go on."""
    cells = [call("atom", 0) for _ in range(threads)]
    all_hold = threading.Barrier(threads)

    def both(number):
        def change(value):
            all_hold.wait(10)
            return value + swap(cells[(number + 1) % threads], lambda other: other + 1)

        return swap(cells[number], change)

    with ThreadPoolExecutor(threads) as pool:
        swaps = [pool.submit(both, number) for number in range(threads)]
        ends = [one.exception(20) for one in swaps]

    failures = [end for end in ends if end is not None]
    assert [failure.code for failure in failures] == ["core.control/deadlock"]
    assert "Swap one cell after the other" in failures[0].hint


def test_waiting_for_a_cell_that_is_only_busy_is_no_deadlock(call, swap):
    one, other = call("atom", 0), call("atom", 0)
    inside = threading.Event()
    go_on = threading.Event()

    def slow(value):
        inside.set()
        assert go_on.wait(10)
        return value + 1

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(swap, one, slow)
        assert inside.wait(10)
        nested = pool.submit(swap, other, lambda value: swap(one, lambda busy: busy + 10))
        go_on.set()
        assert first.result(10) == 1
        assert nested.result(10) == 11


def test_waiting_for_a_cell_ends_with_the_run(call):
    """LANGUAGE 7.5"""
    cell = call("atom", 0)
    inside = threading.Event()
    go_on = threading.Event()
    waiting = Context()

    def slow(value):
        inside.set()
        assert go_on.wait(10)
        return value + 1

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(call, "swap", cell, slow, context=Context())
        assert inside.wait(10)
        second = pool.submit(call, "reset", cell, 7, context=waiting)
        waiting.cancel()
        with pytest.raises(Cancelled):
            second.result(10)
        go_on.set()
        assert first.result(10) == 1


def test_a_cell_is_needed(swap):
    with pytest.raises(RunError, match=r"swap: :a is the number 5; a cell \(see `atom`\)"):
        swap(5, lambda value: value)
