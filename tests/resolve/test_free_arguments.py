"""Interfaces and the names that feed references (LANGUAGE 5)."""

from __future__ import annotations

import pytest

from graphden import Graph, RunError
from tests.read.reports import interface, only, report, run

MINUS = "{:name :minus :parent :sub :args {:nums [{:as :a} {:as :b}]}}"
TIMES = "{:name :times :parent :mul :args {:nums [{:as :a} {:as :c :type :int :value 2}]}}"


def test_5_1_open_slots_come_first_then_what_references_have_free():
    text = MINUS + "{:name :r :parent :mod :args {:dividend :minus}}"
    assert list(interface(text, "r")) == ["divisor", "a", "b"]


@pytest.mark.parametrize(
    "value",
    [
        ":minus",
        "{:parent :identity :args {:value :minus}}",
        "{:parent :list :args {:items [0 :minus]}}",
        "{:parent :list :args {:items [{:parent :identity :args {:value :minus}}]}}",
    ],
)
def test_5_1_references_anywhere_count(value):
    text = MINUS + f"{{:name :r :parent :identity :args {{:value {value}}}}}"
    assert interface(text, "r") == {"a": ":numeric", "b": ":numeric"}


def test_5_1_minus_what_is_bound_on_the_way():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus :a 5}}"
        "{:name :s :parent :identity :args {:value :r}}"
    )
    assert interface(text, "s") == {"b": ":numeric"}
    assert run(text, "s", b=3) == 2


def test_5_1_a_name_that_was_bound_on_the_way_is_unknown_above():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus :a 5}}"
        "{:name :s :parent :identity :args {:value :r :a 1}}"
    )
    assert report(text) == [("unknown-slot", "s", ":a")]


def test_5_1_what_callables_capture_counts():
    text = (
        "{:name :scale :parent :mul :args {:nums [{:as :item} {:as :factor}]}}"
        "{:name :r :parent :map :args {:func :scale :coll [1 2]}}"
    )
    assert interface(text, "r") == {"factor": ":numeric"}
    assert run(text, "r", factor=3) == [3, 6]


def test_5_2_one_name_feeds_every_open_place():
    text = MINUS + TIMES + "{:name :r :parent :list :args {:items [:minus :times {:as :a}]}}"
    assert list(interface(text, "r")) == ["a", "b", "c"]
    assert run(text, "r", a=5, b=1) == [4, 10, 5]


def test_5_2_its_type_is_the_narrowest():
    text = (
        "{:name :p :parent :add :args {:nums [{:as :a}]}}"
        "{:name :q :parent :add :args {:nums [{:as :a :type :int}]}}"
        "{:name :r :parent :list :args {:items [:p :q]}}"
        "{:name :s :parent :list :args {:items [:q :p]}}"
    )
    assert interface(text, "r") == {"a": ":int"}
    assert interface(text, "s") == {"a": ":int"}


def test_5_2_it_is_required_when_one_place_requires_it():
    text = (
        "{:name :p :parent :add :args {:nums [{:as :a :value 1}]}}"
        "{:name :q :parent :add :args {:nums [{:as :a}]}}"
        "{:name :r :parent :list :args {:items [:p :q]}}"
    )
    assert interface(text, "r") == {"a": ":numeric"}
    assert run(text, "r", a=7) == [7, 7]


def test_5_2_two_places_with_defaults_of_their_own():
    text = (
        "{:name :p :parent :add :args {:nums [{:as :a :value 1}]}}"
        "{:name :q :parent :add :args {:nums [{:as :a :value 2}]}}"
        "{:name :r :parent :list :args {:items [:p :q]}}"
    )
    assert run(text, "r") == [1, 2]
    assert run(text, "r", a=7) == [7, 7]


def test_5_2_an_own_open_slot_and_a_free_argument_are_one():
    text = (
        "{:name :p :parent :neg :args {:number {:as :divisor}}}"
        "{:name :r :parent :mod :args {:dividend :p}}"
    )
    assert interface(text, "r") == {"divisor": ":numeric"}
    assert run(text, "r", divisor=4) == 0


def test_5_3_a_binding_feeds_all_references_below():
    text = MINUS + TIMES + ("{:name :r :parent :list :args {:items [:minus :times] :a 5 :b 1}}")
    assert run(text, "r") == [4, 10]


