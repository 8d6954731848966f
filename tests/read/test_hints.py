"""The name that was meant, wherever a name is unknown (LANGUAGE 1.5, 8.1, 8.3, 8.6)."""

from __future__ import annotations

import pytest

from graphden.read.other_words import OTHER_WORDS
from graphden.read.problems import nearest
from tests.read.reports import problems_of


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        ("{:name :r :arguments {} :parent :mul}", ":args"),
        ('{:name :r :parent :mul :doc "Doubles."}', ":description"),
        ("{:name :r :parent :mul :args {:nums [{:as :x :typ :int}]}}", ":type"),
        ("{:name :r :type {:a :integer}}", ":int"),
        ("{:name :r :type {:a [:lst :int]}}", ":list"),
        ("{:name :r :type {:a [:array :int]}}", ":list"),
        ("{:name :r :type {:a {:type :int :requird false}}}", ":required"),
        ("{:name :r :type {:a {:typ :int :required false}}}", ":type"),
        ("{:name :r :refine {:base :int :constaint [:> 1]}}", ":constraint"),
        ("{:name :r :refine {:base :int :constraint [:gte 1]}}", "[:>= n]"),
        ('{:name :r :refine {:base :text :constraint [:mathces "a"]}}', '[:matches "re"]'),
        ("{:name :r :parent :mul :expects-effects #{:netwrk}}", ":network"),
        ("{:name :r :parent :plus}", ":add"),
    ],
)
def test_1_5_the_name_that_was_meant(row: str, hint: str):
    (problem,) = problems_of(row)
    assert problem.hint.startswith(f"Did you mean {hint}?")


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        (
            "{:name :r :parent :add :nums [1 2]}",
            "If :nums is a slot of :add, write :args {:nums …}.",
        ),
        ("{:name :r :parent :mul :return :int}", "Did you mean :return-type?"),
        ("{:name :r :parent [:add :mul]}", "Several parents are :parents [:add :mul]."),
        ('{:name "a" :parent :add}', "Write :a."),
        ("{:name a :parent :add}", "Write :a."),
    ],
)
def test_1_5_what_stands_where_it_does_not_belong(row: str, hint: str):
    problem = problems_of(row)[0]
    assert problem.hint.endswith(hint)


@pytest.mark.parametrize(
    ("constraint", "hint"),
    [
        ("[:between 0 150]", "Write [:and [:>= 0] [:<= 150]]."),
        ('[:> "0"]', "Write [:> n], where n is a number."),
        ("[:in 1 2]", "Write [:in [v …]]."),
        ("[:even]", "There are [:> n] [:>= n] "),
        ("7", "There are [:> n] [:>= n] "),
    ],
)
def test_8_3_what_to_write_for_a_constraint_that_is_none(constraint: str, hint: str):
    (problem,) = problems_of(f"{{:name :r :refine {{:base :int :constraint {constraint}}}}}")
    assert problem.code == "bad-constraint"
    assert problem.hint.startswith(hint)


def test_2_3_a_field_with_options_needs_a_type():
    (problem,) = problems_of("{:name :r :type {:a {:required false}}}")
    assert (problem.code, problem.message) == ("bad-row", "the field :a has no :type")


def test_another_word_is_offered_only_where_its_own_is_known():
    assert nearest("string", ["text", "int"]) == "text"
    assert nearest("string", ["int", "strong"]) == "strong"
    assert not OTHER_WORDS.keys() & set(OTHER_WORDS.values())
