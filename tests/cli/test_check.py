"""`graphden check`."""

from __future__ import annotations

import pytest

from graphden import Graph, GraphError, Problem


def problems_of(path: str) -> tuple[Problem, ...]:
    """What the engine finds; its wording is the engine's affair."""
    with pytest.raises(GraphError) as raised:
        Graph.load(path)
    return raised.value.problems


def test_rows_without_problems(run, rows):
    rows("{:name :six :parent :mul :args {:nums [2 3]}}")
    result = run("check")
    assert (result.code, result.out, result.err) == (0, "1 row, no problems\n", "")


def test_without_files_it_is_wrong_use(run):
    result = run("check")
    assert result.code == 2
    assert result.err.startswith(
        "error: there are no files of rows in the current folder [no-rows]\n"
    )


@pytest.mark.parametrize("text", ["", "; nothing yet\n", "[]", "{:namespace :shop}"])
def test_1_1_a_file_without_rows_is_a_fine_file(run, rows, text):
    rows(text)
    result = run("check")
    assert (result.code, result.out, result.err) == (0, "0 rows, no problems\n", "")
    assert run("fmt", "--check").code in (0, 1)
    assert run("fmt").code == 0


def test_hidden_folders_are_left_out(run, rows, folder):
    (folder / ".old").mkdir()
    rows("{:name :broken", ".old/rows.edn")
    rows("{:name :six :parent :mul :args {:nums [2 3]}}")
    assert run("check").code == 0


def test_every_problem_is_shown_in_its_line(run, rows):
    """LANGUAGE 9.1"""
    rows(
        "{:name :a :parent :mul :args {:nums [2 :bb]}}\n"
        "{:name :b :parent :add :args {:num 2}}\n"
    )
    first, second = problems_of("rows.edn")
    result = run("check")
    assert result.code == 1
    assert result.out == ""
    assert result.err == (
        f"error: {first.message} [unknown-row]\n"
        "  rows.edn:1:40 in :a\n"
        " 1 | {:name :a :parent :mul :args {:nums [2 :bb]}}\n"
        "   |                                        ^^^\n"
        f"  hint: {first.hint}\n"
        f"error: {second.message} [unknown-slot]\n"
        "  rows.edn:2:31 in :b\n"
        " 2 | {:name :b :parent :add :args {:num 2}}\n"
        "   |                               ^^^^\n"
        f"  hint: {second.hint}\n"
    )


def test_problems_as_json(run, rows):
    rows("{:name :a :parent :add :args {:num 2}}")
    [problem] = problems_of("rows.edn")
    result = run("check", "rows.edn", "--json")
    assert result.code == 1
    assert result.json == {
        "problems": [
            {
                "code": "unknown-slot",
                "message": problem.message,
                "row": "a",
                "file": "rows.edn",
                "line": 1,
                "column": 31,
                "hint": problem.hint,
                "notes": [],
            }
        ],
        "diagnostics": [],
    }


DIAGNOSED = """
{:name :number-of :parent :add :args {:nums [{:as :item :type :text} 1]}}
{:name :worker :parent :pg-queue-consumer :args {:queue "q" :handler :number-of}}
"""


def test_diagnostics_as_json(run, rows):
    rows(DIAGNOSED)
    result = run("check", "--json")
    assert result.code == 1
    assert result.json["problems"] == []
    assert [found["row"] for found in result.json["diagnostics"]]


def test_a_syntax_error_has_its_place(run, rows):
    rows("{:name :a :parent 007}")
    result = run("check", "--json")
    problem = result.json["problems"][0]
    assert (problem["code"], problem["line"], problem["column"]) == ("syntax", 1, 19)


def test_python_environments_are_left_out(run, rows, folder):
    (folder / "venv" / "lib").mkdir(parents=True)
    rows("", "venv/pyvenv.cfg")
    rows("{:name :broken", "venv/lib/rows.edn")
    rows("{:name :six :parent :mul :args {:nums [2 3]}}", "six.edn")
    assert run("check").code == 0
