"""What came of a run of chaos, reckoned from its log."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

EVERYONE = 0
"""The process of a fault that is done to the database, and so to all."""

AFTER_S = 1.0
"""So long after a handling its acknowledgement may be on its way: it waits 50 ms for others,
and then for the database.
"""


EXPLAINING = frozenset(("killed", "frozen", "cut off", "restarted", "read-only"))
"""Faults after which a message may be handled twice. A worker that is asked to end, a snapshot
that is held, a server without free connections are no excuse.
"""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a process did, or that was done to it, at `at` seconds.

    `what` is `sent`, `stored`, `refused` or `unknown` of a publisher; `begun`, `done`, `failed`
    of a worker; or the name of a fault, which lasted until `until`.
    """

    what: str
    at: float
    process: int
    number: int = -1
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class Ledger:
    """The verdict. `duplicates` counts repeated handlings by the fault that explains them;
    `unexplained` are messages that were repeated without one, `lost` those that were stored and
    never handled, `strange` those that were handled and never sent.
    """

    published: int
    unknown: int
    handled: int
    failures: int
    duplicates: dict[str, int]
    unexplained: tuple[int, ...]
    lost: tuple[int, ...]
    strange: tuple[int, ...]
    faults: dict[str, int]

    @property
    def sound(self) -> bool:
        """Whether nothing was lost, and each repetition has its reason."""
        return not (self.lost or self.unexplained or self.strange)


def reckon(events: Iterable[Event], *, claim_s: float) -> Ledger:
    """The ledger of a log. A handling whose claim lasts `claim_s` may be repeated for a fault
    that came while it was claimed, or before its acknowledgement was written.
    """
    sent: set[int] = set()
    stored: set[int] = set()
    refused: set[int] = set()
    unknown: set[int] = set()
    done: dict[int, list[Event]] = defaultdict(list)
    faults: dict[int, list[Event]] = defaultdict(list)
    counted: Counter[str] = Counter()
    failures = 0
    for event in events:
        match event.what:
            case "sent":
                sent.add(event.number)
            case "stored":
                stored.add(event.number)
            case "refused":
                refused.add(event.number)
            case "unknown":
                unknown.add(event.number)
            case "done":
                done[event.number].append(event)
            case "failed":
                failures += 1
            case "begun":
                pass
            case fault:
                counted[fault] += 1
                if fault in EXPLAINING:
                    faults[event.process].append(event)
    reasons = _Reasons(faults, claim_s)
    duplicates: Counter[str] = Counter()
    unexplained = []
    for number, handlings in done.items():
        handlings.sort(key=lambda each: each.at)
        for earlier, later in pairwise(handlings):
            # The first one's acknowledgement did not hold, or the second one's claim.
            reason = reasons.of(earlier) or reasons.of(later)
            if reason is None:
                unexplained.append(number)
            else:
                duplicates[reason] += 1
    # A publisher that was killed in the middle cannot know what it has stored.
    cut_off = sent - stored - refused - unknown
    return Ledger(
        published=len(stored),
        unknown=len(unknown | cut_off),
        handled=len(done),
        failures=failures,
        duplicates=dict(sorted(duplicates.items())),
        unexplained=tuple(sorted(set(unexplained))),
        lost=tuple(sorted(stored - done.keys())),
        strange=tuple(sorted(done.keys() - sent)),
        faults=dict(sorted(counted.items())),
    )


class _Reasons:
    """The faults by process and time."""

    def __init__(self, faults: dict[int, list[Event]], claim_s: float) -> None:
        self._claim_s = claim_s
        self._faults = {
            process: sorted(found, key=lambda each: each.at)
            for process, found in faults.items()
        }
        self._starts = {
            process: [each.at for each in found] for process, found in self._faults.items()
        }
        lengths = [each.until - each.at for found in faults.values() for each in found]
        self._longest = max([0.0, *lengths])

    def of(self, handling: Event) -> str | None:
        """The fault during a handling's claim, or before its acknowledgement was written."""
        begin = handling.at - self._claim_s
        end = handling.at + AFTER_S
        for process in (handling.process, EVERYONE):
            starts = self._starts.get(process, [])
            first = bisect_left(starts, begin - self._longest)
            for fault in self._faults.get(process, [])[first : bisect_right(starts, end)]:
                if max(fault.at, fault.until) >= begin:
                    return fault.what
        return None


def read_log(path: Path) -> Iterator[Event]:
    """The events of a log, but for a last line that was cut off."""
    with path.open(encoding="ascii") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield Event(*json.loads(line))
