"""`graphden run --save` and `graphden executions`, as processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphden import App
from tests.conftest import new_database
from tests.executions.conftest import until

ROWS = """
{:name :double :parent :mul :args {:nums [2 {:as :number}]}}
{:name :quotient :parent :div :args {:nums [1 {:as :by}]}}
{:name :long :parent :sleep :args {:ms 600000}}
"""
PATIENCE = 60


class Commands:
    """`graphden` in a folder, with a database."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder = folder
        self.environment = {**os.environ, "GRAPHDEN_DATABASE_URL": database_url}

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "graphden", *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def json(self, *words: str) -> Any:
        return json.loads(self(*words, "--json").stdout)

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "graphden", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def database_url(embedded_url: str) -> Iterator[str]:
    """One server is enough: what commands ask it is tested in tests/executions on both."""
    with new_database(embedded_url) as url:
        yield url


@pytest.fixture
def graphden(tmp_path: Path, database_url: str) -> Commands:
    (tmp_path / "rows.edn").write_text(ROWS, "utf-8")
    return Commands(tmp_path, database_url)


def test_a_saved_run_tells_its_id_and_its_value(graphden):
    done = graphden("run", "double", "--arg", "number=3", "--save")
    assert (done.returncode, done.stdout) == (0, "6\n")
    word, execution = done.stderr.split()
    assert word == "execution"
    shown = graphden("executions", "show", execution)
    assert f"run {execution}: user/double, succeeded" in shown.stdout
    assert "arguments  {:number 3}" in shown.stdout
    assert "result     6" in shown.stdout
    answer = graphden.json("run", "double", "--arg", "number=4", "--save")
    assert answer["value"] == 8
    assert graphden.json("executions", "show", answer["execution"])["result"] == "8"


def test_a_saved_run_that_fails_says_why_as_any_other(graphden):
    plain = graphden("run", "quotient", "--arg", "by=0")
    saved = graphden("run", "quotient", "--arg", "by=0", "--save")
    first, _, rest = saved.stderr.partition("\n")
    assert (saved.returncode, rest) == (plain.returncode, plain.stderr) == (1, plain.stderr)
    answer = graphden.json("run", "quotient", "--arg", "by=0", "--save")
    assert answer["error"]["code"] == "division-by-zero"
    listed = graphden.json("executions", "--status", "failed")["executions"]
    assert [each["id"] for each in listed] == [answer["execution"], first.split()[1]]
    assert listed[0]["error"]["place"] == "rows.edn:3:1"


def test_what_cannot_run_gets_no_id(graphden):
    done = graphden("run", "double", "--save")
    assert done.returncode == 1
    assert "execution " not in done.stderr
    assert graphden("executions").stdout == "no executions\n"


def test_a_run_over_its_limit_goes_on_without_its_command(graphden):
    """Whoever reads the command's output need not wait for the run either."""
    done = graphden("run", "long", "--save", "--timeout", "50")
    execution = done.stderr.split()[1]
    assert (done.returncode, done.stdout) == (1, "")
    assert f"it goes on: graphden executions show {execution}" in done.stderr
    assert graphden.json("executions", "show", execution)["status"] == "pending"
    assert graphden("executions", "cancel", execution).stdout.startswith("asked")
    until(lambda: graphden.json("executions", "show", execution)["status"] == "cancelled")
    again = graphden("executions", "cancel", execution)
    assert again.stdout == "it has ended before: cancelled\n"


def test_the_limit_in_json(graphden):
    answer = graphden.json("run", "long", "--save", "--timeout", "50")
    assert (answer.keys(), answer["status"]) == ({"execution", "status"}, "pending")
    graphden("executions", "cancel", answer["execution"])


def test_ctrl_c_cancels_a_saved_run(graphden, database_url):
    running = graphden.start("run", "long", "--save", "--timeout", "600000")
    with App.open(database_url=database_url) as app:
        until(lambda: app.executions.list(status="pending"))
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=PATIENCE)
        assert running.returncode == 1
        assert "[cancelled]" in errors
        assert [each.status for each in app.executions.list()] == ["cancelled"]


def test_a_run_whose_process_is_killed_has_died(graphden, database_url):
    running = graphden.start("run", "long", "--save", "--timeout", "600000")
    with App.open(database_url=database_url) as app:
        until(lambda: app.executions.list(status="pending"))
        [pending] = app.executions.list()
        os.kill(int(str(pending.actor).rpartition(":")[2]), signal.SIGKILL)
        _, errors = running.communicate(timeout=PATIENCE)
        assert running.returncode == 1
        assert "ended by signal 9 [worker-failed]" in errors
        until(lambda: app.executions.list(status="failed"))
        [found] = app.executions.list()
        assert (found.id, found.error and found.error.code) == (pending.id, "died")


def test_a_run_outlives_a_command_that_is_killed(graphden, database_url):
    """A lost client loses no record."""
    running = graphden.start("run", "long", "--save", "--timeout", "600000")
    with App.open(database_url=database_url) as app:
        until(lambda: app.executions.list(status="pending"))
        running.kill()
        running.communicate(timeout=PATIENCE)
        [found] = app.executions.list()
        assert found.status == "pending"
        app.executions.cancel(found.id)
        until(lambda: app.executions.list(status="cancelled"))


def test_a_run_is_run_again(graphden):
    first = graphden.json("run", "double", "--arg", "number=3", "--save")["execution"]
    again = graphden("executions", "rerun", first)
    assert (again.returncode, again.stdout) == (0, "6\n")
    other = graphden.json("executions", "rerun", first, "--arg", "number=5")
    assert other["value"] == 10
    assert graphden.json("executions", "show", other["execution"])["rerun-of"] == first


def test_a_saved_trace_is_drawn_as_it_was(graphden):
    done = graphden("run", "double", "--arg", "number=3", "--save", "--trace", "--values")
    _, execution, *tree = done.stderr.split(maxsplit=2)
    drawn = graphden("executions", "trace", execution)
    assert drawn.stdout == tree[0]
    assert ":double" in drawn.stdout
    spans = graphden.json("executions", "trace", execution)["trace"]["spans"]
    assert [span["value"] for span in spans] == ["6"]
    other = graphden.json("run", "double", "--arg", "number=3", "--save")["execution"]
    untraced = graphden("executions", "trace", other)
    assert (untraced.returncode, untraced.stdout) == (1, "")


def test_old_ones_are_forgotten(graphden):
    graphden("run", "double", "--arg", "number=3", "--save")
    kept = graphden("executions", "prune", "--older-than", "1d")
    assert kept.stdout == "forgot 0 executions\n"
    gone = graphden.json("executions", "prune", "--older-than", "0s", "--status", "succeeded")
    assert gone == {"pruned": 1}


@pytest.mark.parametrize(
    "words",
    [
        ("show", "6f1ceb24"),
        ("prune", "--older-than", "soon"),
        ("prune",),
        ("list", "--status", "well"),
        ("list", "--limit", "0"),
    ],
)
def test_wrong_use_is_told(graphden, words):
    done = graphden("executions", *words)
    assert (done.returncode, done.stdout) == (2, "")


def test_an_execution_that_is_not_there(graphden):
    done = graphden("executions", "show", "6f1ceb24-8f4e-4b0e-9f0c-0c5a0f7d8d11")
    assert done.returncode == 1
    assert "[unknown-execution]" in done.stderr
