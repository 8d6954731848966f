"""Queues without leases, in the memory of one App or Graph.

A taken message stays with the run that took it, however long that lasts, until it is settled;
when the run ends, fails or is cancelled, what it has not settled returns to the queue. Nothing
is renewed and nothing lapses, so it has no `extend`: consumers derive
`queue-consumer-leaseless`. Payloads, numbers and names are held to the limits of the durable
queues; what is in memory is gone with the process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from graphden.run import Package
from graphden_leaseless.functions import functions

_HERE: Final = Path(__file__).parent

package: Final = Package(
    name="graphden_leaseless",
    rows=_HERE / "rows",
    functions=functions,
    capabilities=frozenset({"delays", "dead-letters", "wake-up"}),
)

__all__ = ["package"]
