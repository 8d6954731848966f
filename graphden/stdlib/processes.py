"""Time, loops, schedules: bodies of `stdlib_graphs/processes.edn`.

`with-heartbeat` is in `heartbeat`, the reading of cron expressions in `cron`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from uuid import UUID

from graphden.edn import Keyword
from graphden.errors import Cancelled, RunError
from graphden.run.calling import call_in_trace
from graphden.run.context import Context
from graphden.stdlib import backoff, cron
from graphden.stdlib.arguments import finite, integer, milliseconds, text, wrong
from graphden.stdlib.functions import functions
from graphden.stdlib.heartbeat import Does, beat_while
from graphden.stdlib.parts import items
from graphden.stdlib.threads import MOST_THREADS, call_at_once

_LONGEST_WAIT_S = 60.0
"""How long a wait for a time of day trusts the clock before it looks at it again."""


@functions.add("current-time-ms")
def current_time_ms() -> int:
    return time.time_ns() // 1_000_000


@functions.add("sleep")
def sleep(ms: float, *, context: Context) -> None:
    context.wait(milliseconds("sleep", "ms", ms) / 1000)


@functions.add("sleep-until-ms")
def sleep_until_ms(ms: float, *, context: Context) -> None:
    _wait_until(_time("sleep-until-ms", "ms", ms), context)


@functions.add("stopping?")
def is_stopping(*, context: Context) -> bool:
    return context.stop_requested


@functions.add("loop-until-stopped")
@functions.add("loop-until-interrupted")
def loop_until_stopped(body: Callable[[], object], *, context: Context) -> None:
    context.check()
    while not context.stop_requested:
        body()
        context.check()


@functions.add("call-in-trace")
def call_in_trace_(
    func: Callable[[object], object],
    arg: object,
    trace_id: UUID | None,
    execution_id: UUID | None,
    *,
    context: Context,
) -> object:
    return call_in_trace(context, func, arg, trace_id, execution_id)


@functions.add("with-heartbeat")
def with_heartbeat(
    coll: Sequence[object],
    body: Callable[[object], object],
    beat: Callable[[object], object],
    interval_ms: float,
    release: Callable[[object], object] | None,
    *,
    context: Context,
) -> None:
    interval = milliseconds("with-heartbeat", "interval-ms", interval_ms, positive=True)
    waiting = items("with-heartbeat", "coll", coll)
    if waiting:
        beat_while(waiting, Does(body, beat, release), interval / 1000, context)


@functions.add("with-time-limit")
def with_time_limit(
    ms: float | None, body: Callable[[], object], *, context: Context
) -> object:
    if ms is None:
        return body()
    limit = milliseconds("with-time-limit", "ms", ms, positive=True)
    scope = None
    try:
        with context.scope(timeout_ms=limit) as scope:
            value = body()
        if scope.cancelled is None:
            return value
    except Cancelled as cancelled:
        if cancelled.scope is not scope:
            raise
    raise RunError("deadline-exceeded", f"the time limit of {limit:g} ms was reached")


@functions.add("concurrently")
def concurrently(count: int, body: Callable[[], object], *, context: Context) -> None:
    threads = integer("concurrently", "count", count)
    if not 1 <= threads <= MOST_THREADS:
        raise wrong("concurrently", "count", count, f"1 to {MOST_THREADS:,}")
    call_at_once(threads, body, context)


@functions.add("fixed-backoff")
def fixed_backoff(attempts: int, ms: float) -> float:  # noqa: ARG001 - alike for each
    return milliseconds("fixed-backoff", "ms", ms)


@functions.add("exponential-backoff")
def exponential_backoff(
    attempts: int, first_ms: float, factor: float, most_ms: float, jitter: float
) -> float:
    return backoff.exponential(
        integer("exponential-backoff", "attempts", attempts),
        milliseconds("exponential-backoff", "first-ms", first_ms),
        milliseconds("exponential-backoff", "most-ms", most_ms),
        factor,
        jitter,
    )


@functions.add("cron-parse")
def cron_parse(expression: str) -> dict[Keyword, list[int]]:
    times = cron.parse(text("cron-parse", "expression", expression))
    return {
        Keyword("minutes"): sorted(times.minutes),
        Keyword("hours"): sorted(times.hours),
        Keyword("days"): sorted(times.days),
        Keyword("months"): sorted(times.months),
        Keyword("weekdays"): sorted(times.weekdays),
    }


@functions.add("cron-fire-after")
def cron_fire_after(expression: str, after_ms: float) -> int:
    times = cron.parse(text("cron-fire-after", "expression", expression))
    return times.next_after(_time("cron-fire-after", "after-ms", after_ms))


@functions.add("schedule")
def schedule(expression: str, body: Callable[[int], object], *, context: Context) -> None:
    times = cron.parse(text("schedule", "expression", expression))
    while not context.stop_requested:
        due = times.next_after(current_time_ms())
        _wait_until(due, context)
        if not context.stop_requested:
            body(due)
        context.check()


def _wait_until(time_ms: float, context: Context) -> None:
    while not context.stop_requested:
        context.check()
        remaining = time_ms / 1000 - time.time()
        if remaining <= 0:
            return
        context.wait(min(remaining, _LONGEST_WAIT_S))


def _time(function: str, slot: str, value: object) -> float:
    found = finite(value)
    if found is None:
        raise wrong(function, slot, value, "a time in milliseconds since 1970")
    return found
