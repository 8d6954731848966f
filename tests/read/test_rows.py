"""The shape of a row (LANGUAGE 1.5, 2)."""

from __future__ import annotations

import pytest

from graphden import Graph
from tests.read.reports import interface, only, pointed_at, report, run

KINDS = {
    "function": ":parent :add",
    "record": ":type {:sku :text}",
    "refinement": ":refine {:base :int :constraint [:> 0]}",
    "list": ":list :int",
    "map": ":map [:keyword :int]",
    "tuple": ":tuple [:int :text]",
    "union": ":union [:int :null]",
    "variant": ":variant [:paid :int]",
    "callable": ":fn-type [{:item :int} :int]",
}


@pytest.mark.parametrize("role", KINDS.values(), ids=KINDS.keys())
def test_1_5_every_row_may_have_a_description(role):
    graph = Graph.parse(f'{{:name :a {role} :description "What it is for."}}')
    assert graph.rows[0].description == "What it is for."


@pytest.mark.parametrize("value", [":text", "3", "[1]"])
def test_1_5_a_description_is_text(value):
    text = f"{{:name :a :parent :add :description {value}}}"
    assert report(text) == [("bad-row", "a", value)]
    assert "in double quotes" in only(text).hint


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        (":parnt", "parent"),
        (":arg", "args"),
        (":return_type", "return-type"),
        (":lambda-param", "lambda-params"),
        (":expect-effects", "expects-effects"),
        (":descripton", "description"),
    ],
)
def test_1_5_an_unknown_key_is_refused_with_the_nearest(key, meant):
    values = {
        "parent": ":add",
        "args": "{:nums [1]}",
        "return-type": ":int",
        "lambda-params": "[]",
        "expects-effects": "#{}",
        "description": '"x"',
    }
    others = "" if meant == "parent" else ":parent :add"
    text = f"{{:name :a {others} {key} {values[meant]}}}"
    assert report(text) == [("unknown-key", "a", key)]
    assert only(text).message == f"a row has no key {key}"
    assert only(text).hint == f"Did you mean :{meant}?"


def test_1_5_an_unknown_key_near_nothing_lists_what_there_is():
    problem = only("{:name :a :parent :add :zzz 1}")
    assert problem.code == "unknown-key"
    assert problem.hint.startswith("It may have :name :namespace :description :parent")


@pytest.mark.parametrize("key", ["3", "nil", '"zzz"'])
def test_1_5_a_key_that_is_no_keyword(key):
    text = f"{{:name :a :parent :add {key} 1}}"
    assert report(text) == [("unknown-key", "a", key)]


def test_1_5_a_collection_as_a_key_is_refused_once():
    assert report("{:name :a :parent :add [1] 1}") == [("syntax", "", "[1]")]


def test_1_5_a_key_as_text_is_refused_and_says_how_to_write_it():
    problem = only('{:name :a :parent :add "args" {:nums [1]}}')
    assert problem.message == '"args" is text, and keys are keywords'
    assert problem.hint == "Write :args."


def test_1_5_a_misspelt_key_is_read_as_it_was_meant():
    # Otherwise :b would seem to have an unknown slot, and :a to be a base function.
    text = (
        "{:name :a :parnt :mod :arg {:divisor {:as :by}}}"
        "{:name :b :parent :a :args {:by 2 :dividend 5}}"
    )
    assert [code for code, _, _ in report(text)] == ["unknown-key", "unknown-key"]


@pytest.mark.parametrize("role", [r for k, r in KINDS.items() if k != "function"])
def test_2_two_role_keys_together(role):
    text = f"{{:name :a :parent :add {role} :args {{:nums [1]}}}}"
    key = role.split()[0]
    assert report(text) == [("bad-row", "a", key)]
    assert only(text).message == f":parent and {key} cannot stand in one row"


def test_2_parent_and_parents_together():
    assert report("{:name :a :parent :add :parents [:add]}") == [("bad-row", "a", ":parents")]


def test_2_1_parent_is_short_for_parents_with_one():
    assert run("{:name :a :parents [:add] :args {:nums [1 2]}}", "a") == 3


@pytest.mark.parametrize("value", ['"add"', "nil", "3", "{:parent :add}"])
def test_2_1_a_parent_is_named_by_a_keyword(value):
    text = f"{{:name :a :parent {value}}}"
    assert report(text) == [("bad-row", "a", value)]
    assert "a parent is named by a keyword" in only(text).message


