"""Rows as callables: who receives, who is captured (LANGUAGE 6)."""

from __future__ import annotations

import pytest

from graphden import Graph
from tests.read.reports import interface, only, report, run

ROWS = """
{:name :double :parent :mul :args {:nums [{:as :item} 2]}}
{:name :half :parent :div :args {:nums [{:as :n} 2]}}
{:name :scale :parent :mul :args {:nums [{:as :n} {:as :factor}]}}
{:name :seven :parent :add :args {:nums [3 4]}}
"""


def mapped(func: str, more: str = "") -> str:
    return ROWS + f"{{:name :r :parent :map :args {{:func {func} :coll [2 4] {more}}}}}"


@pytest.mark.parametrize(
    "func", [":double", "{:ref :double}", "{:parent :mul :args {:nums [{:as :item} 2]}}"]
)
def test_6_1_a_reference_in_a_callable_slot_is_wrapped(func):
    assert run(mapped(func), "r") == [4, 8]


def test_6_1_elsewhere_it_is_run():
    assert run(ROWS + "{:name :r :parent :list :args {:items [:seven]}}", "r") == [7]


def test_6_1_the_type_after_narrowing_decides():
    text = ROWS + (
        "{:name :r :parent :identity"
        " :args {:value {:type [:fn {:item :int} :int] :ref :double}}}"
    )
    assert run(text, "r")(4) == 8


def test_6_1_the_type_after_narrowing_by_an_ancestor_decides():
    text = ROWS + (
        "{:name :q :parent :identity :args {:value {:type [:fn {:item :int} :int]}}}"
        "{:name :r :parent :q :args {:value :double}}"
    )
    assert run(text, "r")(4) == 8


def test_6_1_the_type_after_renaming_decides():
    text = ROWS + (
        "{:name :q :parent :map :args {:func {:as :f} :coll [2 4]}}"
        "{:name :r :parent :q :args {:f :double}}"
    )
    assert run(text, "r") == [4, 8]


def test_6_1_the_type_of_a_free_name_decides():
    text = ROWS + (
        "{:name :q :parent :map :args {:func {:as :f} :coll [2 4]}}"
        "{:name :r :parent :identity :args {:value :q :f :double}}"
    )
    assert run(text, "r") == [4, 8]


def test_6_1_the_type_that_another_binding_of_the_row_brings_in_decides():
    text = ROWS + (
        "{:name :q :parent :map :args {:func {:as :f} :coll [2 4]}}"
        "{:name :p :parent :identity :args {:value {:as :x}}}"
        "{:name :r :parent :identity :args {:f :double :x :q :value :p}}"
    )
    assert run(text, "r") == [4, 8]


def test_6_1_a_type_row_that_is_a_callable():
    text = ROWS + (
        "{:name :step :fn-type [{:item :int} :int]}"
        "{:name :r :parent :identity :args {:value {:type :step :ref :double}}}"
    )
    assert run(text, "r")(4) == 8


def test_6_1_items_of_a_list_of_callables_are_wrapped():
    text = ROWS + (
        "{:name :f :parent :comp :args {:functions [:double {:ref :half} :double]}}"
        "{:name :r :parent :map :args {:func :f :coll [3]}}"
    )
    assert run(text, "r") == [6]


def test_6_1_a_row_whose_declared_result_is_callable_is_run():
    text = (
        "{:name :always :parent :constantly :args {:value 9}}"
        "{:name :r :parent :map :args {:func :always :coll [1 2]}}"
    )
    assert run(text, "r") == [9, 9]


def test_6_1_return_type_declares_it_too():
    text = ROWS + (
        "{:name :pick :parent :identity :return-type [:fn {:item :int} :int]"
        " :args {:value {:type [:fn {:item :int} :int] :ref :double}}}"
        "{:name :r :parent :map :args {:func :pick :coll [1 2]}}"
    )
    assert run(text, "r") == [2, 4]


def test_6_1_python_callables_are_arguments():
    text = "{:name :r :parent :map :args {:coll [1 2]}}"
    assert run(text, "r", func=lambda item: item + 1) == [2, 3]


def test_6_2_1_lambda_params_in_order():
    text = (
        "{:name :minus :parent :sub :lambda-params [:b :a] :args {:nums [{:as :a} {:as :b}]}}"
        "{:name :r :parent :call-with :args {:func :minus :first 1 :second 10}}"
    )
    assert run(text, "r") == 9


