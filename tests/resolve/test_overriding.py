"""What may be bound over what: every combination (LANGUAGE 4.8)."""

from __future__ import annotations

import pytest

from tests.read.reports import interface, only, report, run

ROWS = """
{:name :three :parent :const :args {:value 3}}
{:name :four :parent :const :args {:value 4}}
{:name :double :parent :mul :args {:nums [{:as :item} 2]}}
{:name :triple :parent :mul :args {:nums [{:as :item} 3]}}
{:name :plus :parent :add :args {:nums [{:as :x} 1]}}
"""
OVER = [
    "4",
    "nil",
    "{:value 4}",
    ":four",
    "{:ref :four}",
    "{:as :n}",
    "{:as :n :value 4}",
    "{:as :n :ref :four}",
    "{:parent :add :args {:nums [4]}}",
    "{:value 4 :type :any}",
]


def over(first: str, second: str) -> str:
    """A slot bound by :r, and again by :s."""
    return ROWS + (
        f"{{:name :r :parent :identity :args {{:value {first}}}}}"
        f"{{:name :s :parent :r :args {{:value {second}}}}}"
    )


@pytest.mark.parametrize(
    "second", ["4", "{:value 4}", ":four", "{:ref :four}", "{:parent :add :args {:nums [4]}}"]
)
def test_4_8_a_literal_or_a_reference_over_a_literal(second):
    assert run(over("3", second), "r") == 3
    assert run(over("3", second), "s") == 4


def test_4_8_over_several_levels_the_closest_literal_wins():
    text = over("1", "2") + "{:name :t :parent :s :args {:value 3}} {:name :u :parent :t}"
    assert run(text, "u") == 3


def test_4_8_a_reference_over_a_literal_seals_from_there_on():
    text = over("1", ":three") + "{:name :t :parent :s :args {:value 4}}"
    assert report(text) == [("sealed-slot", "t", ":value")]
    assert only(text).hint == "Derive :r instead, where :value is still open."


@pytest.mark.parametrize("first", [":three", "{:ref :three}"])
@pytest.mark.parametrize("second", OVER)
def test_4_8_anything_over_a_reference_is_refused(first, second):
    text = over(first, second)
    assert report(text) == [("sealed-slot", "s", ":value")]
    problem = only(text)
    assert problem.message == (
        ":value is sealed: :r bound it to :three, and a bound reference cannot be bound again"
    )
    assert problem.hint == "Derive :identity instead, where :value is still open."


@pytest.mark.parametrize("second", OVER)
def test_4_8_anything_over_an_inline_row_is_refused(second):
    text = over("{:parent :add :args {:nums [1]}}", second)
    assert report(text) == [("sealed-slot", "s", ":value")]
    assert ":r bound it to an inline row" in only(text).message


def test_4_8_the_same_reference_again_is_refused_too():
    assert report(over(":three", ":three")) == [("sealed-slot", "s", ":value")]


def test_4_8_the_binder_may_be_far_above():
    text = ROWS + (
        "{:name :p :parent :identity}"
        "{:name :q :parent :p :args {:value :three}}"
        "{:name :r :parent :q} {:name :s :parent :r}"
        "{:name :t :parent :s :args {:value 4}}"
    )
    assert ":q bound it to :three" in only(text).message
    assert only(text).hint == "Derive :p instead, where :value is still open."


def test_4_8_the_nearest_open_ancestor_is_one_that_can_be_a_parent():
    text = ROWS + (
        "{:namespace :m}"
        "{:name :_p :parent :identity}"
        "{:name :q :parent :_p :args {:value :three}}"
        "{:namespace :n} {:name :t :parent :q :args {:value 4}}"
    )
    assert only(text).hint == "Derive :identity instead, where :value is still open."


def test_4_8_a_renamed_slot_is_sealed_under_its_new_name():
    text = ROWS + (
        "{:name :p :parent :identity :args {:value {:as :v}}}"
        "{:name :q :parent :p :args {:v :three}}"
        "{:name :r :parent :q :args {:v 4}}"
    )
    assert report(text) == [("sealed-slot", "r", ":v")]
    assert only(text).hint == "Derive :p instead, where :v is still open."