def test_5_3_however_deep_the_name_is_free():
    text = MINUS + (
        "{:name :q :parent :identity :args {:value {:parent :list :args {:items [:minus]}}}}"
        "{:name :r :parent :identity :args {:value :q :a 5 :b 1}}"
    )
    assert run(text, "r") == [4]


def test_5_3_bindings_refer_to_each_other_in_any_order():
    text = MINUS + (
        "{:name :half :parent :quot :args {:dividend {:as :whole} :divisor 2}}"
        "{:name :r :parent :identity :args {:value :minus :a :half :whole 10 :b 1}}"
        "{:name :s :parent :identity :args {:whole 10 :b 1 :a :half :value :minus}}"
    )
    assert run(text, "r") == 4
    assert run(text, "s") == 4


def test_5_3_a_binding_brings_its_own_free_arguments():
    text = MINUS + (
        "{:name :half :parent :quot :args {:dividend {:as :whole} :divisor 2}}"
        "{:name :r :parent :identity :args {:value :minus :a :half :b 1}}"
    )
    assert interface(text, "r") == {"whole": ":numeric"}
    assert run(text, "r", whole=10) == 4


def test_5_3_a_descendant_feeds_the_references_of_its_ancestors():
    text = MINUS + (
        "{:name :r :parent :identity :args {:value :minus}}"
        "{:name :s :parent :r :args {:a 5}}"
        "{:name :t :parent :s :args {:b 1}}"
    )
    assert run(text, "t") == 4


def test_5_3_an_inherited_binding_feeds_references_written_below():
    text = (
        MINUS
        + TIMES
        + (
            "{:name :r :parent :list :args {:items [:minus] :a 5 :b 1}}"
            "{:name :s :parent :r :args {:items [:times]}}"
        )
    )
    assert run(text, "s") == [4, 10]


def test_5_3_bindings_in_a_circle_are_one_problem():
    text = MINUS + (
        "{:name :p :parent :neg :args {:number {:as :b}}}"
        "{:name :q :parent :neg :args {:number {:as :a}}}"
        "{:name :r :parent :identity :args {:value :minus :a :p :b :q}}"
    )
    assert report(text) == [("cycle", "r", ":a")]
    assert only(text).message == "the binding of :a needs itself: :a → :b → :a"


def test_5_3_a_binding_that_needs_its_own_name():
    text = MINUS + (
        "{:name :q :parent :neg :args {:number {:as :a}}}"
        "{:name :r :parent :identity :args {:value :minus :a :q}}"
    )
    assert report(text) == [("cycle", "r", ":a")]
    assert "rename that one's argument with {:as …}" in only(text).hint


def test_5_3_a_rename_below_can_close_a_circle():
    text = MINUS + (
        "{:name :q :parent :neg :args {:number {:as :n}}}"
        "{:name :r :parent :identity :args {:value :minus :a :q}}"
        "{:name :s :parent :r :args {:n {:as :a}}}"
    )
    assert report(text) == [("cycle", "s", ":n")]


OWN = "{:name :inner :parent :mul :args {:nums [{:as :divisor} 10]}}"


def test_5_4_binding_an_own_slot_does_not_feed_references():
    text = OWN + "{:name :r :parent :mod :args {:divisor 4 :dividend :inner}}"
    assert interface(text, "r") == {"divisor": ":numeric"}
    assert run(text, "r", divisor=3) == 2  # 30 mod 4


def test_5_4_also_when_a_descendant_binds_it():
    text = OWN + (
        "{:name :r :parent :mod :args {:dividend :inner}}"
        "{:name :s :parent :r :args {:divisor 4}}"
    )
    assert run(text, "r", divisor=3) == 0  # one argument for both (5.2)
    assert interface(text, "s") == {"divisor": ":numeric"}
    assert run(text, "s", divisor=3) == 2


def test_5_4_also_with_a_reference():
    text = OWN + (
        "{:name :four :parent :add :args {:nums [4]}}"
        "{:name :r :parent :mod :args {:divisor :four :dividend :inner}}"
    )
    assert run(text, "r", divisor=3) == 2


