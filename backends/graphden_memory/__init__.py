"""Queues in the memory of one App or Graph: as strict as durable ones, gone with the process.

Payloads pass through the same codec, numbers and names have the same limits, claims have tokens
and deadlines. Deadlines are measured by the monotonic clock.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from graphden.run import Package
from graphden_memory.functions import functions

_HERE: Final = Path(__file__).parent

package: Final = Package(
    name="graphden_memory",
    rows=_HERE / "rows",
    functions=functions,
    capabilities=frozenset({"leases", "delays", "dead-letters", "keys", "wake-up"}),
)

__all__ = ["package"]
