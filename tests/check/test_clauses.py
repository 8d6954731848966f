"""Clauses in pairs, as other languages write them (LANGUAGE 11: a flat list)."""

from __future__ import annotations

import pytest

from tests.read.reports import problems_of, report, run

HINT = "Write :clauses as a flat list: [test result test result …]."


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            ":cond :args {:clauses [[true 1] [false 2]]}",
            ["a test stands here, and the vector [true 1] is always true"],
        ),
        (
            ":cond :args {:clauses [[true 1] [false 2] [nil 3]]}",
            [
                "a test stands here, and the vector [true 1] is always true",
                "a test stands here, and the vector [nil 3] is always true",
            ],
        ),
        (
            ":case :args {:value {:as :n :type :int} :clauses [[1 1] [2 2]]}",
            ["a test stands here, and the vector [1 1] never equals :value"],
        ),
    ],
)
def test_11_clauses_in_pairs(call, said):
    found = problems_of(f"{{:name :r :parent {call}}}")
    assert [problem.message for problem in found] == said
    assert {problem.hint for problem in found} == {HINT}


def test_11_a_case_may_compare_lists():
    text = "{:name :r :parent :case :args {:value {:as :v} :clauses [[1 2] 3 [4] 5]}}"
    assert report(text) == []
    assert run(text, "r", v=[1, 2]) == 3


def test_11_the_results_may_be_lists():
    text = "{:name :r :parent :cond :args {:clauses [{:as :t} [1] true [2]]}}"
    assert report(text) == []
    assert run(text, "r", t=False) == [2]


def test_11_rows_below_do_not_say_it_again():
    text = (
        "{:name :p :parent :cond :args {:clauses [[true 1]]}}"
        "{:name :r :parent :p :args {:clauses [true 2]}}"
    )
    assert [row for _, row, _ in report(text)] == ["p"]
