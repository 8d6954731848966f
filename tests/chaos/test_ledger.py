"""The verdict of chaos: what it finds, on logs that are written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphden.chaos import Event, reckon
from graphden.chaos.ledger import EVERYONE, read_log
from graphden.chaos.log import Log

ONE, TWO = 101, 102


def published(*numbers: int) -> list[Event]:
    return [Event(what, 0.0, 7, n) for n in numbers for what in ("sent", "stored")]


def done(number: int, at: float, process: int = ONE) -> Event:
    return Event("done", at, process, number)


def test_what_is_stored_and_handled_once_is_sound() -> None:
    ledger = reckon([*published(1, 2), done(1, 1.0), done(2, 1.0)], claim_s=2)
    assert ledger.sound
    assert (ledger.published, ledger.handled, ledger.duplicates) == (2, 2, {})


def test_what_is_stored_and_never_handled_is_lost() -> None:
    failed = Event("failed", 1.0, ONE, 2)
    ledger = reckon([*published(1, 2), done(1, 1.0), failed], claim_s=2)
    assert not ledger.sound
    assert (ledger.lost, ledger.failures) == ((2,), 1)


@pytest.mark.parametrize("answer", ["refused", "unknown", None])
def test_what_may_not_be_stored_is_not_lost(answer: str | None) -> None:
    events = [Event("sent", 0.0, 7, 1)]
    if answer is not None:
        events.append(Event(answer, 0.1, 7, 1))
    ledger = reckon(events, claim_s=2)
    assert ledger.sound
    assert ledger.unknown == (0 if answer == "refused" else 1)


def test_what_nobody_sent_is_strange() -> None:
    assert reckon([done(5, 1.0)], claim_s=2).strange == (5,)


@pytest.mark.parametrize(
    ("fault", "explained"),
    [
        (Event("killed", 10.02, ONE), True),
        (Event("killed", 11.5, ONE), False),
        (Event("killed", 7.5, ONE), False),
        (Event("killed", 10.02, TWO), False),
        (Event("asked to end", 10.02, ONE), False),
        (Event("snapshot held", 9.0, EVERYONE, -1, 11.0), False),
        (Event("cut off", 10.02, EVERYONE, -1, 10.1), True),
        (Event("read-only", 5.0, EVERYONE, -1, 8.5), True),
        (Event("read-only", 5.0, EVERYONE, -1, 7.5), False),
        (Event("frozen", 9.0, TWO, -1, 12.9), True),
    ],
    ids=str,
)
def test_a_repetition_needs_a_fault_of_its_own_process_and_time(
    fault: Event, explained: bool
) -> None:
    events = [*published(1), done(1, 10.0, ONE), done(1, 13.0, TWO), fault]
    ledger = reckon(events, claim_s=2)
    assert ledger.sound is explained
    assert ledger.duplicates == ({fault.what: 1} if explained else {})
    assert ledger.unexplained == (() if explained else (1,))


def test_a_log_is_read_as_it_was_written_but_for_what_a_kill_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = Log(path)
    log.write_all("sent", range(100))
    log.write("done", 5)
    log.write_fault("frozen", ONE, 1.5, 2.5)
    log.close()
    with path.open("ab") as file:
        file.write(b'["done", 17')
    events = list(read_log(path))
    assert [e.number for e in events if e.what == "sent"] == list(range(100))
    assert events[-1] == Event("frozen", 1.5, ONE, -1, 2.5)
