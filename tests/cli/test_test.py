"""`graphden test`: rows in a namespace with a segment `tests` pass when they run."""

from __future__ import annotations

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
