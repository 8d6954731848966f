"""What is asked about executions, and done to them: `App.executions`."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from graphden.errors import RunError, UsageError
from graphden.executions.model import DIED, Execution, Kind, Status, Story
from graphden.executions.reading import execution_of, messages_below
from graphden.executions.values import value_of
from graphden.run import Context, actor
from graphden.store import Session

MOST_LISTED: Final = 10_000
MOST_MESSAGES: Final = 1_000
"""Messages below an execution that its story tells of."""
ENDED: Final = (Status.SUCCEEDED, Status.FAILED, Status.CANCELLED)

_LOST_RUN: Final = json.dumps(
    {
        "code": DIED,
        "message": "its process died, or lost the database, before the run ended",
        "hint": "If the process comes back with an end, that end is recorded.",
    }
)


Rerun = Callable[[Execution, Mapping[str, object], UUID | None, Context | None], object]
"""Runs the row of an execution again, with these arguments, under this id and in this context
if they are given.
"""


class Executions:
    """What ran, what came of it, and what it caused (QUEUES 6). Every call asks the database.

    All raise UsageError `database-unreachable`; those that take an id, RunError
    `unknown-execution`.
    """

    def __init__(self, session: Callable[[], Session], rerun: Rerun) -> None:
        self._session = session
        self._rerun = rerun

    def list(
        self,
        *,
        status: Status | str | None = None,
        kind: Kind | str | None = None,
        entry: str | None = None,
        before: datetime | None = None,
        limit: int = 100,
    ) -> Sequence[Execution]:
        """The latest executions, newest first, without arguments and results.

        `entry` is a row's name, whole where its namespace is not `user`; `before` the start of
        the last one of the list before; `limit` 1 to 10,000.
        """
        if not 1 <= limit <= MOST_LISTED:
            raise UsageError(
                "wrong-use", f"the limit must be 1 to {MOST_LISTED:,}, not {limit:,}"
            )
        wanted = None if status is None else Status(status)
        values = {
            "status": wanted and wanted.value,
            "kind": kind and Kind(kind).value,
            "entry": entry if entry is None or "/" in entry else f"user/{entry}",
            "before": before,
            "limit": limit,
        }
        self._judge()
        by_status = wanted not in (None, Status.SUCCEEDED)
        name = "list_executions_by_status" if by_status else "list_executions"
        return [execution_of(row) for row in self._session().rows(name, values)]

    def get(self, id: UUID) -> Execution:
        """One execution, whole, with its arguments and its result."""
        self._judge()
        rows = self._session().rows("read_execution", {"id": id})
        if not rows:
            raise _unknown(id)
        return execution_of(rows[0])

    def show(self, id: UUID) -> Story:
        """An execution and what it caused: the messages it published, each with its handlings,
        their failures and success, across retries and requeues, and what those published.
        """
        execution = self.get(id)
        asked = {"id": id, "limit": MOST_MESSAGES + 1}
        links = list(self._session().rows("list_downstream", asked))
        told = links[:MOST_MESSAGES]
        steps = self.of_messages([link[1] for link in told])
        return Story(
            execution, messages_below(id, told, steps), complete=len(links) == len(told)
        )

    def trace(self, id: UUID) -> dict[str, Any] | None:
        """The trace of an execution, as `Trace.data` gives it; None when it was not traced."""
        rows = self._session().rows("read_trace", {"id": id})
        if not rows:
            raise _unknown(id)
        found: dict[str, Any] | None = rows[0][0]
        return found

    def of_messages(self, ids: Collection[UUID]) -> Sequence[Execution]:
        """What happened to messages, in order: their handlings, and what operators did."""
        if not ids:
            return []
        rows = self._session().rows("list_executions_of_message", {"messages": list(ids)})
        return [execution_of(row) for row in rows]

    def cancel(self, id: UUID) -> Execution:
        """Ask for a pending run to be cancelled, whatever process runs it: it ends at its next
        check. The execution as it stands; one that has ended stays as it is.
        """
        self._session().rows("ask_cancel", {"id": id, "actor": actor()})
        return self.get(id)

    def rerun(
        self,
        id: UUID,
        arguments: Mapping[str, object] | None = None,
        *,
        execution_id: UUID | None = None,
        context: Context | None = None,
    ) -> object:
        """Run the row again as it is now, with the recorded arguments; `arguments` replace
        those of the same name. The value; the new execution refers to the old one.

        Raises RunError `not-repeatable` when the arguments are not known whole, and what the
        run raises.
        """
        execution = self.get(id)
        given = dict(arguments or {})
        values = {**_arguments_of(execution, given), **given}
        return self._rerun(execution, values, execution_id, context)

    def prune(
        self,
        older_than: timedelta,
        statuses: Collection[Status | str] = ENDED,
    ) -> int:
        """Forget executions that ended so long ago with one of the statuses; how many they
        were. Pending ones stay.
        """
        values = {
            "age_ms": older_than.total_seconds() * 1000,
            "statuses": [Status(status).value for status in statuses],
        }
        self._judge()
        total = 0
        while gone := len(self._session().rows("prune_executions", values)):
            total += gone
        return total

    def _judge(self) -> None:
        """Runs whose process is gone have ended with it."""
        self._session().rows("judge_lost", {"error": _LOST_RUN})


def _arguments_of(execution: Execution, given: Mapping[str, object]) -> Mapping[str, object]:
    """The recorded arguments that are not `given` anew."""
    if execution.kind is not Kind.RUN or execution.entry is None:
        raise _not_repeatable(execution, "it is no run of a row")
    try:
        if "arguments" in execution.cut:
            raise ValueError("cut")
        recorded = value_of(execution.arguments or "{}")
    except ValueError:
        raise _not_repeatable(execution, "not all of its arguments were recorded") from None
    if not isinstance(recorded, dict):
        raise TypeError(recorded)
    names = {str.__str__(name): value for name, value in recorded.items()}
    if execution.hidden and not names.keys() <= given.keys():
        raise _not_repeatable(execution, "a secret among its arguments was not recorded")
    return names


def _unknown(id: UUID) -> RunError:
    return RunError(
        "unknown-execution",
        f"there is no execution {id}",
        hint="It was never recorded, or its record was pruned.",
    )


def _not_repeatable(execution: Execution, why: str) -> RunError:
    return RunError(
        "not-repeatable",
        f"execution {execution.id} cannot be run again as it was: {why}",
        hint="Give all arguments anew, or run the row itself.",
    )
