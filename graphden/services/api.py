"""Services as operators see and change them (`App.services`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from graphden.errors import UsageError
from graphden.services import board
from graphden.services.startable import startable
from graphden.services.values import LIVE, Instance, Kind, Restart, Service
from graphden.store import Branches, Session, who

MOST_SLOTS = 1_000


class Services:
    """The services of a database. A service is named by its id or the beginning of it."""

    def __init__(self, session: Callable[[], Session], branches: Branches) -> None:
        self._session = session
        self._branches = branches

    def list(self) -> tuple[Service, ...]:
        """What should run, and what is disabled, in the order in which it was made."""
        return board.services(self._ask)

    def instances(self, service: str | UUID | None = None) -> tuple[Instance, ...]:
        """What runs, of one service or of all, and what has ended last in their slots."""
        wanted = None if service is None else self.get(service).id
        return tuple(
            each for each in board.instances(self._ask) if wanted in {None, each.service}
        )

    def get(self, service: str | UUID) -> Service:
        """One service. Raises UsageError `unknown-service`, also where several begin so."""
        wanted = str(service).lower()
        found = [each for each in self.list() if str(each.id).startswith(wanted)]
        if wanted and len(found) == 1:
            return found[0]
        raise UsageError(
            "unknown-service",
            f"{'several services begin' if wanted and found else 'no service begins'} with "
            f"{service}",
            hint="graphden services lists them.",
        )

    def create(
        self,
        row: str,
        branch: str,
        kind: Kind = Kind.SINGLETON,
        *,
        slots: int = 1,
        restart: Restart = Restart.ALWAYS,
        enabled: bool = True,
    ) -> Service:
        """A new service of a row of a branch, which must be able to run now.

        Raises UsageError `unknown-branch`, `not-a-service`, `service-arguments`,
        `service-slots`; RunError `unknown-row`, `row-has-diagnostics`.
        """
        if not 1 <= slots <= MOST_SLOTS or (slots != 1 and kind is not Kind.POOL):
            raise UsageError(
                "service-slots",
                f"a {kind} cannot have {slots} instances",
                hint=f"A pool has 1 to {MOST_SLOTS}; the others are counted by what they are.",
            )
        startable(self._branches.graph(branch), row)
        [(made,)] = self._ask(
            "add_service",
            {
                "row": row.removeprefix(":"),
                "branch": branch,
                "kind": kind.value,
                "slots": slots,
                "restart": restart.value,
                "enabled": enabled,
                "created_by": who(),
            },
        )
        self._tell()
        return self.get(made)

    def enable(self, service: str | UUID) -> Service:
        """Let it run; what has ended for good begins again. Raises UsageError."""
        return self._enable(service, enabled=True)

    def disable(self, service: str | UUID) -> Service:
        """Let its instances finish what they have, and end. Raises UsageError."""
        return self._enable(service, enabled=False)

    def delete(self, service: str | UUID) -> None:
        """Delete a service that has no instance. Raises UsageError `service-runs`."""
        found = self.get(service)
        if self._ask("delete_service", {"id": found.id}):
            self._tell()
            return
        count = sum(each.state in LIVE for each in self.instances(found.id))
        raise UsageError(
            "service-runs",
            f"the service of :{found.row} has {count} running",
            hint=f"Disable it first, and see it gone: graphden services disable {found.id}",
        )

    def _enable(self, service: str | UUID, *, enabled: bool) -> Service:
        found = self.get(service)
        if enabled:
            startable(self._branches.graph(found.branch), found.row)
        self._ask("enable_service", {"id": found.id, "enabled": enabled})
        self._tell()
        return self.get(found.id)

    def _tell(self) -> None:
        self._ask("tell_service_changed")

    def _ask(
        self, name: str, values: Mapping[str, object] | None = None
    ) -> Sequence[tuple[Any, ...]]:
        return self._session().rows(name, values or {})