def test_6_2_1_fewer_names_than_parameters():
    text = (
        "{:name :minus :parent :sub :lambda-params [:a] :args {:nums [{:as :a} {:as :b}]}}"
        "{:name :r :parent :call-with :args {:func :minus :first 10 :second 99 :b 1}}"
    )
    assert run(text, "r") == 9


def test_6_2_1_lambda_params_win_over_an_argument_of_the_parameters_name():
    text = (
        "{:name :f :parent :sub :lambda-params [:n] :args {:nums [{:as :n} {:as :item}]}}"
        "{:name :r :parent :map :args {:func :f :coll [5] :item 1}}"
    )
    assert run(text, "r") == [4]


def test_6_2_1_empty_lambda_params_take_nothing():
    text = ROWS + (
        "{:name :f :parent :half :lambda-params []}"
        "{:name :r :parent :map :args {:func :f :coll [1 2]}}"
    )
    assert interface(text, "r") == {"n": ":numeric"}
    assert run(text, "r", n=8) == [4, 4]


def test_6_2_1_each_must_be_a_free_argument():
    text = ROWS + "{:name :f :parent :half :lambda-params [:m]}"
    assert report(text) == [("invalid-lambda-params", "f", ":m")]
    assert only(text).message == ":m is not a free argument of :f"
    assert "It has :n." in only(text).hint


def test_6_2_1_a_bound_name_is_not_free():
    text = ROWS + "{:name :f :parent :half :lambda-params [:n] :args {:n 3}}"
    assert report(text) == [("invalid-lambda-params", "f", ":n")]


def test_6_2_1_the_problem_is_the_wrapped_rows_alone():
    text = ROWS + (
        "{:name :f :parent :scale :lambda-params [:m]}"
        "{:name :r :parent :map :args {:func :f :coll [1 2]}}"
    )
    assert report(text) == [("invalid-lambda-params", "f", ":m")]


def test_6_2_1_more_names_than_parameters():
    text = (
        "{:name :f :parent :sub :lambda-params [:a :b] :args {:nums [{:as :a} {:as :b}]}}"
        "{:name :r :parent :map :args {:func :f :coll [1]}}"
    )
    assert report(text) == [("invalid-lambda-params", "r", ":f")]
    assert only(text).message == ":f names 2 :lambda-params, the call has 1"
    assert only(text).hint == "The call hands :item."


def test_6_2_1_a_name_twice():
    text = ROWS + "{:name :f :parent :half :lambda-params [:n :n]}"
    assert [(code, at) for code, _, at in report(text)] == [("invalid-lambda-params", ":n")]


def test_6_2_2_no_parameters_give_nothing_away():
    text = ROWS + "{:name :r :parent :call-noargs :args {:func :half}}"
    assert interface(text, "r") == {"n": ":numeric"}
    assert run(text, "r", n=8) == 4


def test_6_2_3_the_argument_of_the_parameters_name():
    text = (
        "{:name :f :parent :sub :args {:nums [{:as :item} {:as :other}]}}"
        "{:name :r :parent :map :args {:func :f :coll [5]}}"
    )
    assert interface(text, "r") == {"other": ":numeric"}
    assert run(text, "r", other=1) == [4]


def test_6_2_3_else_the_only_free_argument_whatever_its_name():
    assert run(mapped(":half"), "r") == [1, 2]


def test_6_2_3_an_argument_with_a_default_counts():
    text = (
        "{:name :f :parent :mul :args {:nums [{:as :n :value 3} 2]}}"
        "{:name :r :parent :map :args {:func :f :coll [5]}}"
    )
    assert run(text, "r") == [10]


def test_6_2_3_a_declared_default_counts_too():
    text = "{:name :f :parent :range :args {:end 3 :step 1}}"
    text += "{:name :r :parent :map :args {:func :f :coll [1]}}"
    assert run(text, "r") == [[1, 2]]


def test_6_2_3_what_a_binding_of_the_row_feeds_is_no_candidate():
    assert run(mapped(":scale", ":factor 10"), "r") == [20, 40]


def test_6_2_3_what_a_binding_of_its_ancestors_feeds_is_no_candidate():
    text = ROWS + (
        "{:name :scaled :parent :list :args {:items [:scale]}}"
        "{:name :p :parent :map :args {:coll :scaled :factor 10}}"
        "{:name :q :parent :p :args {:func :scale}}"
    )
    assert interface(text, "q") == {"n": ":numeric"}
    assert run(text, "q", n=2) == [200]


