"""What the database says of services, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from graphden.services.values import Instance, Kind, Restart, Service, State


class Ask(Protocol):
    """Runs a statement of the store by its name."""

    def __call__(
        self, name: str, values: Mapping[str, object] = ..., /
    ) -> Sequence[tuple[Any, ...]]: ...


def services(ask: Ask) -> tuple[Service, ...]:
    """All services, in the order in which they were made."""
    return tuple(map(_service, ask("list_services")))


def instances(ask: Ask) -> tuple[Instance, ...]:
    """All instances, those that have ended last in their slots included."""
    return tuple(map(_instance, ask("list_service_instances")))


def _service(row: Sequence[Any]) -> Service:
    (
        id_,
        name,
        branch,
        kind,
        slots,
        restart,
        enabled,
        generation,
        revision,
        previous,
        broken,
        broken_error,
        created_by,
        created_at,
        head,
    ) = row
    return Service(
        id_,
        name,
        branch,
        Kind(kind),
        slots,
        Restart(restart),
        enabled,
        generation,
        _hex(revision),
        _hex(previous),
        _hex(broken),
        broken_error,
        created_by,
        created_at,
        _hex(head),
    )


def _instance(row: Sequence[Any]) -> Instance:
    id_, service, slot, process, revision, generation, state, *rest = row
    return Instance(
        id_, service, slot, process, revision.hex(), generation, State(state), *rest
    )


def _hex(revision: bytes | None) -> str | None:
    return None if revision is None else revision.hex()
