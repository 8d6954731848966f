"""Services: rows that keep running, what should run against what does.

A service names a row of a branch; what should run is one table, what runs another. Any number
of processes compare the two with a pure function, `reconcile`, and each starts and ends its own
instances. What a process holds is bound to its session: it dies with it.
"""

from graphden.services.api import Services
from graphden.services.process import ServiceProcess
from graphden.services.reconcile import Drain, Plan, Start, Wanted, reconcile
from graphden.services.running import Host
from graphden.services.values import Instance, Kind, Restart, Service, State

__all__ = [
    "Drain",
    "Host",
    "Instance",
    "Kind",
    "Plan",
    "Restart",
    "Service",
    "ServiceProcess",
    "Services",
    "Start",
    "State",
    "Wanted",
    "reconcile",
]
