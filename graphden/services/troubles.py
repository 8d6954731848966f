"""What is wrong with services, for people who look at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphden.services.values import LIVE, Instance, Service
from graphden.store import Symptom


def trouble_of(service: Service) -> str | None:
    """What its branch keeps a service from, if anything."""
    if service.broken is not None:
        return f"revision {service.broken[:12]} is broken: {service.broken_error}"
    if service.enabled and service.head is None:
        return f"branch {service.branch} has no revision"
    return None


def of_services(
    services: Iterable[Service], instances: Sequence[Instance]
) -> Iterator[Symptom]:
    """Services that do not run as they should."""
    running = {each.service for each in instances if each.state in LIVE and not each.lost}
    for service in services:
        trouble = trouble_of(service)
        if trouble is not None:
            yield Symptom(
                "service-broken",
                f"the service of :{service.row}: {trouble}",
                f"Push what mends it: graphden push --branch {service.branch}",
            )
        elif service.enabled and service.id not in running:
            errors = [e.last_error for e in instances if e.service == service.id]
            last = errors[-1] if errors else None
            yield Symptom(
                "service-down",
                f"the service of :{service.row} is enabled, and has no instance"
                + (f"; the last error was: {last}" if last else ""),
                "See whether a process serves: graphden serve",
            )
