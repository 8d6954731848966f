"""Chaos: workers and publishers of a scratch database, and faults done to them; a ledger says
what was published, handled, repeated for which reason, and lost.

The verdict comes from a log outside of the queue: what each process wrote, before and after
each thing it did, into one file that none of the faults touches.
"""

from graphden.chaos.ledger import Event, Ledger, reckon
from graphden.chaos.running import Chaos

__all__ = ["Chaos", "Event", "Ledger", "reckon"]
