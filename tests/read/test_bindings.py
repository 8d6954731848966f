"""Binding forms and their misuse (LANGUAGE 4.1–4.5, as far as their shape goes)."""

from __future__ import annotations

import pytest

from tests.read.reports import only, report, run


def in_slot(binding: str) -> str:
    """A row that binds a slot for any value."""
    return f"{{:name :a :parent :const :args {{:value {binding}}}}}"


def in_list(item: str) -> str:
    """A row with one item in a list slot."""
    return f"{{:name :a :parent :list :args {{:items [{item}]}}}}"


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("nil", None),
        ("true", True),
        ("7", 7),
        ("1.5", 1.5),
        ('"text"', "text"),
        ("{:a 1}", {"a": 1}),
        ("#{1 2}", frozenset({1, 2})),
        ("(1 2)", [1, 2]),
    ],
)
def test_4_1_literals(literal, value):
    assert run(in_slot(literal), "a") == value
    assert run(in_list(literal), "a") == [value]


def test_4_1_a_keyword_is_a_reference():
    assert run(in_slot(":seven") + "{:name :seven :parent :add :args {:nums [3 4]}}", "a") == 7


def test_4_1_a_keyword_without_a_row():
    text = in_slot(":paid")
    assert report(text) == [("unknown-row", "a", ":paid")]
    assert only(text).message == "there is no row :paid"
    hint = "If it is data, write {:value :paid}; if an argument, {:as :paid}."
    assert only(text).hint == hint


def test_4_1_the_nearest_row_is_offered_too():
    text = in_slot(":sevn") + "{:name :seven :parent :add :args {:nums [3 4]}}"
    assert only(text).hint == "Did you mean :seven? If it is data, write {:value :sevn}."


def test_4_1_a_parent_without_a_row_is_no_data():
    text = "{:name :a :parent :const2}"
    assert report(text) == [("unknown-row", "a", ":const2")]
    assert only(text).hint == "Did you mean :const?"


def test_4_1_a_symbol_means_nothing():
    text = in_slot("seven")
    assert report(text) == [("bad-row", "a", "seven")]
    assert only(text).hint == 'Write :seven for a row, or "seven" for text.'


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("{:value :add}", "add"),
        ("{:value [:add {:ref :add}]}", ["add", {"ref": "add"}]),
        ("{:value {:value :add}}", {"value": "add"}),
        ("{:value {:parent :add}}", {"parent": "add"}),
        ("{:value nil}", None),
    ],
)
def test_4_2_value_is_the_literal_peeled_once(written, value):
    assert run(in_slot(written), "a") == value
    assert run(in_list(written), "a") == [value]


def test_4_2_value_gives_keywords_as_keywords():
    assert str(run(in_slot("{:value :add}"), "a")) == ":add"


def test_4_2_ref_is_a_reference():
    text = in_slot("{:ref :seven}") + "{:name :seven :parent :add :args {:nums [3 4]}}"
    assert run(text, "a") == 7
    assert report(in_slot("{:ref :no-such}")) == [("unknown-row", "a", ":no-such")]


def test_4_2_an_inline_row():
    assert run(in_slot("{:parent :add :args {:nums [1 2]}}"), "a") == 3
    assert run(in_slot("{:parents [:add] :args {:nums [1 2]}}"), "a") == 3
    assert run(in_list("{:parent :add :args {:nums [1 2]}}"), "a") == [3]


def test_4_2_inline_rows_inside_each_other():
    text = in_slot("{:parent :add :args {:nums [1 {:parent :mul :args {:nums [2 3]}}]}}")
    assert run(text, "a") == 7


def test_4_2_any_other_map_is_a_literal_and_keywords_in_it_are_data():
    text = in_slot("{:status :paid :lines [:add {:ref :add}]}")
    assert run(text, "a") == {"status": "paid", "lines": ["add", {"ref": "add"}]}


def test_4_2_the_keys_of_binding_forms_are_keywords():
    assert run(in_slot('{"ref" 1}'), "a") == {"ref": 1}