def test_5_4_renaming_an_own_slot_does_not_rename_the_free_argument():
    text = OWN + "{:name :r :parent :mod :args {:divisor {:as :by} :dividend :inner}}"
    assert sorted(interface(text, "r")) == ["by", "divisor"]
    assert run(text, "r", by=4, divisor=3) == 2


def test_5_4_a_default_of_an_own_slot_is_not_the_references():
    text = OWN + "{:name :r :parent :mod :args {:divisor {:as :d :value 4} :dividend :inner}}"
    assert run(text, "r", divisor=3) == 2
    text = (
        OWN
        + "{:name :r :parent :mod :args {:divisor {:as :divisor :value 4} :dividend :inner}}"
    )
    assert run(text, "r", divisor=3) == 0


def test_5_4_a_row_may_bind_its_slot_to_what_has_the_same_name_free():
    text = OWN + "{:name :r :parent :mod :args {:divisor :inner :dividend 47}}"
    assert interface(text, "r") == {"divisor": ":numeric"}
    assert run(text, "r", divisor=1) == 7


def refused(text: str, row: str, **arguments: object) -> RunError:
    with pytest.raises(RunError) as caught:
        run(text, row, **arguments)
    return caught.value


def test_5_5_a_missing_argument():
    error = refused("{:name :r :parent :mod :args {:divisor 4}}", "r")
    assert error.code == "missing-argument"
    assert ":dividend" in error.message


def test_5_5_an_unknown_argument_with_the_nearest():
    error = refused("{:name :r :parent :mod :args {:divisor 4}}", "r", dividend=7, divisr=1)
    assert error.code == "unknown-argument"
    assert ":divisr" in error.message


def test_5_5_an_argument_of_the_wrong_type_with_the_path_inside_it():
    text = (
        "{:name :order :type {:lines [:list {:sku :text}]}}"
        "{:name :r :parent :identity :args {:value {:as :order :type :order}}}"
    )
    error = refused(text, "r", order={"lines": [{"sku": "a"}, {"sku": 3}]})
    assert error.code == "argument-type"
    assert ":lines[1]:sku" in error.message


def test_5_5_all_of_them_at_once_before_anything_runs():
    text = (
        "{:name :r :parent :mod"
        " :args {:divisor {:as :n :type :int}"
        "        :dividend {:parent :throw :args {:exception {:as :m}}}}}"
    )
    error = refused(text, "r", n="four", other=1)
    assert all(part in error.message for part in (":n: ", ":m ", ":other "))
    assert {code for code, *_ in error.data} == {
        "argument-type",
        "missing-argument",
        "unknown-argument",
    }


def test_5_5_a_python_function_of_a_row_has_its_arguments_by_name():
    graph = Graph.parse("{:name :r :parent :mod :args {:divisor {:as :delay-ms}}}")
    assert graph.function("r")(delay_ms=4, dividend=7) == 3


def test_5_2_an_argument_knows_each_place_that_it_feeds():
    text = """
    {:name :one :parent :add :args {:nums [{:as :a} {:as :b}]}}
    {:name :two :parent :add :args {:nums [{:as :b :value 1}]}}
    {:name :r :parent :add :args {:nums [:one :two :one {:ref :one} {:as :b}]}}
    """
    places = {
        name: sorted(origin.span.column for origin in parameter.origins)
        for name, parameter in Graph.parse(text).resolved("r").interface.items()
    }
    line = text.splitlines()[3]
    ones = [line.index("[:one") + 2, line.index(":two :one") + 6, line.index(":one} {") + 1]
    assert places == {
        "a": ones,
        "b": sorted([*ones, line.index(":two") + 1, line.index("{:as") + 1]),
    }


def test_8_4_uses_that_are_alike_are_each_told_of():
    text = """
    {:name :one :parent :add :args {:nums [{:as :a :value "wrong"} 1]}}
    {:name :gives :parent :get :args {:coll {:as :c} :key {:value :a}}}
    {:name :r :parent :add :args {:nums [:gives :gives] :c {:value {:a "text"}}}}
    """
    found = Graph.parse(text).diagnostics
    assert [(each.row, each.span.line) for each in found] == [("one", 2), ("r", 4), ("r", 4)]
    assert len({each.span for each in found}) == 3