def test_6_2_3_what_a_descendant_feeds_does_not_help():
    """It is decided at the row that writes the reference (6.3)."""
    text = mapped(":scale") + "{:name :s :parent :r :args {:factor 10}}"
    assert report(text) == [("ambiguous-lambda-params", "r", ":scale")]


def test_6_2_3_none_and_the_value_is_ignored():
    assert run(mapped(":seven"), "r") == [7, 7]


def test_6_2_3_all_fed_and_the_value_is_ignored():
    assert run(mapped(":half", ":n 10"), "r") == [5, 5]


def test_6_2_3_several_are_ambiguous_and_named():
    text = mapped(":scale")
    assert report(text) == [("ambiguous-lambda-params", "r", ":scale")]
    assert only(text).message == "the call's :item may go to :n or :factor of :scale"
    assert only(text).hint == (
        "Name the one that takes it: :scale needs :lambda-params [:n], or {:as :item} in its "
        "place, or [] to ignore it."
    )


def test_6_2_3_the_hint_prefers_what_is_needed_and_tells_where_the_rest_is_from():
    optional = "{:parent :get :args {:key {:value :qty} :coll {:as :order}}}"
    lists = "{:name :r :parent :map :args {:coll [] :func FUNC}}"
    hint = "Name the one that takes it: {0} needs :lambda-params [:order], or {{:as :item}} in "
    hint += "its place, or [] to ignore it. :default is that of {1}, such as :default nil, if "
    hint += "it is not meant."
    row = "{:name :big :parent :gt :args {:nums [OPTIONAL 3]}}".replace("OPTIONAL", optional)
    text = row + "\n" + lists.replace("FUNC", ":big")
    place = "{:parent :get …} at rows.edn:1:39; bind it there"
    assert only(text).hint == hint.format(":big", place)
    assert report(text.replace(":key {", ":default nil :key {")) == []
    own = only(lists.replace("FUNC", optional))
    assert own.hint == hint.format("this inline row", ":get; bind it here")


def test_6_2_3_the_hint_prefers_the_type_of_the_call():
    text = (
        "{:name :each :parent :map :args {:func {:type [:fn {:item :int} :any]} :coll []}}"
        "{:name :f :parent :list :args {:items [{:as :a :type :text} {:as :b :type :int}]}}"
        "{:name :r :parent :each :args {:func :f}}"
    )
    assert ":lambda-params [:b]" in only(text).hint


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            ":reduce :args {:init 0 :coll [1] :func {:parent :add :args {:nums [{:as :acc} "
            "{:as :item}]}}}",
            "The call's :pair is one list [accumulated item]; take it as {:as :pair} and read ",
        ),
        (
            ":map :args {:coll [] :func :line}",
            ":line takes its fields one by one; to check whole values, write {:parent "
            ":identity :args {:value {:as :item :type :line}}}.",
        ),
    ],
)
def test_6_2_3_the_hint_tells_of_pairs_and_of_records(call, said):
    problem = only(f"{{:name :line :type {{:a :int :b :int}}}} {{:name :r :parent {call}}}")
    assert problem.code == "ambiguous-lambda-params"
    assert problem.hint.startswith(said)


def test_6_2_3_inline_rows_too():
    text = mapped("{:parent :mul :args {:nums [{:as :x} {:as :y}]}}")
    assert [code for code, _, _ in report(text)] == ["ambiguous-lambda-params"]
    assert "the call's :item may go to :x or :y of" in only(text).message
    text = mapped("{:parent :mul :lambda-params [:y] :args {:nums [{:as :x} {:as :y}]}}")
    assert run(text, "r", x=3) == [6, 12]


def test_6_2_4_more_parameters_go_by_name_only():
    text = (
        "{:name :f :parent :sub :args {:nums [{:as :second} {:as :other}]}}"
        "{:name :r :parent :call-with :args {:func :f :first 1 :second 10}}"
    )
    assert interface(text, "r") == {"other": ":numeric"}
    assert run(text, "r", other=4) == 6


def test_6_2_4_names_that_the_row_lacks_are_ignored():
    text = ROWS + "{:name :r :parent :call-with :args {:func :half :first 1 :second 2}}"
    assert run(text, "r", n=8) == 4


def test_6_2_4_the_only_argument_is_not_taken_for_one_of_them():
    text = ROWS + "{:name :r :parent :call-with :args {:func :half :first 1 :second 2}}"
    assert interface(text, "r") == {"n": ":numeric"}


