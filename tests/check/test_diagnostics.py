"""What a diagnostic says: what came, what was expected, which places belong to it, and what to
do (LANGUAGE 8.2, 8.4, 9.1).
"""

from __future__ import annotations

import pytest

from graphden.errors import Problem
from tests.read.reports import only, pointed_at, problems_of


def noted(text: str, problem: Problem) -> list[tuple[str, str]]:
    """The notes of a problem that point into `text`, with the text they point at."""
    lines = text.splitlines()
    return [
        (label, lines[at.line - 1][at.column - 1 : at.end_column - 1])
        for label, at in problem.notes
        if at.file == problem.span.file and at.line == at.end_line
    ]


TYPES = """
{:name :order :type {:id :int :lines [:list :line]}}
{:name :line :type {:sku :text :price :decimal :sizes [:map :keyword :int]}}
{:name :first-line :parent :first :args {:coll {:parent :get
 :args {:coll {:as :order :type :order} :key {:value :lines}}}}}
"""


def test_8_2_the_path_inside_the_types_where_they_differ():
    text = TYPES + (
        '{:name :basket :parent :const :args {:value {:id 1 :lines [{:sku "a" :price 1 :sizes '
        "{:s 1}}]}}}\n"
        "{:name :r :parent :first-line :args {:order :basket}}"
    )
    problem = only(text)
    assert problem.message == (
        ":order, inside :first-line, takes :order, and :basket gives "
        "{:id :int :lines [:list {…}]}; at :lines[]:price it is :int, not :decimal"
    )
    assert noted(text, problem) == [
        (":first-line narrows it here", "{:as :order :type :order}"),
        (":line says so", ":line"),
        (":basket is defined here", ":basket"),
    ]
    assert problem.hint == (
        "Make :lines[]:price :decimal, in :basket; or let :line take :int there."
    )


@pytest.mark.parametrize(
    ("value", "said", "hint"),
    [
        (
            '{:id 1 :lines [{:sku "a" :price 1.5M :sizes {:s "1"}}]}',
            'at :lines[0]:sizes:s expected :int, got "1"',
            "Write 1 at :lines[0]:sizes:s, without the quotes.",
        ),
        (
            "{:id 1 :lines [{:sku :a :price 1.5M :sizes {}}]}",
            "at :lines[0]:sku expected :text, got :a",
            'Write "a" at :lines[0]:sku.',
        ),
        (
            '{:id 1 :lines [{:sku "a" :sizes {}}]}',
            "the field :lines[0]:price is missing",
            "Give it, such as :price 1.5M, here; or write :price {:type :decimal :required "
            "false} in :line, if it may be left out.",
        ),
    ],
)
def test_8_2_the_path_inside_a_literal(value: str, said: str, hint: str):
    text = TYPES + f"{{:name :r :parent :first-line :args {{:order {{:value {value}}}}}}}"
    problem = only(text)
    assert problem.message.endswith(f"; {said}")
    assert problem.hint == hint


def test_8_2_a_long_type_is_cut_from_the_inside():
    fields = " ".join(f":field-{number} [:list {{:a :int}}]" for number in range(3))
    text = (
        f"{{:name :wide :type {{{fields}}}}}\n"
        "{:name :r :parent :str-upper :args {:string {:parent :identity :args {:value :c}}}}\n"
        "{:name :c :parent :const :args {:value {:field-0 [{:a 1}] :field-1 [{:a 1}] "
        ":field-2 [{:a 1}]}}}"
    )
    assert "{:field-0 […] :field-1 […] :field-2 […]}" in only(text).message


def test_8_4_the_places_that_fix_a_type_variable_are_named():
    text = (
        "{:name :shout :parent :str-upper :args {:string {:as :item}}}\n"
        "{:name :r :parent :map :args {:func :shout :coll [1 2]}}"
    )
    problem = only(text)
    assert noted(text, problem) == [(":coll gives what it is called with", "[1 2]")]
    assert [label for label, _ in problem.notes][1:] == [":str-upper declares it here"]


def test_5_3_a_binding_that_is_wrong_inside_another_row_names_both_places():
    text = (
        "{:name :shout :parent :str-upper :args {:string {:as :item}}}\n"
        "{:name :loose :parent :map :args {:func :shout}}\n"
        "{:name :r :parent :loose :args {:coll [1 2]}}"
    )
    problem = only(text)
    assert pointed_at(text, problem) == "[1 2]"
    assert problem.message.startswith("with what is bound here, :shout is called with :item")
    assert noted(text, problem)[0] == ("in :loose it then does not fit here", ":shout")


def test_5_2_one_name_with_two_types_shows_what_the_other_takes():
    text = (
        "{:name :shout :parent :str-upper :args {:string {:as :value}}}\n"
        "{:name :twice :parent :mul :args {:nums [{:as :value} 2]}}\n"
        "{:name :r :parent :list :args {:items [:shout :twice]}}"
    )
    problem = only(text)
    assert problem.code == "argument-conflict"
    assert noted(text, problem) == [(":value is this argument", "{:as :value}")]
    assert problem.hint == (
        "To make them two arguments, rename one: write {:parent :twice :args {:value {:as "
        ":twice-value}}} here."
    )


