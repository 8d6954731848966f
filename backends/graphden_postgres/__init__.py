"""Durable queues in PostgreSQL, as rows: publish, take, ack, nack, extend, and operators' acts.

A message is a row of one table; a take puts its messages under a lease with a deadline that
the server's clock judges; every change of a claimed message proves its lease. Waiting consumers
hear NOTIFY on a connection of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from graphden.run import Package
from graphden_postgres.functions import functions

_HERE: Final = Path(__file__).parent

package: Final = Package(
    name="graphden_postgres",
    rows=_HERE / "rows",
    functions=functions,
    migrations=_HERE / "migrations",
    capabilities=frozenset(
        {"leases", "delays", "dead-letters", "keys", "durability", "wake-up"}
    ),
)

__all__ = ["package"]
