"""`{:type …}`, `{:required …}`, `{:terminal …}`, declared defaults (LANGUAGE 4.6–4.10)."""

from __future__ import annotations

import pytest

from tests.read.reports import interface, only, report, run

FREE = "{:name :plus :parent :add :args {:nums [{:as :x} {:as :y :value 1}]}}"


@pytest.mark.parametrize(
    ("binding", "shown"),
    [
        ("{:type :int}", {"divisor": ":int"}),
        ("{:as :by :type :int}", {"by": ":int"}),
        ("{:as :by :type :int :value 4}", {"by": ":int? = 4"}),
        ("{:type :int :value 4}", {}),
        ("{:type :int :ref :four}", {}),
    ],
)
def test_4_6_a_type_narrows_alone_or_beside_a_binding(binding, shown):
    text = (
        "{:name :four :parent :count :args {:coll [1 2 3 4]}}"
        f"{{:name :r :parent :mod :args {{:divisor {binding} :dividend 7}}}}"
    )
    assert interface(text, "r") == shown


def test_4_6_it_narrows_below_too():
    text = (
        "{:name :r :parent :mod :args {:divisor {:type :int}}}"
        "{:name :s :parent :r :args {:dividend 7}}"
        "{:name :t :parent :s :args {:divisor {:as :by}}}"
    )
    assert interface(text, "s") == {"divisor": ":int"}
    assert interface(text, "t") == {"by": ":int"}


def test_4_6_a_name_that_only_references_have_free_is_declared():
    text = FREE + "{:name :r :parent :identity :args {:value :plus :x {:type :int}}}"
    assert interface(text, "r") == {"x": ":int", "y": ":numeric? = 1"}


def test_4_6_a_declared_name_keeps_its_type_when_it_is_renamed():
    text = FREE + (
        "{:name :r :parent :identity :args {:value :plus :x {:type :int}}}"
        "{:name :s :parent :r :args {:x {:as :z}}}"
    )
    assert interface(text, "s")["z"] == ":int"


def test_4_6_a_name_that_nothing_has_free_cannot_be_declared():
    text = FREE + "{:name :r :parent :identity :args {:value :plus :z {:type :int}}}"
    assert report(text) == [("unknown-slot", "r", ":z")]


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        # a declared default
        ("{:name :r :parent :range :args {:end 3 :step 1 :start {:required true}}}", ":int"),
        # one under another name
        (
            "{:name :r :parent :range"
            " :args {:end 3 :step 1 :start {:as :start :required true}}}",
            ":int",
        ),
        # a default given by an ancestor
        (
            "{:name :q :parent :range :args {:end 3 :step 1 :start {:as :start :value 2}}}"
            "{:name :r :parent :q :args {:start {:required true}}}",
            ":int",
        ),
    ],
)
def test_4_7_required_makes_an_optional_slot_required(rows, shown):
    assert interface(rows, "r") == {"start": shown}


def test_4_7_required_holds_below_and_through_a_rename():
    text = (
        "{:name :r :parent :range :args {:end 3 :step 1 :start {:required true}}}"
        "{:name :s :parent :r :args {:start {:as :from}}}"
    )
    assert interface(text, "s") == {"from": ":int"}
    assert run(text, "s", **{"from": 1}) == [1, 2]


def test_4_7_what_is_required_may_be_bound_or_given_a_default_below():
    text = (
        "{:name :r :parent :range :args {:end 3 :step 1 :start {:required true}}}"
        "{:name :s :parent :r :args {:start 1}}"
        "{:name :t :parent :r :args {:start {:as :start :value 2}}}"
    )
    assert run(text, "s") == [1, 2]
    assert interface(text, "t") == {"start": ":int? = 2"}


def test_4_7_required_on_a_free_name():
    text = FREE + (
        "{:name :r :parent :identity :args {:value :plus :y {:required true}}}"
        "{:name :s :parent :r :args {:y {:as :z}}}"
    )
    assert interface(text, "r") == {"x": ":numeric", "y": ":numeric"}
    assert interface(text, "s") == {"x": ":numeric", "z": ":numeric"}


@pytest.mark.parametrize(
    "binding",
    ["{:terminal true}", "{:value 4 :terminal true}", "{:as :divisor :terminal true}"],
)
@pytest.mark.parametrize(
    "below", ["5", ":five", "{:as :n}", "{:type :int}", "{:required true}"]
)
def test_4_7_terminal_refuses_bindings_by_descendants(binding, below):
    text = (
        "{:name :five :parent :add :args {:nums [5]}}"
        f"{{:name :r :parent :mod :args {{:divisor {binding}}}}}"
        f"{{:name :s :parent :r :args {{:divisor {below}}}}}"
    )
    assert report(text) == [("sealed-slot", "s", ":divisor")]
    assert only(text).message == ":divisor is terminal in :r; no row below can bind it"


