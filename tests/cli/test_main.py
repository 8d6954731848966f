"""The door: commands, help, exit codes of wrong use, what it costs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from graphden.cli import CLOSED_PIPE, COMMANDS


def test_the_version_is_printed(run):
    assert run("--version").out == "graphden 0.1.0\n"


def test_help_names_every_command_and_the_exit_codes(run):
    result = run("--help")
    assert result.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.out
    assert "0 done, 1 failed, 2 wrong use" in result.out


def test_no_command_is_wrong_use_and_shows_the_help(run):
    result = run()
    assert result.code == 2
    assert result.out.startswith("usage: graphden COMMAND")


def test_an_unknown_command_names_the_nearest(run):
    result = run("wrok")
    assert result.code == 2
    assert result.err == (
        "error: there is no command wrok [unknown-command]\n"
        "  hint: Did you mean graphden work?\n"
    )


def test_an_unknown_file_names_the_nearest(run, folder):
    (folder / "rows").mkdir()
    (folder / "rows" / "orders.edn").write_text("", encoding="utf-8")
    result = run("check", "rows/ordes.edn")
    assert result.code == 2
    assert "hint: Did you mean rows/orders.edn? You are in " in result.err
    assert "hint: Did you mean rows? You are in " in run("check", "row").err
    assert "hint: You are in " in run("check", "nothing.edn").err


def test_an_unknown_option_names_the_nearest(run):
    result = run("run", "add", "--jsn")
    assert (result.code, result.out) == (2, "")
    assert "Did you mean --json?" in result.err


def test_an_unknown_action_names_the_nearest(run):
    result = run("queues", "pase")
    assert result.code == 2
    assert "Did you mean pause?" in result.err


def test_a_missing_argument_is_wrong_use(run):
    result = run("publish", "orders")
    assert result.code == 2
    assert "the following arguments are required: JSON" in result.err


def test_errors_of_use_are_json_too(run):
    result = run("check", "nowhere.edn", "--json")
    assert result.code == 2
    assert result.json["error"]["code"] == "no-such-file"
    assert set(result.json["error"]) == {
        "code", "message", "row", "file", "line", "column", "hint", "notes",
    }  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_an_example(run, command, capsys):
    with pytest.raises(SystemExit) as ended:
        run(command, "--help")
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert f"example:\n  graphden {command}" in out


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_version_and_help_load_neither_engine_nor_libraries(word):
    script = (
        "import sys; from graphden.cli import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, word], capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert "graphden.cli" in loaded
    heavy = {"argparse", "graphden.engine", "networkx", "pydantic_core", "psycopg"}
    assert not loaded & heavy


def test_python_dash_m_is_the_command_line():
    done = subprocess.run(
        [sys.executable, "-m", "graphden", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "graphden 0.1.0\n"


@pytest.mark.parametrize("words", [["show", "queue-consumer"], ["help"], ["--help"]])
def test_a_reader_that_leaves_early_gets_no_complaint(words):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "graphden", *words],
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (CLOSED_PIPE, "")
