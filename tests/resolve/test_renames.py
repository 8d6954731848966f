"""`{:as …}`: renames and defaults (LANGUAGE 4.5)."""

from __future__ import annotations

import pytest

from tests.read.reports import interface, only, report, run

MINUS = "{:name :minus :parent :sub :args {:nums [{:as :a} {:as :b}]}}"


def test_4_5_the_slot_is_open_under_the_new_name():
    text = "{:name :r :parent :mod :args {:divisor {:as :by} :dividend 7}}"
    assert interface(text, "r") == {"by": ":numeric"}
    assert run(text, "r", by=4) == 3


def test_4_5_the_old_name_is_gone_for_descendants():
    text = (
        "{:name :r :parent :mod :args {:divisor {:as :by}}}"
        "{:name :s :parent :r :args {:divisor 4}}"
    )
    assert report(text) == [("unknown-slot", "s", ":divisor")]


def test_4_5_descendants_bind_the_new_name():
    text = (
        "{:name :r :parent :mod :args {:divisor {:as :by}}}"
        "{:name :s :parent :r :args {:by 4 :dividend 7}}"
    )
    assert run(text, "s") == 3


def test_4_5_renames_chain():
    text = (
        "{:name :r :parent :mod :args {:divisor {:as :by} :dividend 7}}"
        "{:name :s :parent :r :args {:by {:as :n}}}"
        "{:name :t :parent :s :args {:n {:as :m}}}"
    )
    assert interface(text, "t") == {"m": ":numeric"}
    assert run(text, "t", m=4) == 3


def test_4_5_renames_chain_across_references():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus :a {:as :left}}}"
        "{:name :s :parent :identity :args {:value :r :left {:as :x} :b {:as :y}}}"
        "{:name :t :parent :s :args {:x {:as :p} :y {:as :q}}}"
    )
    assert interface(text, "t") == {"p": ":numeric", "q": ":numeric"}
    assert run(text, "t", p=5, q=3) == 2


def test_4_5_a_rename_reaches_the_references_of_ancestors():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus}}"
        "{:name :s :parent :r :args {:a {:as :x}}}"
    )
    assert run(text, "s", x=5, b=3) == 2


def test_4_5_two_slots_swap_names_in_one_row():
    text = (
        "{:name :r :parent :mod :args {:divisor {:as :dividend} :dividend {:as :divisor}}}"
        "{:name :s :parent :r :args {:divisor 7 :dividend 4}}"
    )
    assert run(text, "r", divisor=7, dividend=4) == 3
    assert run(text, "s") == 3


def test_4_5_two_free_names_swap_in_one_row():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus :a {:as :b} :b {:as :a}}}"
        "{:name :s :parent :r :args {:a {:as :b} :b {:as :a}}}"
    )
    assert run(text, "r", b=5, a=3) == 2
    assert run(text, "s", a=5, b=3) == 2


def test_4_5_what_is_said_of_swapped_names_moves_with_them():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus"
        " :a {:type :int :terminal true} :b {:type :decimal}}}"
        "{:name :s :parent :identity :args {:value :minus"
        " :a {:as :b :type :int} :b {:as :a :type :decimal}}}"
    )
    assert interface(text, "r") == {"a": ":int", "b": ":decimal"}
    assert interface(text, "s") == {"b": ":int", "a": ":decimal"}


def test_4_5_swapped_terminal_names():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus"
        " :a {:as :b :terminal true} :b {:as :a}}}"
    )
    assert report(text + "{:name :s :parent :r :args {:a 1}}") == []
    assert report(text + "{:name :s :parent :r :args {:b 1}}") == [("sealed-slot", "s", ":b")]


def test_4_5_two_free_names_may_become_one():
    """One name is one argument (5.2)."""
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus :a {:as :x} :b {:as :x}}}"
    )
    assert interface(text, "r") == {"x": ":numeric"}
    assert run(text, "r", x=5) == 0


def test_4_5_a_rename_onto_a_bound_name_is_fed_by_it():
    """One name is one argument (5.2), and its binding feeds every place of that name (5.3)."""
    text = MINUS + "{:name :r :parent :identity :args {:value :minus :a {:as :b} :b 5}}"
    assert interface(text, "r") == {}
    assert run(text, "r") == 0


def test_3_2_two_slots_under_one_name():
    text = "{:name :r :parent :mod :args {:divisor {:as :dividend}}}"
    assert report(text) == [("name-collision", "r", ":dividend")]
    problem = only(text)
    assert problem.message == (":dividend and :divisor of :mod would both be called :dividend")
    assert problem.hint == "Give one of them another name with {:as …}."


