"""Settling: ack, nack and extend. The server decides whether a claim still holds, by its token
and its deadline; what does not hold is `:lost`, and nothing changes (QUEUES 3.1, 3.3).

An ack that has time is accepted and written with others (`writing`); every other settlement is
written at once, and its answer is the truth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar, assert_never

import psycopg

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden.run import Context
from graphden_contract import (
    ACCEPTED,
    DEAD,
    DONE,
    HELD,
    LOST,
    RETRY,
    VISIBILITY_MS,
    Failure,
    Held,
    Outcome,
    Retries,
    failure_of,
    held_by,
    used_up,
)
from graphden_postgres.claims import claims
from graphden_postgres.connections import Connections, Lane, Row, connections
from graphden_postgres.failures import explained, is_unavailable
from graphden_postgres.handlings import Record, handling, handlings_text
from graphden_postgres.statements import statement
from graphden_postgres.writing import writer

T = TypeVar("T")

_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5


def ack(message: object, context: Context) -> Keyword:
    """The message was handled: `:accepted` while its claim has time, else `:done`, `:lost`."""
    held = held_by(message)
    book = claims(context)
    recorded = None
    if book.record(held.token) is Record.ALL:
        recorded = handling(message, "done", None)
    # Once a stop was asked for, no take may come that writes it, and the process may end soon.
    accepted = None if context.stop_requested else book.accept(held.token, held.id)
    if accepted is None:
        values = {"handlings": handlings_text([recorded])}
        return _settle(held, "ack", values, context, ended_before=DONE)
    accepted.handling = recorded
    writer(context).add(accepted)
    return ACCEPTED


def nack(message: object, error: object, retries: Retries, context: Context) -> Keyword:
    """The message was not handled well: `:retry`, `:dead`, `:held` (lapsed only) or `:lost`."""
    held = held_by(message)
    failure = failure_of(error)
    retry, most = retries.retry_ms, retries.max_attempts
    recorded = None
    if claims(context).record(held.token) is not Record.NONE:
        recorded = handling(message, failure.outcome.value, failure)
    record: dict[str, object] = {"handlings": handlings_text([recorded])}
    match failure.outcome:
        case Outcome.FAILED:
            retry = retries.delay_after(message)
            values = {"error": failure.text(), "delay_ms": retry, "max_attempts": most}
            return _settle(held, "fail", record | values, context)
        case Outcome.LATER:
            delay = retry if failure.delay_ms is None else failure.delay_ms
            return _settle(held, "postpone", record | {"delay_ms": delay}, context)
        case Outcome.GIVE_UP:
            return _settle(held, "bury", record | {"error": failure.text()}, context)
        case Outcome.RELEASED:
            return _settle(held, "release", {}, context)
        case Outcome.LAPSED:
            values = {"error": used_up(failure).text(), "max_attempts": most}
            return _settle(held, "judge_lapsed", record | values, context)
        case _:
            assert_never(failure.outcome)


def bury_unreadable(held: Held, problem: RunError, context: Context) -> Keyword:
    """The stored payload cannot be read, by anybody: dead at once."""
    failure = Failure(Outcome.GIVE_UP, problem.code, problem.message, None, None)
    values = {"error": failure.text(), "handlings": None}
    return _settle(held, "bury", values, context)


def extend(message: object, visibility_ms: object, context: Context) -> Keyword:
    """Renew the claim: `:done`, or `:lost`. A renewal is one for all messages of a take."""
    held = held_by(message)
    claim_ms = VISIBILITY_MS.read("visibility-ms", visibility_ms)
    book = claims(context)
    if book.is_renewed(held.token, held.id, claim_ms):
        return DONE
    asked_at = time.monotonic()
    values = {"token": held.token, "visibility_ms": claim_ms}

    def renew(_repeated: bool) -> Sequence[Row]:
        return connections(context).rows(statement("extend"), values, Lane.RENEW)

    still_held = {row[0] for row in _while_claimed(renew, held, context) or ()}
    book.renewed(held.token, held.id, still_held, asked_at, claim_ms)
    return DONE if held.id in still_held else LOST


def _settle(
    held: Held,
    verb: str,
    values: Mapping[str, object],
    context: Context,
    ended_before: Keyword = RETRY,
) -> Keyword:
    """Run the settlement VERB; `ended_before` is what it answers when it was done already."""
    pool = connections(context)
    book = claims(context)
    if context.stop_requested or book.is_accepted(held.token, held.id):
        with suppress(psycopg.Error, RunError):  # the statement below meets the same trouble
            writer(context).flush()
    everything = {"id": held.id, "token": held.token, **values}

    def settle(repeated: bool) -> Keyword:
        rows = pool.rows(statement(verb), everything)
        if rows and rows[0][0] is not None:
            settlement, queue_id = rows[0]
            if settlement == RETRY:
                wake(pool, queue_id)
            return Keyword(settlement)
        if repeated:
            # An attempt whose answer was cut off may have been the one that settled it.
            ended = pool.rows(statement("read_settlement"), everything)
            if ended:
                return DEAD if ended[0][0] == DEAD else ended_before
        return LOST

    settlement = _while_claimed(settle, held, context) or LOST
    if settlement != HELD:
        # A lapsed message that is released stays under its lease, which ended.
        kept = settlement == LOST or verb == "release"
        book.settled(held.token, held.id, kept=kept)
    return settlement


def _while_claimed(attempt: Callable[[bool], T], held: Held, context: Context) -> T | None:
    """What `attempt` answers; it is repeated, and told so, when the database is away.

    None when the claim ended before there was an answer. Raises RunError when the database
    refuses for good.
    """
    book = claims(context)
    unknown_ends = time.monotonic() + held.claim_ms / 1000
    pause = _FIRST_PAUSE
    repeated = False
    while True:
        try:
            return attempt(repeated)
        except (psycopg.Error, RunError) as error:
            failure = explained(error) if isinstance(error, psycopg.Error) else error
            if not is_unavailable(failure):
                raise failure from failure.__cause__
        repeated = True
        if time.monotonic() + pause >= (book.ends(held.token) or unknown_ends):
            return None
        context.check()
        # Not context.wait: a stop must not turn the pause between attempts into none.
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def wake(pool: Connections, queue_id: int) -> None:
    """Tell waiting consumers of a message that came back. A hint: they also look themselves."""
    with suppress(psycopg.Error, RunError):
        pool.rows(statement("wake"), {"queue_id": queue_id})
