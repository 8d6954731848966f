"""`graphden eject`: a row as Python, on the terminal or in a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROWS = """
{:name :double :parent :mul :args {:nums [{:as :item} 2]}}
{:name :double-each :parent :map :args {:func :double :coll {:as :coll :value [1 2 3]}}}
{:name :wrong :parent :str-upper :args {:string 1}}
"""


def test_the_module_is_printed(run, rows):
    rows(ROWS)

    done = run("eject", "double-each", "rows.edn")

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith('"""The row :user/double-each as Python.\n')
    assert "`graphden eject double-each rows.edn`" in done.out
    compile(done.out, "ejected.py", "exec")


def test_the_files_of_the_current_folder_are_taken_by_default(run, rows):
    rows(ROWS)

    assert run("eject", "double-each").out == run("eject", "double-each", "rows.edn").out


def test_the_module_is_written_into_a_file_that_runs(run, rows, folder: Path):
    rows(ROWS)

    done = run("eject", "double-each", "rows.edn", "-o", "doubles.py")

    assert (done.code, done.out, done.err) == (0, "", "")
    ran = subprocess.run(
        [sys.executable, "doubles.py"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[2 4 6]\n"


def test_json_has_the_module_or_the_file(run, rows):
    rows(ROWS)

    printed = run("eject", "double", "--json").json
    written = run("eject", "double", "-o", "double.py", "--json").json

    assert printed == {"row": "user/double", "python": Path("double.py").read_text("utf-8")}
    assert written == {"row": "user/double", "file": "double.py"}


def test_what_is_no_row_or_not_run_is_told(run, rows):
    rows(ROWS)

    unknown = run("eject", "doubel", "--json")
    wrong = run("eject", "wrong", "--json")
    file = run("eject", "rows.edn", "--json")

    assert (unknown.code, unknown.json["error"]["code"]) == (1, "unknown-row")
    assert (wrong.code, wrong.json["error"]["code"]) == (1, "row-has-diagnostics")
    assert (file.code, file.json["error"]["code"]) == (2, "wrong-use")


def test_a_file_that_cannot_be_written_is_told(run, rows):
    rows(ROWS)

    done = run("eject", "double", "-o", "no-folder/double.py", "--json")

    assert (done.code, done.json["error"]["code"]) == (2, "unwritable-file")