def test_3_2_both_slots_renamed_to_one_name():
    text = "{:name :r :parent :mod :args {:divisor {:as :x} :dividend {:as :x}}}"
    assert [code for code, _, _ in report(text)] == ["name-collision"]


def test_4_5_within_one_row_names_are_those_it_inherits():
    text = "{:name :r :parent :mod :args {:divisor {:as :by} :by 3}}"
    assert report(text) == [("unknown-slot", "r", ":by")]


@pytest.mark.parametrize("default", [":value 4", ":ref :four"])
def test_4_5_a_default(default):
    text = (
        "{:name :four :parent :add :args {:nums [4]}}"
        f"{{:name :r :parent :mod :args {{:divisor {{:as :by {default}}} :dividend 7}}}}"
        "{:name :s :parent :r :args {:by 5}}"
        "{:name :t :parent :r :args {:by {:as :n}}}"
    )
    assert run(text, "r") == 3
    assert run(text, "r", by=5) == 2
    assert run(text, "s") == 2
    assert run(text, "t") == 3
    assert run(text, "t", n=5) == 2
    assert list(interface(text, "r")) == ["by"]
    assert interface(text, "r")["by"].startswith(":numeric?")


def test_4_5_a_default_is_shown_when_it_is_a_literal():
    text = "{:name :r :parent :mod :args {:divisor {:as :by :value 4}}}"
    assert interface(text, "r") == {"dividend": ":numeric", "by": ":numeric? = 4"}


def test_4_5_a_default_under_the_same_name():
    text = "{:name :r :parent :mod :args {:divisor {:as :divisor :value 4} :dividend 7}}"
    assert run(text, "r") == 3
    assert run(text, "r", divisor=5) == 2


def test_4_5_a_default_of_nil_is_a_default():
    text = "{:name :r :parent :identity :args {:value {:as :x :value nil}}}"
    assert interface(text, "r") == {"x": ":any? = None"}
    assert run(text, "r") is None


def test_4_5_a_default_of_a_free_name():
    text = MINUS + "{:name :r :parent :identity :args {:value :minus :b {:as :b :value 2}}}"
    assert interface(text, "r") == {"a": ":numeric", "b": ":numeric? = 2"}
    assert run(text, "r", a=5) == 3
    assert run(text, "r", a=5, b=1) == 4
    assert run(text + "{:name :s :parent :r :args {:b 4}}", "s", a=5) == 1


def test_4_5_a_default_replaces_a_default():
    text = (
        "{:name :r :parent :mod :args {:divisor {:as :by :value 4} :dividend 7}}"
        "{:name :s :parent :r :args {:by {:as :by :value 5}}}"
    )
    assert run(text, "s") == 2


def test_4_5_a_default_reference_may_be_overridden_and_has_free_arguments():
    text = MINUS + (
        "{:name :r :parent :mod :args {:divisor {:as :by :ref :minus} :dividend 7}}"
        "{:name :s :parent :r :args {:by 5}}"
    )
    assert run(text, "r", a=9, b=5) == 3
    assert interface(text, "r") == {"by": ":numeric?", "a": ":numeric", "b": ":numeric"}
    assert interface(text, "s") == {}
    assert run(text, "s") == 2


def test_4_5_a_default_callable():
    text = (
        "{:name :double :parent :mul :args {:nums [{:as :item} 2]}}"
        "{:name :r :parent :map :args {:func {:as :f :ref :double} :coll [1 2]}}"
        "{:name :triple :parent :mul :args {:nums [{:as :item} 3]}}"
        "{:name :s :parent :r :args {:f :triple}}"
    )
    assert run(text, "r") == [2, 4]
    assert run(text, "r", f=lambda item: item + 1) == [2, 3]
    assert run(text, "s") == [3, 6]


def test_4_5_a_bound_literal_is_opened_again_and_required():
    text = (
        "{:name :r :parent :mod :args {:divisor 4 :dividend 7}}"
        "{:name :s :parent :r :args {:divisor {:as :by}}}"
    )
    assert interface(text, "s") == {"by": ":numeric"}
    assert run(text, "s", by=5) == 2


def test_4_5_an_optional_slot_stays_optional_under_its_new_name():
    text = "{:name :r :parent :range :args {:start {:as :from} :end 3}}"
    assert interface(text, "r") == {"from": ":int? = 0", "step": ":int? = 1"}
    assert run(text, "r") == [0, 1, 2]
