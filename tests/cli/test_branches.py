"""`push`, `set`, `log`, `checkout`, `branches`, and `--branch` (issue of revisions)."""

from __future__ import annotations

from pathlib import Path

import pytest

GREET = '; says hello\n{:name :greet :parent :str :args {:parts ["Hi, " {:as :name}]}}\n'


@pytest.fixture(autouse=True)
def database(database_url, monkeypatch, tmp_path):
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", database_url)
    monkeypatch.chdir(tmp_path)
    Path("greet.edn").write_text(GREET)


def test_push_log_and_checkout(run, tmp_path):
    first = run("push", "--branch", "main", "-m", "one", "--json").json
    assert (first["moved"], first["created"], first["diagnostics"]) == (True, True, [])
    again = run("push", "-b", "main")
    assert again.out == f"branch main has this already, as {first['revision'][:12]}\n"
    Path("greet.edn").write_text(GREET.replace("Hi", "Ho"))
    Path("more").mkdir()
    Path("more/six.edn").write_text("{:name :six :parent :const :args {:value 6}}")
    assert run("push", ".", "-b", "main").out.startswith("branch main is at ")
    head, before = run("log", "-b", "main", "--json").json["revisions"]
    assert (head["files"], head["parents"]) == (
        ["greet.edn", "more/six.edn"],
        [before["revision"]],
    )
    assert (before["revision"], before["message"]) == (first["revision"], "one")
    assert [line for line in run("log", "-b", "main").out.splitlines() if "one" in line]

    beginning = first["revision"][:6]
    refused = run("checkout", "-b", beginning)
    assert refused.code == 2
    assert "greet.edn would be written over; nothing was written" in refused.err
    assert run("checkout", "-b", beginning, "--into", "old").out == "old/greet.edn\n"
    assert Path("old/greet.edn").read_text() == GREET
    assert run("checkout", "-b", beginning, "--force").code == 0
    assert Path("greet.edn").read_text() == GREET


def test_files_elsewhere_are_named_by_their_folder(run, tmp_path, monkeypatch):
    Path("rows").mkdir()
    Path("rows/greet.edn").write_text(GREET)
    Path("other").mkdir()
    monkeypatch.chdir("other")
    run("push", "../rows", "-b", "folder")
    run("push", "../greet.edn", "-b", "file")
    assert run("log", "-b", "folder", "--json").json["revisions"][0]["files"] == [
        "rows/greet.edn"
    ]
    assert run("log", "-b", "file", "--json").json["revisions"][0]["files"] == ["greet.edn"]


def test_set_and_show_and_run_on_a_branch(run):
    run("push", "-b", "main")
    Path("greet.edn").unlink()
    assert run("run", "greet", "-b", "main", "--arg", 'name="Ada"').out == '"Hi, Ada"\n'
    assert run("set", "greet", "parts", '["Ho, " {:as :name}]', "-b", "main").code == 0
    assert run("run", "greet", "-b", "main", "--arg", 'name="Ada"').out == '"Ho, Ada"\n'
    assert ":name" in run("show", "greet", "-b", "main").out
    told = run("profile", "greet", "-b", "main", "--arg", 'name="Ada"', "--json").json
    assert [row["row"] for row in told["profile"]["rows"]] == ["greet"]
    refused = run("show", "greet", "rows.edn", "-b", "main")
    assert (refused.code, "not from both" in refused.err) == (2, True)


def test_an_error_quotes_the_file_as_it_was_pushed(run):
    Path("greet.edn").write_text("{:name :bad :parent :div :args {:nums [1 {:as :b}]}}")
    run("push", "-b", "main")
    Path("greet.edn").write_text("; something else by now\n\n")
    failed = run("run", "bad", "-b", "main", "--arg", "b=0")
    assert failed.code == 1
    assert "{:name :bad" in failed.err
    assert "something else" not in failed.err


def test_a_push_of_wrong_rows(run):
    Path("greet.edn").write_text("{:name :greet :parent :nowhere}")
    refused = run("push", "-b", "main")
    assert (refused.code, "[unknown-row]" in refused.err) == (1, True)
    assert run("branches").out == "no branches\n"
    Path("greet.edn").write_text('{:name :greet :parent :add :args {:nums [1 "x"]}}')
    told = run("push", "-b", "main")
    assert told.code == 0
    assert "[type-mismatch]" in told.err
    assert "rows that reach these problems are not run" in told.err


def test_branches(run):
    run("push", "-b", "main", "-m", "first")
    assert run("branches", "create", "trial", "--of", "main").out.startswith(
        "new branch trial at "
    )
    assert [b["branch"] for b in run("branches", "--json").json["branches"]] == [
        "main",
        "trial",
    ]
    assert "first" in run("branches").out
    assert run("branches", "delete", "main").out == "deleted branch main\n"
    refused = run("branches", "delete", "mian")
    assert (refused.code, "unknown-branch" in refused.err) == (2, True)
