"""Items along a chain of parents (LANGUAGE 4.3, 4.4)."""

from __future__ import annotations

import pytest

from tests.read.reports import only, report, run

BASE = "{:name :base :parent :list :args {:items [1 2]}}"
ROWS = "{:name :three :parent :const :args {:value 3}}"


def below(binding: str, base: str = BASE) -> str:
    return base + ROWS + f"{{:name :a :parent :base :args {{:items {binding}}}}}"


def test_4_4_an_item_vector_extends_ancestors_first():
    assert run(below("[3 4]"), "a") == [1, 2, 3, 4]


def test_4_4_append_says_the_same():
    assert run(below("{:append [3 4]}"), "a") == [1, 2, 3, 4]


def test_4_4_append_where_nothing_is_bound_starts_the_list():
    assert run("{:name :a :parent :list :args {:items {:append [1]}}}", "a") == [1]


def test_4_4_over_three_levels():
    assert run(below("[3]") + "{:name :b :parent :a :args {:items [4]}}", "b") == [1, 2, 3, 4]


def test_4_4_value_replaces_the_whole_list():
    assert run(below("{:value [9]}"), "a") == [9]


def test_4_4_items_appended_below_a_replaced_list_follow_it():
    assert run(below("{:value [9]}") + "{:name :b :parent :a :args {:items [4]}}", "b") == [
        9,
        4,
    ]


def test_4_4_items_extend_a_list_that_was_bound_as_a_value():
    base = "{:name :base :parent :list :args {:items {:value [:x :y]}}}"
    assert run(below("[3]", base), "a") == ["x", "y", 3]


def test_4_4_closed_refuses_more_below():
    text = below("{:append [3] :closed true}") + "{:name :b :parent :a :args {:items [4]}}"
    assert run(below("{:append [3] :closed true}"), "a") == [1, 2, 3]
    assert report(text) == [("list-closed", "b", "[4]")]
    assert only(text).message == ":items was closed by :a; nothing can be appended"
    assert only(text).hint == ("Derive :base instead. Write {:value […]} to replace the list.")


@pytest.mark.parametrize("binding", ["[4]", "{:append [4]}", "[]"])
def test_4_4_closed_refuses_every_way_to_append(binding):
    base = "{:name :base :parent :list :args {:items {:append [1] :closed true}}}"
    assert report(below(binding, base))[0][0] == "list-closed"


def test_4_4_closed_false_is_open():
    base = "{:name :base :parent :list :args {:items {:append [1] :closed false}}}"
    assert run(below("[4]", base), "a") == [1, 4]


def test_4_4_items_that_are_references_may_be_extended():
    base = "{:name :base :parent :list :args {:items [:three]}}"
    assert run(below("[4]", base), "a") == [3, 4]


@pytest.mark.parametrize(
    "binding", ["{:value [4]}", "{:value []}", ":three", "{:as :n}", "nil"]
)
def test_4_4_but_not_replaced(binding):
    base = "{:name :base :parent :list :args {:items [1 :three]}}"
    text = below(binding, base)
    assert report(text) == [("sealed-slot", "a", ":items")]
    assert ":base bound it to :three" in only(text).message


def test_4_8_a_sealed_list_names_the_row_that_wrote_the_reference():
    """Not the last row that appended: deriving above that one would not help."""
    text = (
        BASE
        + ROWS
        + "{:name :b :parent :base :args {:items [:three]}}"
        + "{:name :c :parent :b :args {:items [4]}}"
        + "{:name :d :parent :c :args {:items {:value []}}}"
    )
    assert ":b bound it to :three" in only(text).message
    assert only(text).hint == "Derive :base instead, where :items is still open."


def test_4_4_a_list_of_a_default_is_overridden_not_extended():
    base = "{:name :base :parent :list :args {:items {:as :items :value [1 2]}}}"
    assert run(below("[9]", base), "a") == [9]


def test_4_5_a_positional_argument():
    text = "{:name :a :parent :list :args {:items [{:as :x} 2 {:as :y :value 3}]}}"
    assert run(text, "a", x=1) == [1, 2, 3]
    assert run(text, "a", x=1, y=9) == [1, 2, 9]


def test_4_5_a_positional_argument_is_bound_below_by_its_name():
    text = (
        "{:name :a :parent :list :args {:items [{:as :x} 2]}}"
        "{:name :b :parent :a :args {:x 1}}"
        "{:name :c :parent :b :args {:items [3]}}"
    )
    assert run(text, "b") == [1, 2]
    assert run(text, "c") == [1, 2, 3]


def test_4_5_a_positional_argument_is_renamed_below():
    text = (
        "{:name :a :parent :list :args {:items [{:as :x} {:as :x} {:as :y}]}}"
        "{:name :b :parent :a :args {:x {:as :z}}}"
    )
    assert run(text, "b", z=1, y=2) == [1, 1, 2]


def test_4_4_a_free_name_of_a_list_type_takes_items_too():
    text = (
        "{:name :total :parent :add}"
        "{:name :a :parent :const :args {:value :total :nums [1 {:as :n}]}}"
        "{:name :b :parent :a :args {:nums [3]}}"
    )
    assert run(text, "b", n=2) == 6
