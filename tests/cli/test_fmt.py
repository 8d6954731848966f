"""`graphden fmt`."""

from __future__ import annotations

import io
import stat
import sys
from pathlib import Path

import pytest

from graphden.cli.fmt import replace
from graphden.errors import UsageError

LOOSE = "{:name :six,\n :parent :mul :args {:nums [2 3]}}   ; comment\n"
TIGHT = "{:name :six :parent :mul :args {:nums [2 3]}}  ; comment\n"
DIFF = (
    "--- rows.edn\n"
    "+++ rows.edn\n"
    "@@ -1,2 +1 @@\n"
    "-{:name :six,\n"
    "- :parent :mul :args {:nums [2 3]}}   ; comment\n"
    "+{:name :six :parent :mul :args {:nums [2 3]}}  ; comment\n"
)


@pytest.fixture
def standard_input(monkeypatch):
    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def test_files_of_the_current_folder_are_laid_out(run, rows):
    loose, tight = rows(LOOSE), rows(TIGHT, "tight.edn")
    result = run("fmt")
    assert (result.code, result.out, result.err) == (0, "rows.edn\n1 of 2 files changed\n", "")
    assert (loose.read_text(), tight.read_text()) == (TIGHT, TIGHT)
    assert run("fmt").out == "0 of 2 files changed\n"


def test_only_named_files_and_folders_are_laid_out(run, rows, folder):
    (folder / "more").mkdir()
    other, inside, named = rows(LOOSE), rows(LOOSE, "more/a.edn"), rows(LOOSE, "named.rows")
    assert (
        run("fmt", "more", "named.rows").out == "more/a.edn\nnamed.rows\n2 of 2 files changed\n"
    )
    assert [path.read_text() for path in (other, inside, named)] == [LOOSE, TIGHT, TIGHT]


def test_file_that_is_laid_out_is_not_touched(run, rows):
    path = rows(TIGHT)
    before = path.stat()
    run("fmt")
    assert path.stat() == before


def test_check_writes_nothing_and_fails_when_a_file_would_change(run, rows):
    path = rows(LOOSE)
    result = run("fmt", "--check")
    assert (result.code, result.out) == (1, "rows.edn\n1 of 1 file would change\n")
    assert path.read_text() == LOOSE
    rows(TIGHT)
    result = run("fmt", "--check")
    assert (result.code, result.out) == (0, "0 of 1 file would change\n")


def test_diff_shows_what_would_change_and_writes_nothing(run, rows):
    path = rows(LOOSE)
    result = run("fmt", "--diff")
    assert (result.code, result.out) == (0, DIFF)
    assert path.read_text() == LOOSE
    assert run("fmt", "--diff", "--check").code == 1


def test_diff_shows_a_missing_line_end(run, rows):
    rows("{:name :a}")
    assert run("fmt", "--diff").out == (
        "--- rows.edn\n"
        "+++ rows.edn\n"
        "@@ -1 +1 @@\n"
        "-{:name :a}\n"
        "\\ No newline at end of file\n"
        "+{:name :a}\n"
    )


def test_as_json(run, rows):
    rows(LOOSE)
    rows(TIGHT, "tight.edn")
    result = run("fmt", "--diff", "--json")
    assert result.code == 0
    assert result.json == {
        "files": [
            {"file": "rows.edn", "changed": True, "diff": DIFF.removesuffix("\n")},
            {"file": "tight.edn", "changed": False, "diff": ""},
        ],
        "problems": [],
    }
    assert run("fmt", "--json").json["files"][0] == {"file": "rows.edn", "changed": True}


def test_when_one_file_cannot_be_read_none_is_changed(run, rows, folder):
    loose = rows(LOOSE, "a.edn")
    broken = rows("{:name :b :args {:x 007 :y 1a}}", "b.edn")
    (folder / "c.edn").write_bytes(b'{:name "\xff"}')
    result = run("fmt")
    assert (result.code, result.out) == (1, "")
    assert result.err.count("error: ") == 3
    assert "  b.edn:1:21\n" in result.err
    assert "error: this file is not UTF-8 text [syntax]\n  c.edn:1:9\n" in result.err
    assert result.err.endswith("no file was changed\n")
    assert loose.read_text() == LOOSE
    assert "007" in broken.read_text()


def test_problems_as_json(run, rows):
    rows("{:name :b")
    result = run("fmt", "--json")
    assert result.code == 1
    assert result.json["files"] == []
    assert [(p["code"], p["file"], p["line"]) for p in result.json["problems"]] == [
        ("syntax", "rows.edn", 1)
    ]


def test_without_files_it_is_wrong_use(run):
    result = run("fmt")
    assert result.code == 2
    assert result.err.startswith("error: there are no files of rows in the current folder")


def test_standard_input_is_laid_out_to_standard_output(run, rows, standard_input):
    path = rows(LOOSE)
    standard_input(LOOSE.encode())
    assert run("fmt", "--stdin").out == TIGHT
    assert path.read_text() == LOOSE


def test_standard_input_with_the_other_options(run, standard_input):
    standard_input(LOOSE.encode())
    result = run("fmt", "--stdin", "--check")
    assert (result.code, result.out) == (1, "")
    standard_input(TIGHT.encode())
    assert run("fmt", "--stdin", "--check").code == 0
    standard_input(LOOSE.encode())
    assert run("fmt", "--stdin", "--diff").out == DIFF.replace("rows.edn", "<stdin>")
    standard_input(LOOSE.encode())
    assert run("fmt", "--stdin", "--json").json == {
        "text": TIGHT,
        "file": "<stdin>",
        "changed": True,
    }


def test_standard_input_that_cannot_be_read(run, standard_input):
    standard_input(b"{:name")
    result = run("fmt", "--stdin")
    assert (result.code, result.out) == (1, "")
    assert "[syntax]\n  <stdin>:1:1\n" in result.err
    standard_input(b"\xff")
    result = run("fmt", "--stdin")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: standard input is not UTF-8 text")


def test_standard_input_and_a_path_are_wrong_use(run, rows):
    rows(LOOSE)
    assert run("fmt", "--stdin", "rows.edn").code == 2


# -- writing -----------------------------------------------------------------------------------


def test_mode_and_line_ends_of_a_file_stay(run, rows):
    path = rows("")
    path.write_bytes(LOOSE.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    assert run("fmt").code == 0
    assert path.read_bytes() == TIGHT.replace("\n", "\r\n").encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_link_stays_a_link(run, rows, folder):
    path = rows(LOOSE, "there.rows")
    (folder / "link.edn").symlink_to(path)
    assert run("fmt").code == 0
    assert (folder / "link.edn").is_symlink()
    assert path.read_text() == TIGHT


def test_failure_in_the_middle_leaves_the_old_text_and_nothing_else(rows, monkeypatch):
    path = rows(LOOSE)

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(UsageError) as caught:
        replace(path, TIGHT)
    assert caught.value.code == "unwritable-file"
    assert caught.value.message.endswith("rows.edn cannot be written: No space left on device")
    assert path.read_text() == LOOSE
    assert [each.name for each in path.parent.iterdir()] == ["rows.edn"]
