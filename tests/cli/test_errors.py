"""What is shown when things go wrong: colours, places, exit codes."""

from __future__ import annotations

import io

import pytest

from graphden.cli.output import Style

AWAY = "postgresql://me:pass-word@127.0.0.1:1/nowhere"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def plain_environment(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_colours_in_a_terminal(plain_environment):
    assert Style(Terminal())("red", "error") == "\x1b[1;31merror\x1b[0m"


def test_no_colours_into_a_file(plain_environment):
    assert Style(io.StringIO())("red", "error") == "error"


def test_no_colours_with_no_color(plain_environment, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert Style(Terminal())("red", "error") == "error"


@pytest.mark.parametrize(
    "words", [("publish", "q", "1"), ("queues",), ("db", "status"), ("db", "migrate")]
)
def test_a_database_that_is_away_is_a_failure_without_its_password(run, words):
    result = run(*words, "--database-url", AWAY, "--json")
    assert result.code == 1
    error = result.json["error"]
    assert (error["code"], error["row"], error["file"]) == ("database-unreachable", None, None)
    assert "pass-word" not in result.out


def test_work_ends_when_the_database_is_away(run, rows):
    rows('{:name :w :parent :pg-queue-consumer :args {:queue "q" :handler :h}}\n'
         '{:name :h :parent :const :args {:value 1}}')  # fmt: skip
    result = run("work", "w", "--database-url", AWAY)
    assert (result.code, result.out) == (1, "")
    assert "[database-unreachable]" in result.err


def test_a_database_url_that_is_none_is_wrong_use(run):
    assert run("db", "status", "--database-url", "nonsense").code == 2


def test_no_traceback_for_a_file_that_is_not_text(run, folder):
    (folder / "rows.edn").write_bytes(b"{:name :a\xff}")
    result = run("check")
    assert result.code == 1
    assert "this file is not UTF-8 text [syntax]" in result.err
    assert "rows.edn:1:10" in result.err


@pytest.mark.parametrize("command", ["run", "show", "explain", "work"])
def test_a_file_where_the_row_stands_is_said(run, rows, command):
    rows("{:name :area :parent :mul :args {:nums [2 3]}}")
    result = run(command, "rows.edn", "area")
    assert result.code == 2
    assert result.err == (
        "error: rows.edn is a file [wrong-use]\n"
        f"  hint: The row comes first: graphden {command} area rows.edn\n"
    )


def test_rows_in_folders_below_are_pointed_at(run, folder):
    (folder / "inner").mkdir()
    (folder / "inner" / "rows.edn").write_text("{:name :six :parent :mul :args {:nums [2 3]}}")
    result = run("check")
    assert result.code == 2
    assert result.err.endswith("graphden check .\n")
    assert run("check", ".").code == 0


def test_a_missing_argument_names_the_option_that_gives_it(run, rows):
    rows("{:name :area :parent :mul :args {:nums [{:as :width} {:as :height}]}}")
    result = run("run", "area", "--arg", "width=2")
    assert result.code == 1
    assert "[missing-argument]" in result.err
    assert result.err.endswith("hint: Add --arg height=JSON.\n")
