"""`graphden check --watch`: a process that sees files change."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest

GOOD = "{:name :six :parent :mul :args {:nums [2 3]}}\n"
BAD = "{:name :six :parent :mul :args {:nums [2 :three]}}\n"


@pytest.fixture
def save(folder):
    """Write rows all at once, so that nobody sees half a file."""

    def write(text: str, name: str = "rows.edn") -> None:
        half = folder / "half"
        half.write_text(text, encoding="utf-8")
        half.replace(folder / name)

    return write


def verdict(said: str) -> str:
    """A line without what it says of the time."""
    text, ms = re.fullmatch(r"(.*?)  (\d+) ms; watching, Ctrl-C ends", said).groups()
    assert int(ms) < 20_000
    return text


def test_what_is_saved_is_checked_again_until_interrupted(start, save):
    save(GOOD)
    process = start("check", "--watch")
    assert verdict(process.said()) == "1 row, no problems"
    save(BAD)
    assert verdict(process.said()) == "1 problem"
    assert "2 :three]" in process.logged(" 1 |")
    save(GOOD + GOOD.replace("six", "also-six"))
    assert verdict(process.said()) == "2 rows, no problems"
    process.signal(signal.SIGINT)
    assert process.ended() == 0


def test_the_line_that_is_shown_is_the_saved_one(start, save):
    save(BAD)
    process = start("check", "-w", "rows.edn")
    assert ":three" in process.logged(" 1 |")
    save(BAD.replace(":three", ":four"))
    assert ":four" in process.logged(" 1 |")


def test_files_may_come_and_go(start, save, folder):
    (folder / "more").mkdir()
    save(GOOD, "more/six.edn")
    process = start("check", "--watch", "--json", "more")
    assert json.loads(process.said())["problems"] == []
    save(BAD.replace("six", "seven"), "more/seven.edn")
    assert [p["code"] for p in json.loads(process.said())["problems"]] == ["unknown-row"]
    (folder / "more" / "seven.edn").unlink()
    assert json.loads(process.said())["problems"] == []
    (folder / "more" / "six.edn").unlink()
    assert json.loads(process.said())["error"]["code"] == "no-rows"
    save(GOOD, "more/six.edn")
    found = json.loads(process.said())
    assert (found["problems"], found["diagnostics"]) == ([], [])
    assert found["ms"] > 0


def test_a_path_that_is_not_there_at_the_start_is_wrong_use(run):
    assert run("check", "--watch", "nowhere.edn").code == 2


def test_a_terminal_is_cleared_before_each_check(save):
    save(GOOD)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "graphden", "check", "--watch", "rows.edn"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    try:
        with os.fdopen(ours, "rb", buffering=0) as screen:
            assert b"\x1b[H1 row, no problems" in until_watching(screen)
            save(GOOD + GOOD.replace("six", "nine"))
            assert b"\x1b[2J\x1b[3J\x1b[H2 rows, no problems" in until_watching(screen)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(theirs)


def until_watching(screen) -> bytes:
    """What the terminal shows up to the end of a check."""
    seen = b""
    while b"Ctrl-C ends" not in seen:
        seen += screen.read(1024)
    return seen
