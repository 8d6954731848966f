"""`graphden demo`: it tells the truth, or fails; and it leaves nothing behind."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from graphden import App
from graphden.cli import demo


def complaints(err: str) -> list[str]:
    """What was said on standard error, without the news of a slow start."""
    return [line for line in err.splitlines() if not line.startswith("… ")]


def folder_of(lines: list[str]) -> Path:
    return next(Path(line.strip()).parent for line in lines if "/graphden-demo-" in line)


STORY = [
    "2 tea",
    "3 messages are pending, 0 attempts each",
    "is consuming",
    "cocoa: attempt 1 failed, to be retried",
    "cocoa: attempt 2 failed, to be retried",
    "cocoa: attempt 3 failed, the last one",
    "two orders are shipped, acknowledged and gone; one is dead",
    "SIGTERM: the worker stopped in order, exit code 0",
    "assertion-failed: assert-some: the value is nil",
    '- .*"coffee" 7}',
    '\\+ .*"coffee" 7, "cocoa" 9}',
    "is pending, 0 attempts, the same id",
    "worker │ shipped 1 cocoa from shelf 9",
    "the queue is empty",
    "SIGTERM: the worker stopped in order, exit code 0",
    "cleaned up",
]


def test_it_plays_on_an_embedded_database_of_its_own(run):
    result = run("demo")
    assert (result.code, complaints(result.err)) == (0, [])
    assert re.search(".*".join(STORY), result.out, re.DOTALL)
    assert "\x1b" not in result.out
    assert not folder_of(result.out.splitlines()).exists()


def test_it_plays_in_a_given_database_and_leaves_no_message(run, database_url):
    result = run("demo", "--database-url", database_url)
    assert (result.code, complaints(result.err)) == (0, [])
    with App.open(database_url=database_url) as app:
        assert app.queues.messages("graphden-demo") == []


def test_what_a_demo_left_that_was_cut_off_is_swept(run, database_url):
    with App.open(database_url=database_url) as app:
        app.publish("graphden-demo", "left")
    assert run("demo", "--database-url", database_url).code == 0


def test_it_fails_when_the_repair_does_not_help(run, monkeypatch):
    monkeypatch.setattr(demo, "_REPAIRED", demo._BROKEN)
    monkeypatch.setattr(demo, "PATIENCE", 3.0)
    result = run("demo")
    assert result.code == 1
    assert "the demo did not go as it should" in result.err
    assert "the queue is empty" not in result.out
    assert not folder_of(result.out.splitlines()).exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_early_it_cleans_up(start, number):
    process = start("demo")
    lines = [process.said()]
    while "is consuming" not in lines[-1]:
        lines.append(process.said())
    worker = int(re.search(r"process (\d+) is", lines[-1])[1])
    process.signal(number)
    assert process.ended() == 130
    assert complaints("\n".join(process.rest(process.err))) == []
    assert not folder_of(lines).exists()
    assert not Path(f"/proc/{worker}").exists()
