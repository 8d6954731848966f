"""Diagnostics of callables: literals, and parameters of a plainly different type (6.1, 6.2)."""

from __future__ import annotations

import pytest

from graphden import Graph, RunError
from tests.read.reports import only, pointed_at, report

ROWS = """
{:name :shout :parent :str-upper :args {:string {:as :item}}}
{:name :upper :parent :str-upper}
{:name :double :parent :mul :args {:nums [{:as :item} 2]}}
{:name :ints :parent :map :args {:func {:type [:fn {:item :int} :any]} :coll [1]}}
"""


@pytest.mark.parametrize(
    "literal",
    [
        "3",
        '"double"',
        "nil",
        "true",
        "{:value :double}",
        "[1]",
        "[]",
        "{:a 1}",
        "{:as :f :value 3}",
    ],
)
def test_6_1_a_literal_in_a_callable_slot(literal):
    text = f"{{:name :r :parent :map :args {{:func {literal} :coll [1]}}}}"
    problem = only(text)
    assert (problem.code, problem.row, problem.structural) == ("not-callable", "r", False)
    assert pointed_at(text, problem) in literal
    assert problem.message == (
        "a callable is needed here, [:fn {:item a} b], and this is a literal"
    )
    hints = {
        '"double"': "A row is named by a keyword, :double; it is called each time.",
        "{:value :double}": "Write :double for the row of that name. To read the field "
        ":double, write {:parent :get :args {:coll {:as :item} :key {:value :double}}}.",
    }
    other = "Name a row, such as :double; it is called each time."
    assert problem.hint == hints.get(literal, other)


def test_6_1_a_name_in_brackets_is_told_to_stand_alone():
    problem = only("{:name :r :parent :map :args {:func [:inc] :coll [1]}}")
    assert problem.code == "not-callable"
    assert problem.hint == "Without brackets, :inc names the row that is called each time."


def test_6_1_the_field_is_read_as_the_hint_for_a_keyword_says():
    read = "{:parent :get :args {:coll {:as :item} :key {:value :qty}}}"
    text = f"{{:name :r :parent :map :args {{:func {read} :coll [{{:qty 2}} {{:qty 3}}]}}}}"
    assert Graph.parse(text).run("r") == [2, 3]


def test_6_1_a_literal_among_callables():
    text = ROWS + "{:name :r :parent :comp :args {:functions [:double 3 {:value :double}]}}"
    assert report(text) == [("not-callable", "r", "3"), ("not-callable", "r", ":double")]


def test_6_1_a_whole_list_of_literals_is_one_problem_and_an_empty_one_none():
    whole = "{{:name :r :parent :comp :args {{:functions {{:value {0}}}}}}}"
    assert report(whole.format("[1 2]")) == [("not-callable", "r", "[1 2]")]
    assert report(whole.format("[]")) == []


def test_6_1_nil_where_the_type_allows_it():
    text = (
        "{:name :q :parent :identity :args {:value {:type [:union [:fn {} :any] :null]}}}"
        "{:name :r :parent :q :args {:value nil}}"
    )
    assert report(text) == []


def test_6_1_in_a_callable_slot_under_another_name():
    text = (
        "{:name :q :parent :map :args {:func {:as :f} :coll [1]}}"
        "{:name :r :parent :identity :args {:value :q :f 3}}"
    )
    assert report(text) == [("not-callable", "r", "3")]


def test_6_2_a_parameter_of_a_plainly_different_type():
    text = ROWS + "{:name :r :parent :ints :args {:func :shout}}"
    problem = only(text)
    assert (problem.code, problem.structural) == ("type-mismatch", False)
    assert pointed_at(text, problem) == ":shout"
    assert problem.message == (
        ":shout is called with :item (:int), which would go to its :item, and that takes :text"
    )
    assert problem.hint == (
        "Bind :coll to what :shout takes, convert it first in :shout, or write "
        ":lambda-params [] there to ignore it."
    )


def test_6_2_when_it_would_go_to_an_argument_of_another_name():
    problem = only(ROWS + "{:name :r :parent :ints :args {:func :upper}}")
    assert (
        ":item (:int), which would go to its :string, and that takes :text" in problem.message
    )
    assert problem.hint == (
        "Bind :string in :upper to ignore what the call hands over, or open a slot under that "
        "name with {:as :item}."
    )


def test_6_2_a_parameter_that_fits_is_no_problem():
    assert report(ROWS + "{:name :r :parent :ints :args {:func :double}}") == []


def test_6_2_an_optional_argument_that_would_take_the_message():
    """The failing handler of the queue tutorial, without its explicit :keywordize."""
    text = (
        '{:name :handler :parent :parse-json :args {:string "not JSON"}}'
        '{:name :worker :parent :pg-queue-consumer :args {:queue "q" :handler :handler}}'
    )
    problem = only(text)
    assert problem.code == "type-mismatch"
    assert pointed_at(text, problem) == ":handler"
    assert ":keywordize" in problem.message
    assert ":queue-message" in problem.message
    assert problem.hint.startswith("Bind :keywordize in :handler to ignore")


def test_9_1_a_row_with_a_diagnostic_is_not_run_nor_is_what_reaches_it():
    graph = Graph.parse(
        ROWS
        + "{:name :r :parent :ints :args {:func :shout}}"
        + "{:name :s :parent :list :args {:items [:r]}}"
        + "{:name :t :parent :list :args {:items [1]}}"
    )
    for row in ("r", "s"):
        with pytest.raises(RunError) as caught:
            graph.run(row)
        assert caught.value.code == "row-has-diagnostics"
        assert ":shout is called with :item" in caught.value.message
    assert graph.run("t") == [1]


@pytest.mark.parametrize("slot", ["{:func :held}", "{:func {:as :g}} :lambda-params []"])
def test_6_4_a_callable_that_a_row_gives_has_as_many_parameters_as_the_slot(slot):
    text = f"""
{{:name :held :parent :comp :args {{:functions [:identity]}}}}
{{:name :calls :parent :call-noargs :args {slot}}}
"""
    if ":as" in slot:
        text += "{:name :uses :parent :calls :args {:g :held}}"
    assert [code for code, _, _ in report(text)] == ["type-mismatch"]


def test_8_4_a_default_for_a_callable_of_another_row_is_typed_by_that_row_alone():
    """`:const` and `:map` both call a type variable `a`."""
    text = """
{:name :double :parent :mul :args {:nums [{:as :item} 2]}}
{:name :each :parent :map :args {:func {:as :f} :coll [1 2]}}
{:name :entry :parent :const :args {:value :each :f {:as :f :ref :double}}}
"""
    assert report(text) == []
    assert Graph.parse(text).run("entry") == [2, 4]


def test_8_4_what_a_callable_gives_is_known_by_the_name_of_its_type() -> None:
    text = (
        "{:name :opening :fn-type [{:arg :any} :int]}"
        "{:name :r :parent :call :args {:arg 1 :func {:as :o :type :opening}}}"
    )
    graph = Graph.parse(text)
    assert str(graph.inference.row("user/r").result) == ":int"
    assert graph.run("r", {"o": lambda _: 5}) == 5
