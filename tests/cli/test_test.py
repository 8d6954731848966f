"""`graphden test`: rows in a namespace with a segment `tests` pass when they run."""

from __future__ import annotations

from graphden import Graph

ROWS = """
{:namespace :orders.tests}
{:name :adds     :parent :assert-eq :args {:actual :_sum :expected 3}}
{:name :adds-not :parent :assert-eq :args {:actual :_sum :expected 4}}
{:name :open     :parent :assert-eq :args {:expected 4}}
{:name :_sum     :parent :add :args {:nums [1 2]}}
{:name :_hidden  :parent :assert-eq :args {:actual 1 :expected 2}}
{:name :elsewhere :namespace :orders :parent :assert-eq :args {:actual 1 :expected 2}}
"""


def test_what_fails_shows_both_sides_and_its_place(run, rows):
    rows(ROWS)
    result = run("test")
    assert result.code == 1
    told = [line.split() for line in result.out.splitlines()]
    assert [line[:2] for line in told if line[0] in {"passed", "FAILED"}] == [
        ["passed", "orders.tests/adds"],
        ["FAILED", "orders.tests/adds-not"],
    ]
    assert ["actual:", "3"] in told
    assert ["expected:", "4"] in told
    assert told[-1] == ["1", "passed,", "1", "failed"]
    assert ":4:" in result.err


def test_a_filter_takes_some(run, rows):
    rows(ROWS.replace(":expected 4}}\n{:name :open", ":expected 3}}\n{:name :open"))
    result = run("test", "-k", "adds-not")
    assert (result.code, result.out.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_no_test_is_a_failure(run, rows):
    rows("{:name :six :parent :mul :args {:nums [2 3]}}")
    result = run("test")
    assert result.code == 1
    assert result.out.startswith("no tests")


def test_as_json(run, rows):
    rows(ROWS)
    result = run("test", "--json")
    assert result.code == 1
    assert (result.json["passed"], result.json["failed"]) == (1, 1)
    passed, failed = result.json["tests"]
    assert (passed["row"], passed["error"]) == ("orders.tests/adds", None)
    assert (failed["actual"], failed["expected"]) == ("3", "4")
    assert failed["error"]["code"] == "assertion-failed"
    assert failed["error"]["line"] == 4


def test_no_file_of_rows_is_wrong_use(run):
    assert run("test").code == 2


def test_a_failure_that_compares_nothing_has_no_sides(run, rows):
    rows(
        "{:namespace :orders.tests}\n"
        "{:name :divides :parent :div :args {:nums [1 0]}}\n"
        "{:name :throws :parent :throw :args {:exception :_loss}}\n"
        '{:name :_loss :parent :ex-info :args {:message "no" :data {:actual 1 :expected 2}}}\n'
    )
    divides, throws = run("test", "--json").json["tests"]
    assert (divides["error"]["code"], divides["error"]["line"]) == ("division-by-zero", 2)
    assert (throws["error"]["code"], throws["error"]["line"]) == ("thrown", 3)
    assert {"actual", "expected"}.isdisjoint({*divides, *throws})


def test_a_test_may_have_arguments_with_defaults(run, rows):
    """LANGUAGE 4.5"""
    rows(
        "{:namespace :tests}\n"
        "{:name :sum :parent :assert-eq :args {:actual {:as :came :value 3} :expected 3}}\n"
    )
    result = run("test")
    assert (result.code, result.out.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_a_row_that_is_not_run_for_its_types_is_a_failure(run, rows):
    """LANGUAGE 9.1"""
    rows(
        "{:namespace :tests}\n"
        "{:name :sum :parent :add :args {:nums [1 :_text]}}\n"
        '{:name :_text :parent :str :args {:parts ["a"]}}\n'
    )
    [found] = run("test", "--json").json["tests"]
    assert (found["error"]["code"], found["error"]["line"]) == ("row-has-diagnostics", 2)


def test_the_frame_of_a_failure_points_at_the_row(run, rows):
    rows(ROWS)
    assert (
        " 4 | {:name :adds-not :parent :assert-eq :args {:actual :_sum :expected 4}}\n   | ^"
    ) in run("test", "-k", "adds-not").err


def test_outcomes_come_one_at_a_time():
    graph = Graph.parse(ROWS)
    outcomes = graph.test()
    first = next(outcomes)
    assert (first.row, first.passed, first.sides) == ("orders.tests/adds", True, {})
    second = next(outcomes)
    assert (second.passed, second.sides) == (False, {"actual": 3, "expected": 4})
    assert second.ms > 0
    assert next(outcomes, None) is None


def test_a_row_that_needs_arguments_is_named_and_fails_nothing(run, rows):
    rows(ROWS.replace(":expected 4}}\n{:name :open", ":expected 3}}\n{:name :open"))
    result = run("test")
    assert result.code == 0
    assert result.out.splitlines()[-2:] == [
        "not run: orders.tests/open needs :actual",
        "2 passed, 0 failed",
    ]
    assert run("test", "--json").json["not_run"] == [
        {"row": "orders.tests/open", "needs": ["actual"]}
    ]


def test_a_helper_of_tests_is_not_named(run, rows):
    rows(
        "{:namespace :orders.tests}\n"
        "{:name :twice :parent :mul :args {:nums [{:as :item} 2]}}\n"
        "{:name :equals-four :parent :assert-eq :args {:expected 4}}\n"
        "{:name :_open :parent :assert-eq :args {:expected 4}}\n"
        "{:name :each :parent :assert-eq\n"
        " :args {:actual {:parent :map :args {:func :twice :coll [1]}} :expected [2]}}\n"
        "{:name :four :parent :equals-four :args {:actual 4}}\n"
    )
    result = run("test")
    assert (result.code, result.out.count("not run")) == (0, 0)
    assert result.out.endswith("2 passed, 0 failed\n")


def test_a_filter_that_no_test_has_is_told_from_no_tests(run, rows):
    rows(ROWS)
    result = run("test", "-k", "zzz")
    assert (result.code, result.out) == (1, "no tests: of 2 tests, none has zzz in its name\n")
