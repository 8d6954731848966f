"""Order, failure, calls, recursion, cells: bodies of `stdlib_graphs/control.edn`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import NoReturn

from graphden.edn import Keyword
from graphden.errors import Cancelled, RunError
from graphden.run.context import Context
from graphden.run.failures import as_run_error
from graphden.run.registry import Expression
from graphden.stdlib.arguments import text, wrong
from graphden.stdlib.cells import Cell
from graphden.stdlib.functions import functions
from graphden.stdlib.strings import as_text

FIX_DEPTH = 2_500
"""How deep calls of `fix` may nest on one thread. The recursion limit of 40,000 frames that the
engine sets leaves each of them 16 frames."""


@functions.add("do", inline="do")
def do(steps: Sequence[object]) -> object:
    return steps[-1] if steps else None


@functions.add(
    "try", inline="try", needs={"as_run_error": as_run_error, "Cancelled": Cancelled}
)
def try_(body: Callable[[], object], on_throw: Callable[[object], object]) -> object:
    try:
        return body()
    except Cancelled:
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit and its like too (LANGUAGE 11)
        return on_throw(as_run_error(error))


@functions.add("throw")
def throw(exception: object) -> NoReturn:
    if isinstance(exception, BaseException):
        raise exception
    raise RunError("thrown", as_text(exception), data=exception)


@functions.add("ex-info")
def ex_info(message: str, data: object) -> RunError:
    return RunError("thrown", text("ex-info", "message", message), data=data)


@functions.add("throwable-message")
def throwable_message(ex: object) -> str:
    return _error("throwable-message", ex).message


@functions.add("ex-data")
def ex_data(ex: object) -> object:
    return ex.data if isinstance(ex, RunError) else None


@functions.add("ex-describe")
def ex_describe(ex: object) -> dict[Keyword, object]:
    error = _error("ex-describe", ex)
    cause = error.__cause__
    known = error.code != "base-function-error" or cause is None
    return {
        Keyword("type"): error.code if known else type(cause).__name__,
        Keyword("message"): error.message,
        Keyword("place"): _place(error),
        Keyword("data"): error.data,
    }


@functions.add("invoke", inline="call", template=Expression("func(arg)", calls=True))
@functions.add("call", inline="call", template=Expression("func(arg)", calls=True))
def call(func: Callable[[object], object], arg: object) -> object:
    return func(arg)


@functions.add("call-with", template=Expression("func(first, second)", calls=True))
def call_with(
    func: Callable[[object, object], object], first: object, second: object
) -> object:
    return func(first, second)


@functions.add("call-noargs", template=Expression("func()", calls=True))
def call_noargs(func: Callable[[], object]) -> object:
    return func()


class _Depth(threading.local):
    """How many calls of `fix` the current thread is inside of."""

    calls = 0


_depth = _Depth()


@functions.add("fix", inline="fix")
def fix(step: Callable[[object, Callable[[object], object]], object], input: object) -> object:
    # Everything between two levels is a Python function calling another: those nest on the
    # heap, so that only the count limits them, never the C stack.
    def again(input: object) -> object:
        calls = _depth.calls
        if calls >= FIX_DEPTH:
            raise RunError(
                "recursion-depth",
                f"fix: calls are nested more than {FIX_DEPTH:,} deep",
                hint="Make the input smaller in each call, or use reduce or a loop.",
            )
        _depth.calls = calls + 1
        try:
            return step(input, again)
        finally:
            _depth.calls = calls

    return again(input)


@functions.add("atom")
@functions.add("cell")
def cell(initial_value: object) -> Cell:
    return Cell(initial_value)


@functions.add("swap")
def swap(a: Cell, func: Callable[[object], object], *, context: Context) -> object:
    return _cell("swap", a).swap(func, context)


@functions.add("reset")
def reset(a: Cell, v: object, *, context: Context) -> object:
    _cell("reset", a).set(v, context)
    return v


@functions.add("deref")
def deref(a: Cell) -> object:
    return _cell("deref", a).get()


def _cell(function: str, value: object) -> Cell:
    if isinstance(value, Cell):
        return value
    raise wrong(function, "a", value, "a cell (see `atom`)")


def _error(function: str, value: object) -> RunError:
    if isinstance(value, BaseException):
        return as_run_error(value)
    raise wrong(function, "ex", value, "an error")


def _place(error: RunError) -> str | None:
    parts = [error.row or ""]
    if error.span is not None:
        parts.append(f"{error.span.file}:{error.span.line}")
    return " ".join(part for part in parts if part) or None
