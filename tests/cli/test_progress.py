"""What is told of a slow start."""

from __future__ import annotations

import pytest

from graphden.cli import opening


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(opening.time, "monotonic", lambda: now[0])
    return now


def test_a_quick_start_is_silent_when_nobody_watches(clock, capsys):
    progress = opening.Progress()
    progress("starting PostgreSQL")
    clock[0] += 1.9
    progress("migrating")
    assert capsys.readouterr() == ("", "")


def test_a_slow_start_is_told(clock, capsys):
    progress = opening.Progress()
    progress("starting PostgreSQL")
    clock[0] += 2.0
    progress("migrating")
    assert capsys.readouterr() == ("", "… migrating\n")


def test_in_a_terminal_it_is_told_at_once(clock, capsys, monkeypatch):
    monkeypatch.setattr(opening.sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    opening.Progress()("starting PostgreSQL")
    assert capsys.readouterr().err == "… starting PostgreSQL\n"
