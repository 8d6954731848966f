"""Signals while something runs."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from graphden.cli import attending
from graphden.cli.attending import attended
from graphden.errors import RunError

PATIENCE = 20.0


def send(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


def test_the_value_of_the_work_is_given():
    assert attended(lambda: 6, []) == 6


def test_what_the_work_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        attended(lambda: 1 // 0, [])


def test_a_signal_is_noticed_however_early_it_comes():
    """The work sends it at once, while the main thread is about to wait."""
    for _ in range(200):
        told = threading.Event()

        def work(told: threading.Event = told) -> bool:
            send(signal.SIGTERM)
            return told.wait(PATIENCE)

        assert attended(work, [lambda _number, told=told: told.set()])


def test_each_signal_has_its_reaction():
    seen: list[signal.Signals] = []
    told = [threading.Event(), threading.Event()]

    def react(number: signal.Signals) -> None:
        seen.append(number)
        told[len(seen) - 1].set()

    def work() -> None:
        send(signal.SIGINT)
        assert told[0].wait(PATIENCE)
        send(signal.SIGTERM)
        assert told[1].wait(PATIENCE)

    attended(work, [react, react])
    assert seen == [signal.SIGINT, signal.SIGTERM]


def test_work_that_does_not_end_is_left_behind(monkeypatch):
    monkeypatch.setattr(attending, "_GRACE_S", 0.01)
    over = threading.Event()

    def work() -> None:
        send(signal.SIGTERM)
        over.wait(PATIENCE)

    with pytest.raises(RunError) as raised:
        attended(work, [lambda _number: None])
    over.set()
    assert raised.value.code == "cancelled"


def test_a_signal_after_the_last_reaction_leaves_the_work_at_once():
    over, told = threading.Event(), threading.Event()

    def work() -> None:
        send(signal.SIGTERM)
        told.wait(PATIENCE)
        send(signal.SIGTERM)
        over.wait(PATIENCE)

    with pytest.raises(RunError):
        attended(work, [lambda _number: told.set()])
    over.set()


def test_handlers_are_as_they_were():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    attended(lambda: None, [])
    after = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert after == before
    assert signal.set_wakeup_fd(-1) == -1