@pytest.mark.parametrize("second", [":triple", "{:ref :triple}", "{:as :f}", "nil", "3"])
def test_4_8_anything_over_a_callable_is_refused(second):
    text = ROWS + (
        "{:name :r :parent :map :args {:func :double :coll [1]}}"
        f"{{:name :s :parent :r :args {{:func {second}}}}}"
    )
    assert report(text) == [("sealed-slot", "s", ":func")]
    assert ":r bound it to :double" in only(text).message
    assert only(text).hint == "Derive :map instead, where :func is still open."


@pytest.mark.parametrize("second", OVER)
def test_4_8_anything_over_a_reference_that_feeds_a_free_name_is_refused(second):
    text = ROWS + (
        "{:name :q :parent :identity :args {:value :plus}}"
        "{:name :r :parent :q :args {:x :three}}"
        f"{{:name :s :parent :r :args {{:x {second}}}}}"
    )
    assert report(text) == [("sealed-slot", "s", ":x")]
    assert ":r bound it to :three" in only(text).message
    assert only(text).hint == "Derive :q instead, where :x is still open."


@pytest.mark.parametrize(("second", "value"), [("5", 6), (":four", 5)])
def test_4_8_over_a_literal_that_feeds_a_free_name(second, value):
    text = ROWS + (
        "{:name :r :parent :identity :args {:value :plus :x 3}}"
        f"{{:name :s :parent :r :args {{:x {second}}}}}"
    )
    assert run(text, "s") == value


def test_4_8_a_literal_that_feeds_a_free_name_may_be_opened_again():
    text = ROWS + (
        "{:name :r :parent :identity :args {:value :plus :x 3}}"
        "{:name :s :parent :r :args {:x {:as :y}}}"
    )
    assert interface(text, "s") == {"y": ":numeric"}
    assert run(text, "s", y=9) == 10


@pytest.mark.parametrize("second", ["[1]", "{:append [1]}", "{:value [1]}", ":four"])
def test_4_8_a_list_that_is_one_reference_cannot_be_extended(second):
    text = ROWS + (
        "{:name :xs :parent :list :args {:items [1 2]}}"
        "{:name :r :parent :add :args {:nums :xs}}"
        f"{{:name :s :parent :r :args {{:nums {second}}}}}"
    )
    assert report(text) == [("sealed-slot", "s", ":nums")]


def test_4_8_where_no_row_above_has_it_open_the_hint_says_so():
    text = ROWS + (
        "{:name :r :parent :identity :args {:value :plus :x :three}}"
        "{:name :s :parent :r :args {:x 4}}"
    )
    assert only(text).hint == (
        "No row above has :x open; in :r {:as :x :ref …} would make it a default."
    )


def test_4_8_a_default_is_not_sealed():
    for second in ("4", ":four", "{:as :n :value 4}", "{:parent :add :args {:nums [4]}}"):
        assert run(over("{:as :value :ref :three}", second), "s") == 4


def test_4_8_an_open_slot_is_not_sealed_by_a_reference_elsewhere():
    text = ROWS + (
        "{:name :r :parent :mod :args {:divisor :three}}"
        "{:name :s :parent :r :args {:dividend 4}}"
    )
    assert run(text, "s") == 1


def test_4_8_narrowing_a_sealed_slot_binds_nothing():
    assert run(over(":three", "{:type :int}"), "s") == 3


def test_4_8_a_consumer_of_a_backend_says_what_to_derive():
    """The example of the queue rows: their functions are bound for good."""
    text = (
        "{:name :worker :parent :pg-queue-consumer :args {:nack :mine}}"
        "{:name :mine :parent :queue-nack :args {:retry-ms 1}}"
    )
    problem = only(text)
    assert problem.code == "sealed-slot"
    assert ":pg-queue-consumer bound it to :_pg-nack" in problem.message
    assert problem.hint == "Derive :queue-consumer instead, where :nack is still open."