def test_6_3_what_nothing_supplies_becomes_a_free_argument():
    text = (
        "{:name :f :parent :mul :args {:nums [{:as :item} {:as :factor}]}}"
        "{:name :r :parent :map :args {:func :f :coll [1 2]}}"
        "{:name :s :parent :list :args {:items [:r]}}"
    )
    assert interface(text, "s") == {"factor": ":numeric"}
    assert run(text, "s", factor=3) == [[3, 6]]


def test_6_3_capture_through_several_callable_layers():
    text = (
        "{:name :times :parent :mul :args {:nums [{:as :item} {:as :factor}]}}"
        "{:name :row :parent :map :lambda-params [:xs] :args {:func :times :coll {:as :xs}}}"
        "{:name :grid :parent :map :args {:func :row :coll [[1] [2 3]]}}"
        "{:name :r :parent :identity :args {:value :grid :factor 10}}"
    )
    assert interface(text, "grid") == {"factor": ":numeric"}
    assert run(text, "grid", factor=10) == [[10], [20, 30]]
    assert run(text, "r") == [[10], [20, 30]]


def test_6_3_what_is_captured_may_be_a_reference():
    text = ROWS + ("{:name :r :parent :map :args {:func :scale :coll [1 2] :factor :seven}}")
    assert run(text, "r") == [7, 14]


def test_6_3_call_values_win_over_captured_ones_of_the_same_name():
    text = ROWS + "{:name :r :parent :map :args {:func :double :coll [1 2] :item 100}}"
    assert report(text) == [("unknown-slot", "r", ":item")]
    # :item is free in the list beside the callable: there the binding counts.
    text = ROWS + (
        "{:name :r :parent :map"
        " :args {:func :double :coll {:parent :list :args {:items [{:as :item}]}} :item 100}}"
    )
    assert run(text, "r") == [200]


def test_6_3_inner_call_values_shadow_outer_ones():
    text = ROWS + (
        "{:name :inner :parent :map :args {:func :double :coll {:as :item}}}"
        "{:name :r :parent :map :args {:func :inner :coll [[1] [2 3]]}}"
    )
    assert run(text, "r") == [[2], [4, 6]]


def test_6_3_an_inner_callable_captures_the_call_value_of_the_row_it_is_written_in():
    text = (
        "{:name :pair :parent :list :args {:items [{:as :outer} {:as :item}]}}"
        "{:name :inner :parent :map :lambda-params [:outer] :args {:func :pair :coll [1 2]}}"
        '{:name :r :parent :map :args {:func :inner :coll ["a" "b"]}}'
    )
    assert run(text, "r") == [[["a", 1], ["a", 2]], [["b", 1], ["b", 2]]]


def test_6_3_capture_is_never_from_the_call_values_of_rows_in_between():
    """:show is bound at :r, so its :n is :r's, whatever :between receives."""
    text = (
        "{:name :show :parent :list :args {:items [{:as :n} {:as :item}]}}"
        "{:name :between :parent :map :lambda-params [:n]"
        " :args {:func {:as :f :type [:fn {:item :any} :any]}"
        "        :coll {:parent :list :args {:items [{:as :n}]}}}}"
        "{:name :r :parent :map :args {:func :between :coll [1 2] :f :show}}"
    )
    assert list(interface(text, "r")) == ["n"]
    assert run(text, "r", n=9) == [[[9, 1]], [[9, 2]]]


def test_6_3_descendants_cannot_cure_it():
    for cure in (":n 1", ":factor 1", ":factor {:as :f}", ":func :double"):
        text = mapped(":scale") + f"{{:name :s :parent :r :args {{{cure}}}}}"
        assert report(text) == [("ambiguous-lambda-params", "r", ":scale")]


def test_6_3_descendants_cannot_change_it():
    """:scale receives :n at :r for good, though :s opens another argument for it."""
    text = mapped(":scale", ":factor 10") + "{:name :s :parent :r :args {:factor {:as :n}}}"
    assert interface(text, "s") == {"n": ":numeric"}
    assert run(text, "s", n=3) == [6, 12]


def test_6_4_a_row_without_free_arguments_fits_any_callable_slot():
    for parent in (
        ":map :args {:func :seven :coll [1]}",
        ":call-noargs :args {:func :seven}",
        ":call-with :args {:func :seven :first 1 :second 2}",
    ):
        assert run(ROWS + f"{{:name :r :parent {parent}}}", "r") in (7, [7])


def test_6_2_the_parameters_are_shown_in_no_interface():
    graph = Graph.parse(mapped(":double"))
    assert graph.interface("r") == ()