GIVES = {
    "text": '{:name :x :parent :const :args {:value "5"}}',
    "int": "{:name :x :parent :const :args {:value 5}}",
    "keyword": "{:name :x :parent :const :args {:value {:value :five}}}",
    "nullable": '{:name :x :parent :first :args {:coll ["a"]}}',
    "numeric": "{:name :x :parent :div :args {:nums [1 2]}}",
}


@pytest.mark.parametrize(
    ("gives", "row", "hint"),
    [
        ("text", ":add :args {:nums [%s]}", "{:parent :parse-int :args {:string :x}}"),
        ("text", ":keyword-to-str :args {:keyword %s}", "{:parent :str-to-keyword"),
        ("int", ":str-upper :args {:string %s}", "{:parent :to-str :args {:value :x}}"),
        ("keyword", ":str-upper :args {:string %s}", "{:parent :keyword-to-str"),
        ("nullable", ":str-upper :args {:string %s}", "{:parent :coalesce :args {:value :x"),
        ("int", ":add :args {:nums %s}", "[:x]"),
        ("numeric", ":take :args {:count %s :coll [1]}", ":return-type :int in :x"),
    ],
)
def test_8_2_the_hint_says_what_to_write_and_that_checks(gives: str, row: str, hint: str):
    text = f"{GIVES[gives]}\n{{:name :r :parent {row % ':x'}}}"
    problem = only(text)
    assert hint in problem.hint
    if ":return-type" in hint:
        mended = text.replace("{:name :x ", "{:name :x :return-type :int ")
    else:
        start = problem.hint.index(hint)
        mended = f"{GIVES[gives]}\n{{:name :r :parent {row % _form(problem.hint[start:])}}}"
    assert problems_of(mended) == ()


def _form(text: str) -> str:
    """The form that a text begins with."""
    depth = 0
    for end, letter in enumerate(text, 1):
        depth += (letter in "[{") - (letter in "]}")
        if depth == 0:
            return text[:end]
    raise AssertionError(text)


@pytest.mark.parametrize(
    ("constraint", "value"),
    [
        ("{:base :int :constraint [:> 10]}", "11"),
        ("{:base :int :constraint [:and [:>= 5] [:<= 8]]}", "5"),
        ("{:base :keyword :constraint [:in [:red :green]]}", ":red"),
    ],
)
def test_8_3_the_hint_shows_a_value_that_obeys_a_constraint(constraint: str, value: str):
    wrong = "{:value :blue}" if ":keyword" in constraint else "0"
    text = (
        f"{{:name :limit :refine {constraint}}}\n"
        f"{{:name :r :parent :limit :args {{:value {wrong}}}}}"
    )
    problem = only(text)
    assert problem.code == "refinement-violated"
    assert f"such as {value}" in problem.hint
    assert (":limit says so", ":limit") in noted(text, problem)


def test_8_6_an_effect_too_many_names_the_base_function_and_the_place_that_reaches_it():
    text = (
        '{:name :tell :parent :log :args {:level {:value :info} :message "m" :data nil}}\n'
        "{:name :r :parent :do :args {:steps [:tell]} :expects-effects #{:time}}"
    )
    problem = only(text)
    assert problem.message == ":r promises no effects but :time, and reaches :io (through :log)"
    assert noted(text, problem) == [(":log, needed here, has :io", ":log")]
    assert problem.hint.startswith("Write :expects-effects #{:io :time} in :r,")


def test_6_1_nil_for_a_callable_is_said_once():
    problem = only("{:name :r :parent :map :args {:func nil :coll [1]}}")
    assert problem.code == "not-callable"


@pytest.mark.parametrize("value", ['{:sku "a" :qty "2"}', "{:qty 2}", "{}", "{:sku nil}", "3"])
def test_8_2_the_hint_about_a_literal_is_about_what_it_lacks(value: str):
    text = (
        "{:name :item :type {:sku :text :qty :int :customer :uuid}}\n"
        "{:name :sku :parent :get :args {:coll {:as :item :type :item} :key {:value :sku}}}\n"
        f"{{:name :r :parent :sku :args {{:item {{:value {value}}}}}}}"
    )
    problem = only(text)
    if problem.code == "missing-field":
        given = problem.hint.removeprefix("Give it, such as :").split()[0]
        assert f"the field :{given} is missing" in problem.message
    else:
        assert problem.hint.startswith("Write ")


@pytest.mark.parametrize("qty", [":int", ":positive-int"])
def test_a_literal_lacks_a_field_whatever_its_other_fields_are_checked_for(qty: str):
    problem = only(
        f"{{:name :line :type {{:sku :text :qty {qty} :country :text}}}}\n"
        "{:name :taken :parent :identity :args {:value {:as :line :type :line}}}\n"
        '{:name :r :parent :taken :args {:line {:sku "tea" :qty 2}}}'
    )
    assert (problem.code, problem.row) == ("missing-field", "r")
    assert "the field :country is missing" in problem.message