def test_4_7_terminal_holds_for_every_descendant():
    text = (
        "{:name :r :parent :mod :args {:divisor {:terminal true}}}"
        "{:name :s :parent :r}"
        "{:name :t :parent :s :args {:divisor 4}}"
    )
    assert report(text) == [("sealed-slot", "t", ":divisor")]


def test_4_7_terminal_does_not_refuse_arguments_by_callers():
    text = "{:name :r :parent :mod :args {:divisor {:terminal true} :dividend 7}}"
    assert run(text, "r", divisor=4) == 3
    assert only(text + "{:name :s :parent :r :args {:divisor 1}}").hint == (
        "Callers can still give it as an argument."
    )


def test_4_7_a_row_that_refers_is_a_caller_not_a_descendant():
    text = (
        "{:name :r :parent :mod :args {:divisor {:terminal true} :dividend 7}}"
        "{:name :s :parent :identity :args {:value :r :divisor 4}}"
    )
    assert run(text, "s") == 3


def test_4_7_a_terminal_value_says_where_to_derive():
    text = (
        "{:name :r :parent :mod :args {:divisor {:value 4 :terminal true}}}"
        "{:name :s :parent :r :args {:divisor 5}}"
    )
    assert only(text).hint == "Derive a row above :r instead."


def test_4_7_terminal_on_a_free_name():
    text = FREE + (
        "{:name :r :parent :identity :args {:value :plus :x {:terminal true}}}"
        "{:name :s :parent :r :args {:x 1}}"
    )
    assert report(text) == [("sealed-slot", "s", ":x")]


def test_4_7_terminal_on_a_positional_argument():
    text = (
        "{:name :r :parent :add :args {:nums [{:as :x :terminal true} 1]}}"
        "{:name :s :parent :r :args {:x 1}}"
    )
    assert report(text) == [("sealed-slot", "s", ":x")]
    assert run(text.partition("{:name :s")[0], "r", x=1) == 2


def test_4_9_a_name_that_is_neither_a_slot_nor_free():
    text = "{:name :r :parent :mod :args {:divsor 4}}"
    assert report(text) == [("unknown-slot", "r", ":divsor")]
    assert only(text).message == ":mod has no slot or free argument :divsor"
    assert only(text).hint == "Did you mean :divisor?"


def test_4_9_the_nearest_free_name_is_offered_too():
    text = (
        "{:name :r :parent :identity :args {:value :mod}}"
        "{:name :s :parent :r :args {:divsor 4}}"
    )
    assert only(text).hint == "Did you mean :divisor?"


def test_4_9_a_name_that_the_references_of_the_row_do_not_have():
    text = FREE + "{:name :r :parent :identity :args {:value :plus :zzz 1}}"
    assert only(text).message == "neither :identity nor what this row refers to has :zzz"
    assert only(text).hint == "It has :value, :x, :y."


def test_4_9_without_a_near_name_those_there_are():
    assert only("{:name :r :parent :mod :args {:zzz 4}}").hint == "It has :dividend, :divisor."


def test_4_9_in_an_inline_row():
    text = "{:name :r :parent :const :args {:value {:parent :mod :args {:divsor 4}}}}"
    assert report(text) == [("unknown-slot", "r", ":divsor")]


def test_4_9_the_fields_of_a_record_are_its_slots():
    text = "{:name :order :type {:sku :text}} {:name :r :parent :order :args {:sk 1}}"
    assert report(text) == [("unknown-slot", "r", ":sk")]


def test_4_10_a_declared_default_applies_and_stays_in_the_interface():
    text = "{:name :r :parent :range :args {:end 3}}"
    assert interface(text, "r") == {"start": ":int? = 0", "step": ":int? = 1"}
    assert run(text, "r") == [0, 1, 2]
    assert run(text, "r", start=1) == [1, 2]


def test_4_10_across_a_reference():
    text = "{:name :q :parent :range :args {:end 3}} {:name :r :parent :count :args {:coll :q}}"
    assert interface(text, "r") == {"start": ":int? = 0", "step": ":int? = 1"}
    assert run(text, "r") == 3
    assert run(text, "r", start=2) == 1


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (":parent :p :args {:zzz 1}", ":p has no slot or free argument :zzz"),
        (
            ":parents [:p :q] :args {:zzz 1}",
            "neither :p nor :q has a slot or free argument :zzz",
        ),
        (
            ":parents [:p :q :add] :args {:zzz 1}",
            "neither :p, :q nor :add has a slot or free argument :zzz",
        ),
        (
            ":parent :p :args {:nums [:other] :zzz 1}",
            "neither :p nor what this row refers to has :zzz",
        ),
        (
            ":parents [:p :q] :args {:nums [:other] :zzz 1}",
            "neither :p, :q nor what this row refers to has :zzz",
        ),
    ],
)
def test_4_9_all_parents_are_named_that_lack_a_slot(row, said):
    text = (
        "{:name :p :parent :add} {:name :q :parent :add}"
        "{:name :other :parent :not :args {:value {:as :o}}}"
        f"{{:name :r {row}}}"
    )
    assert only(text).message == said
