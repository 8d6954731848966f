"""What checks find in a learner's rows: each says what it saw and what it expected."""

from __future__ import annotations

from typing import Any

import pytest

from graphden import Graph
from graphden.edn import read
from graphden.learn import Exercise, Report, check, checking
from graphden.learn.checks import Check, Runs, Stands, Tests, check_of

ROWS = """
{:name :double :parent :mul :args {:nums [{:as :n} 2]}}
{:name :six    :parent :double :args {:n 3}}
{:name :loud   :parent :log :args {:level {:value :info} :message "hm" :data nil}}
"""


def exercise(*checks: Check, **others: str) -> Exercise:
    named = {f"{name}.edn": text for name, text in others.items()}
    return Exercise("01-a/1-b", "A title", "", "", (), (), checks, named)


def checked(text: str, *checks: Check, **others: str) -> Report:
    return check(exercise(*checks, **others), text)


def written(text: str) -> Check:
    [form] = read(text, "check")
    assert isinstance(form.value, dict)
    return check_of(form.value)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("{:run :six :gives 6}", Runs("six", gives=6)),
        ("{:run :double :with {:n 4} :gives 8}", Runs("double", {"n": 4}, gives=8)),
        ("{:run :a :with {:n 0} :fails :thrown}", Runs("a", {"n": 0}, fails="thrown")),
        ('{:run :six :gives nil :say "so"}', Runs("six", gives=None, say="so")),
        ("{:row :double :open [:n]}", Stands("double", open=("n",))),
        ("{:row :six :parents [:double]}", Stands("six", parents=("double",))),
        ("{:row :loud :effects #{:io}}", Stands("loud", effects=frozenset(["io"]))),
        ("{:tests :pass}", Tests()),
        ('{:tests :catch :with "broken.edn"}', Tests("broken.edn")),
    ],
)
def test_a_check_is_written_as_a_map(text: str, meant: Check) -> None:
    assert written(text) == meant


@pytest.mark.parametrize(
    "text",
    ["{}", "{:run :six}", "{:row :six}", "{:run :six :gives 1 :open []}", "{:tests :maybe}"],
)
def test_another_map_is_no_check(text: str) -> None:
    with pytest.raises(ValueError, match="is no check"):
        written(text)


@pytest.mark.parametrize(
    "holds",
    [
        Runs("six", gives=6),
        Runs("double", {"n": 4}, gives=8),
        Runs("double", {"n": "x"}, fails="argument-type"),
        Stands("double", open=("n",), parents=("mul",), effects=frozenset()),
        Stands("loud", effects=frozenset(["io"])),
    ],
)
def test_what_holds_is_passed(holds: Check) -> None:
    assert checked(ROWS, holds) == Report()


@pytest.mark.parametrize(
    ("fails", "code", "saw", "expected"),
    [
        (Runs("six", gives=7), "wrong-value", "6", "7"),
        (Runs("six", gives=True), "wrong-value", "6", "true"),
        (Runs("six", fails="thrown"), "no-failure", "6", "it fails with thrown"),
        (Runs("seven", gives=7), "unknown-row", "", ""),
        (Runs("double", gives=7), "missing-argument", "it fails with missing-argument", "7"),
        (Stands("six", open=("n",)), "wrong-shape", "nothing", ":n"),
        (
            Stands("six", parents=("mul",)),
            "wrong-shape",
            ":double",
            ":mul",
        ),
        (
            Stands("loud", effects=frozenset()),
            "wrong-shape",
            ":io",
            "nothing",
        ),
        (Stands("seven", open=()), "unknown-row", "", ""),
        (Tests(), "no-tests", "", ""),
    ],
)
def test_what_does_not_hold_says_what_it_saw(
    fails: Check, code: str, saw: str, expected: str
) -> None:
    [wrong] = checked(ROWS, fails).wrong
    assert (wrong.code, wrong.saw, wrong.expected) == (code, saw, expected)


def test_a_run_that_fails_otherwise_says_what_was_run_and_what_came() -> None:
    [wrong] = checked(ROWS, Runs("double", {"n": "x"}, fails="thrown")).wrong
    assert wrong.message.startswith(':double with {:n "x"} fails: :double: :n: ')
    assert (wrong.saw, wrong.expected) == (
        "it fails with argument-type",
        "it fails with thrown",
    )


def test_a_check_says_what_it_is_about_in_its_own_words() -> None:
    [wrong] = checked(ROWS, Runs("six", gives=7, say="six is what seven was")).wrong
    assert wrong.message == "six is what seven was"


def test_problems_of_the_rows_come_before_any_check() -> None:
    found = checked("{:name :six :parent :nul}", Runs("six", gives=6))
    assert (found.codes, found.wrong) == (("unknown-row",), ())
    found = checked("{:name :six :parent :str-len :args {:string 1}}", Runs("six", gives=6))
    assert (found.codes, found.wrong) == (("type-mismatch",), ())


def test_the_first_check_that_does_not_hold_is_told() -> None:
    found = checked(ROWS, Runs("six", gives=6), Runs("six", gives=7), Runs("six", gives=8))
    assert [wrong.expected for wrong in found.wrong] == ["7"]


TESTS = """
{:namespace :mine.tests}
{:name :one :parent :assert-eq :args {:actual {:parent :price :args {:n 1}} :expected 10}}
"""
PRICE = "{:namespace :shop} {:name :price :parent :mul :args {:nums [{:as :n} 10]}}"
DEARER = PRICE.replace("10", "11")


def test_tests_must_be_there_and_pass() -> None:
    assert checked(TESTS, Tests(), price=PRICE) == Report()
    assert checked(TESTS, Tests(), price=DEARER).codes == ("assertion-failed",)
    assert checked("", Tests(), price=PRICE).codes == ("no-tests",)


def test_tests_must_find_what_is_broken() -> None:
    catch = Tests("broken.edn")
    assert checked(TESTS, catch, price=PRICE, broken=DEARER) == Report()
    [wrong] = checked(TESTS, catch, price=PRICE, broken=PRICE).wrong
    assert (wrong.code, wrong.saw) == ("nothing-caught", "all tests pass")


def test_rows_are_run_by_whoever_checks() -> None:
    """So that rows of an exercise may look at queues and services."""
    asked: list[tuple[str, object]] = []

    def run(graph: Graph, row: str, arguments: Any) -> object:
        asked.append((row, arguments))
        return 1

    looking = exercise(Runs("pending", {"n": 2}, gives=1), looking=ROWS)
    assert check(looking, "{:name :pending :parent :const :args {:value 0}}", run=run).passed
    assert asked == [("pending", {"n": 2})]


def test_a_run_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "PATIENCE_MS", 20)
    forever = "{:name :forever :parent :sleep :args {:ms 3600000}}"
    assert checked(forever, Runs("forever", gives=1)).codes == ("deadline-exceeded",)