@pytest.mark.parametrize(
    ("form", "code", "at"),
    [
        ('{:type "order" :id 3}', "unknown-key", ":id"),
        ("{:value 1 :vlaue 2}", "unknown-key", ":vlaue"),
        ('{:value 1 "note" 2}', "unknown-key", '"note"'),
        ("{:value 1 :ref :add}", "bad-row", ":ref"),
        ("{:ref :add :append [1]}", "bad-row", ":append"),
        ('{:ref "add"}', "bad-row", '"add"'),
        ('{:as "n"}', "bad-row", '"n"'),
        ("{:as nil}", "bad-row", "nil"),
        ("{:append 3}", "bad-row", "3"),
        ("{:append 3 :closed true}", "bad-row", "3"),
        ("{:append [1] :closed 1}", "bad-row", "1"),
        ("{:append [1] :as :n}", "bad-row", "{:append [1] :as :n}"),
        ("{:closed true}", "bad-row", "{:closed true}"),
        ("{:value [1] :closed true}", "bad-row", "{:value [1] :closed true}"),
        ('{:required "yes"}', "bad-row", '"yes"'),
        ("{:terminal nil}", "bad-row", "nil"),
        ("{:type 3}", "bad-row", "3"),
        ("{:args {:nums [1]}}", "bad-row", ":args"),
        ("{:lambda-params []}", "bad-row", ":lambda-params"),
        ('{:description "text"}', "bad-row", '{:description "text"}'),
        ("{:description 3 :as :n}", "bad-row", "3"),
        ("{:required false}", "bad-row", "{:required false}"),
    ],
)
def test_4_2_misuse_is_one_problem(form, code, at):
    for text in (in_slot(form), in_list(form)):
        assert report(text) == [(code, "a", at)]
        assert only(text).message


def test_4_2_a_map_that_is_data_is_told_how_to_say_so():
    problem = only(in_slot('{:type "order" :id 3}'))
    assert problem.message == ":id cannot stand in a binding form (:type makes this map one)"
    assert problem.hint == "If the map is data, write {:value {…}}."


def test_4_2_a_misspelt_key_of_a_binding_form_has_the_nearest_as_its_hint():
    assert only(in_slot("{:as :n :vlaue 2}")).hint.startswith("Did you mean :value?")


@pytest.mark.parametrize(
    ("form", "code", "at"),
    [
        ("{:parent :add :as :n}", "bad-row", ":as"),
        ("{:parent :add :name :n}", "bad-row", ":name"),
        ("{:parent :add :return-type :int}", "bad-row", ":return-type"),
        ("{:parent :add :parents [:add]}", "bad-row", ":parents"),
        ("{:parent :add :arsg {:nums [1]}}", "unknown-key", ":arsg"),
        ("{:parent :add :args [1]}", "bad-row", "[1]"),
        ("{:parent 3}", "bad-row", "3"),
        ("{:parents []}", "bad-row", "[]"),
        ("{:parent :no-such}", "unknown-row", ":no-such"),
    ],
)
def test_4_2_what_an_inline_row_cannot_be(form, code, at):
    for text in (in_slot(form), in_list(form)):
        assert report(text) == [(code, "a", at)]


def test_4_3_a_vector_in_a_list_slot_is_a_sequence_of_items():
    text = in_list(":seven 1 {:value :seven} {:ref :seven} {:k :seven} {:as :x}")
    text += "{:name :seven :parent :add :args {:nums [3 4]}}"
    assert run(text, "a", x=0) == [7, 1, "seven", 7, {"k": "seven"}, 0]


def test_4_3_a_vector_in_any_other_slot_is_one_literal():
    assert run(in_slot("[:seven {:ref :no-such} {:as :x}]"), "a") == [
        "seven",
        {"ref": "no-such"},
        {"as": "x"},
    ]


def test_4_3_what_would_be_wrong_as_an_item_is_data_in_a_literal():
    value = "[{:parent 3} {:as 3} {:value 1 :ref 2} seven {:parent :no-such :args 3}]"
    assert report(in_slot(value)) == []


def test_4_3_a_vector_inside_a_vector_is_a_literal_item():
    assert run(in_list("[:seven {:ref :seven}] 1"), "a") == [["seven", {"ref": "seven"}], 1]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("{:append [1]}", ":append cannot stand inside a vector"),
        ("{:type :int}", "{:type :int} is no item"),
        ("{:required true}", "{:required true} is no item"),
        ("{:terminal true}", "{:terminal true} is no item"),
    ],
)
def test_4_3_an_item_has_a_value_a_reference_or_a_name(item, message):
    text = in_list(f"1 {item} 2")
    assert report(text) == [("bad-row", "a", item)]
    assert only(text).message.startswith(message)


def test_4_3_the_problems_of_several_items_are_all_reported():
    text = in_list("{:as 3} :no-such {:value 1 :ref :add}")
    assert report(text) == [
        ("bad-row", "a", "3"),
        ("unknown-row", "a", ":no-such"),
        ("bad-row", "a", ":ref"),
    ]


def test_4_4_append_goes_with_a_list():
    text = in_slot("{:append [1]}")
    assert report(text) == [("bad-row", "a", "[1]")]
    assert ":append goes with a list, and :value takes a" in only(text).message
