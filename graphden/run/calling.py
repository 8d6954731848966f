"""In whose name a thread works: what it publishes belongs to a trace and to an execution.

A run has one name for all of its threads; a call in a trace of its own, such as the handling of
a message, has another for the thread that makes it, while it lasts.
"""

from __future__ import annotations

import getpass
import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from graphden.run.context import Context
from graphden.run.lines import row_of


@dataclass(slots=True, eq=False)
class Call:
    """A call in a trace of its own. `row` is the row that was called, where it is one; times
    are monotonic, in seconds.
    """

    context: Context
    argument: object
    row: str | None
    trace_id: UUID | None
    execution_id: UUID | None
    began: float
    ended: float = 0.0


class _Here(threading.local):
    current: Call | None = None
    last: Call | None = None


_here = _Here()


def call_in_trace(
    context: Context,
    func: Callable[[object], object],
    argument: object,
    trace_id: UUID | None,
    execution_id: UUID | None,
) -> object:
    """Call `func`; what it publishes belongs to this trace and this execution."""
    outer = _here.current
    row = row_of(func)
    call = Call(context, argument, row, trace_id, execution_id, time.monotonic())
    _here.current = call
    try:
        return func(argument)
    finally:
        call.ended = time.monotonic()
        _here.current, _here.last = outer, call


def last_call(argument: object) -> Call | None:
    """The last call that this thread made in a trace, if it was of this very argument; once."""
    call, _here.last = _here.last, None
    return call if call is not None and call.argument is argument else None


def publisher(context: Context) -> tuple[UUID | None, UUID | None]:
    """The trace and the execution that what this thread publishes belongs to."""
    call = _here.current
    if call is not None and call.context is context:
        return call.trace_id, call.execution_id
    return context.trace_id, context.execution_id


def actor() -> str:
    """Who this process acts for: user@host:process."""
    return f"{_user_and_host()}:{os.getpid()}"


@cache
def _user_and_host() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may run users that have no name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}"