@pytest.mark.parametrize("value", ["[]", ":add", "#{:add}"])
def test_2_1_parents_is_a_vector_of_rows(value):
    text = f"{{:name :a :parents {value}}}"
    assert report(text) == [("bad-row", "a", value)]
    assert only(text).hint == "Write :parents [:a :b]."


@pytest.mark.parametrize("value", ["[1]", "nil", '"x"'])
def test_2_1_args_is_a_map(value):
    text = f"{{:name :a :parent :add :args {value}}}"
    assert report(text) == [("bad-row", "a", value)]
    assert ":args takes a map from slots to bindings" in only(text).message


def test_2_1_a_slot_is_named_by_a_keyword():
    text = '{:name :a :parent :add :args {"nums" [1]}}'
    assert report(text) == [("bad-row", "a", '"nums"')]


@pytest.mark.parametrize(
    ("value", "at"), [(":item", ":item"), ("[3]", "3"), ('["item"]', '"item"'), ("{}", "{}")]
)
def test_2_1_lambda_params_is_a_vector_of_names(value, at):
    text = f"{{:name :a :parent :mod :lambda-params {value}}}"
    assert report(text) == [("bad-row", "a", at)]


@pytest.mark.parametrize(("value", "at"), [("#{:bd}", ":bd"), ("#{3}", "3"), (":db", ":db")])
def test_2_1_effects_are_a_set_of_known_ones(value, at):
    text = f"{{:name :a :parent :add :expects-effects {value}}}"
    assert report(text) == [("bad-row", "a", at)]
    if value.startswith("#"):
        assert only(text).hint == (
            "There are :db :env :io :network :process :random :state :time."
        )


@pytest.mark.parametrize(
    "key", [":return-type :int", ":lambda-params []", ":expects-effects #{}", ":args {:a 1}"]
)
def test_2_3_a_type_row_has_no_keys_of_a_function(key):
    text = f"{{:name :a :list :int {key}}}"
    assert report(text) == [("bad-row", "a", key.split()[0])]
    assert "has no place in a type row" in only(text).message


def test_2_1_effects_are_declared_by_base_functions_only():
    text = "{:name :a :parent :add :effects #{:db}}"
    assert report(text) == [("bad-row", "a", ":effects")]
    assert "has no place in a row with a parent" in only(text).message


@pytest.mark.parametrize(
    "row",
    [
        "{:name :a}",
        "{:name :a :args {:x :int} :return-type :int :effects #{:db}}",
        "{:name :a :args {:nums [1 2]}}",  # a forgotten :parent
        "{:name :a :args {:x :no-such-type}}",
    ],
)
def test_2_2_a_base_function_without_a_body_is_one_problem(row):
    problem = only(row)
    assert problem.code == "signature-mismatch"
    assert (problem.row, pointed_at(row, problem)) == ("a", ":a")
    assert ":a has no :parent, and no Python function implements it" in problem.message
    assert "Give it a :parent" in problem.hint


def test_2_2_who_uses_a_base_function_without_a_body_is_not_blamed():
    text = "{:name :a :args {:nums [1 2]}} {:name :b :parent :a :args {:x 1 :y :a}}"
    assert report(text) == [("signature-mismatch", "a", ":a")]


def test_2_2_the_slots_of_a_base_function_are_its_interface():
    assert interface("{:name :a :parent :range}", "a") == {
        "start": ":int? = 0",
        "end": ":int",
        "step": ":int? = 1",
    }


RECORD = "{:name :order :type {:sku :text :qty {:type :int :required false}}}"


def test_2_3_a_field_that_is_not_required():
    assert interface(RECORD, "order") == {"sku": ":text", "qty": ":int?"}


def test_2_4_a_record_builds_the_map_of_its_fields():
    text = RECORD + '{:name :a :parent :order :args {:sku "x" :qty 2}}'
    assert run(text, "a") == {"sku": "x", "qty": 2}


def test_2_4_a_refinement_returns_its_value():
    text = (
        "{:name :positive :refine {:base :int :constraint [:> 0]}}"
        "{:name :a :parent :positive :args {:value 3}}"
    )
    assert run(text, "a") == 3


def test_2_4_a_list_returns_its_items():
    text = "{:name :ints :list :int} {:name :a :parent :ints :args {:items [1 2]}}"
    assert run(text, "a") == [1, 2]
