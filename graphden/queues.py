"""Queues as operators see them and act on them (QUEUES 8.1): `App.queues`.

Everything goes through the rows of the backend that is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, cast
from uuid import UUID

Map: TypeAlias = dict[str, Any]
"""What is told of a queue or message: a map with keyword keys, which plain text finds too."""
Maps: TypeAlias = list[Map]


class Queues:
    """The queues of an App's database. Each call raises RunError: `invalid-argument`,
    `queue-unavailable`, `queue-not-migrated` or `queue-refused`.
    """

    def __init__(self, run_row: Callable[[str, Mapping[str, object]], object]) -> None:
        self._run_row = run_row

    def list(self) -> Maps:
        """Every queue: queue, pending, delayed, claimed, lapsed, dead, oldest-ms (age of the
        oldest pending message), rate (messages taken in the last minute), paused, keep-dead-ms.
        """
        return cast("Maps", self._run_row("queue-list", {}))

    def messages(self, queue: str, state: str | None = None, limit: int = 100) -> Maps:
        """The oldest messages of a queue, of one state or all: id, queue, state, attempts,
        error, due, claimed-until, published, payload, trace-id.
        """
        arguments = {"queue": queue, "limit": limit, **_given(state=state)}
        return cast("Maps", self._run_row("queue-messages", arguments))

    def requeue(self, ids: Iterable[UUID]) -> Maps:
        """Give dead messages a new life: pending, attempts 0, error cleared, same id and trace.
        For each id its result (requeued, refused, missing) and, if refused, the reason.
        """
        return cast("Maps", self._run_row("queue-requeue", {"ids": [*ids]}))

    def delete(self, ids: Iterable[UUID]) -> Maps:
        """Delete messages that no consumer holds. For each id its result (deleted, refused,
        missing) and reason.
        """
        return cast("Maps", self._run_row("queue-delete", {"ids": [*ids]}))

    def purge(self, queue: str, state: str | None = None, *, force: bool = False) -> Map:
        """Delete what is in a queue, of one state or all: how many were purged, and how many
        are held by consumers and stay. With `force` these go too, and settling them answers
        :lost.
        """
        arguments = {"queue": queue, "force": force, **_given(state=state)}
        return cast("Map", self._run_row("queue-purge", arguments))

    def pause(self, queue: str) -> None:
        """Hand out nothing of a queue until it is resumed, also after restarts. Publishing goes
        on, and what is held is renewed and settled as ever.
        """
        self._run_row("queue-pause", {"queue": queue})

    def resume(self, queue: str) -> None:
        """Hand out the messages of a paused queue again, at once to consumers that wait."""
        self._run_row("queue-resume", {"queue": queue})

    def retain(self, queue: str, dead_ms: float | None = None) -> None:
        """Delete dead messages of a queue `dead_ms` milliseconds after they died; None, which
        is how each queue begins, keeps them for ever.
        """
        self._run_row("queue-retain", {"queue": queue, **_given(dead_ms=dead_ms)})


def _given(**arguments: object) -> dict[str, object]:
    """The arguments that are not None, by their slots."""
    return {
        name.replace("_", "-"): value for name, value in arguments.items() if value is not None
    }
