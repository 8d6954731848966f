"""What a process must do so that what runs becomes what should run: a pure function.

Every process asks it about all services and acts on its own instances alone; that two of them
want the same free slot is settled by the slot's lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from graphden.services.values import LIVE, Instance, Kind, Restart, Service, State

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
"""The pause before a restart begins with the first and doubles up to the longest."""

LASTING_S = 60.0
"""Who ran so long has not failed to start: the pauses begin anew."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A service that is enabled, and the revision that it should run; None when that is not
    known, and what runs is left running.
    """

    service: Service
    revision: str | None


@dataclass(frozen=True, slots=True)
class Start:
    """Begin an instance in a slot that is free."""

    service: Service
    slot: int
    revision: str
    restarts: int


@dataclass(frozen=True, slots=True)
class Drain:
    """Let an instance of this process finish what it has, and end."""

    instance: UUID


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do now, and in how many seconds something more will be due, if anything."""

    actions: tuple[Start | Drain, ...]
    again_s: float | None


def reconcile(wanted: Iterable[Wanted], actual: Iterable[Instance], process: UUID) -> Plan:
    """What `process` must do; `actual` are all instances of all processes."""
    by_service = {each.service.id: each for each in wanted}
    live: dict[tuple[object, ...], Instance] = {}
    last: dict[tuple[object, ...], Instance] = {}
    actions: list[Start | Drain] = []
    for instance in actual:
        want = by_service.get(instance.service)
        slot = _slot(instance, want)
        if instance.state not in LIVE or instance.lost:
            before = last.get(slot)
            if before is None or before.started_at <= instance.started_at:
                last[slot] = instance
            continue
        live[slot] = instance
        is_mine = instance.process == process and instance.state is State.RUNNING
        if is_mine and not _may_stay(instance, want):
            actions.append(Drain(instance.id))
    dues: list[float] = []
    for want in by_service.values():
        if want.revision is None:
            continue
        service = want.service
        for number in range(service.slots if service.kind is Kind.POOL else 1):
            key = (service.id, number, process if service.kind is Kind.PER_PROCESS else None)
            if key in live:
                continue
            due = _due_s(service, want.revision, last.get(key))
            if due is None:
                continue
            if due > 0:
                dues.append(due)
            else:
                restarts = _restarts(service, want.revision, last.get(key))
                actions.append(Start(service, number, want.revision, restarts))
    return Plan(tuple(actions), min(dues, default=None))


def _slot(instance: Instance, want: Wanted | None) -> tuple[object, ...]:
    own = want is not None and want.service.kind is Kind.PER_PROCESS
    return instance.service, instance.slot, instance.process if own else None


def _may_stay(instance: Instance, want: Wanted | None) -> bool:
    if want is None:
        return False
    kept = want.revision is None or want.revision == instance.revision
    slots = want.service.slots if want.service.kind is Kind.POOL else 1
    return kept and instance.slot < slots and instance.generation == want.service.generation


def _due_s(service: Service, revision: str, last: Instance | None) -> float | None:
    """In how many seconds a free slot is to be filled; None when it stays empty."""
    if last is None or not _continues(service, revision, last):
        return 0.0
    if last.lost and not last.restarts:
        return 0.0  # its process died, which may be no fault of the row's
    failed = last.state is State.FAILED
    match service.restart:
        case Restart.NEVER:
            return None
        case Restart.ON_FAILURE if not failed:
            return None
    return pause_s(0 if _lasted(last) else last.restarts) - (last.ended_s or 0.0)


def _restarts(service: Service, revision: str, last: Instance | None) -> int:
    if last is None or not _continues(service, revision, last) or _lasted(last):
        return 0
    return last.restarts + 1


def _continues(service: Service, revision: str, last: Instance) -> bool:
    """Whether a start now would be a restart of what ended there."""
    return last.revision == revision and last.generation == service.generation


def _lasted(last: Instance) -> bool:
    if last.ended_at is None:
        return False
    return (last.ended_at - last.started_at).total_seconds() >= LASTING_S


def pause_s(restarts: int) -> float:
    """The seconds before the restart that follows `restarts` others."""
    return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(restarts, 10))
