"""Type forms as they are read (LANGUAGE 2.3, 8.1, 8.3)."""

from __future__ import annotations

import pytest

from graphden import Graph
from tests.read.reports import only, report

PRIMITIVES = (
    *("any", "never", "null", "bool", "int", "float", "decimal", "numeric", "text", "keyword"),
    *("uuid", "timestamptz", "bytes", "jsonb", "sequence"),
)


def written(type_: str) -> str:
    """The type as it is shown, after reading `type_`."""
    text = f"{{:name :a :parent :const :args {{:value {{:as :x :type {type_}}}}}}}"
    (parameter,) = Graph.parse(text).interface("a")
    return str(parameter.type)


@pytest.mark.parametrize(
    "type_",
    [
        *(f":{name}" for name in PRIMITIVES),
        "[:list :int]",
        "[:map :keyword [:list :any]]",
        "[:tuple :int :text]",
        "[:union :int :null]",
        "[:fn {:item :int :other :text} :bool]",
        "[:fn {} :any]",
        "[:secret :text]",
        "{:sku :text :qty {:type :int :required false}}",
        "[:variant :paid :int :failed :text]",
    ],
)
def test_8_1_a_type_is_read_as_it_is_written(type_):
    assert written(type_) == type_


@pytest.mark.parametrize(
    ("type_", "at", "hint"),
    [
        ("3", "3", "such as :int"),
        ('"int"', '"int"', "Write :int."),
        ("[]", "[]", "such as :int"),
        ("[:list]", "[:list]", "[:list T]"),
        ("[:list :int :int]", "[:list :int :int]", "[:list T]"),
        ("[:map :int]", "[:map :int]", "[:map K V]"),
        ("[:union]", "[:union]", "[:union T …]"),
        ("[:secret]", "[:secret]", "[:secret T]"),
        ("[:fn {}]", "[:fn {}]", "[:fn {:param T …} R]"),
        ("[:fn [:a] :int]", "[:fn [:a] :int]", "[:fn {:param T …} R]"),
        ("[:variant :paid]", "[:variant :paid]", "[:variant :tag T …]"),
        ("[:lst :int]", "[:lst :int]", "Did you mean :list?"),
        ("[:list 3]", "3", "such as :int"),
        ("[:fn {3 :int} :int]", "3", "a name such as :sku"),
        ("{3 :int}", "3", "a name such as :sku"),
        ("{:qty {:type :int :required 1}}", "1", ""),
    ],
)
def test_8_1_what_is_no_type(type_, at, hint):
    text = f"{{:name :a :parent :const :args {{:value {{:as :x :type {type_}}}}}}}"
    assert report(text) == [("bad-row", "a", at)]
    assert hint in only(text).hint


def test_2_3_a_field_has_no_other_keys():
    text = "{:name :a :type {:qty {:type :int :requierd false}}}"
    assert report(text) == [("unknown-key", "a", ":requierd")]


@pytest.mark.parametrize(
    ("role", "at"),
    [
        (":type :int", ":int"),
        (":type [:sku :text]", "[:sku :text]"),
        (":refine :int", ":int"),
        (":refine {:base :int}", "{:base :int}"),
        (":refine {:constraint [:> 0]}", "{:constraint [:> 0]}"),
        (":list 3", "3"),
        (":map :int", ":int"),
        (":map [:int]", "[:int]"),
        (":tuple :int", ":int"),
        (":union []", "[]"),
        (":variant [:paid]", "[:paid]"),
        (":fn-type [{:item :int}]", "[{:item :int}]"),
    ],
)
def test_2_3_what_is_no_type_row(role, at):
    text = f"{{:name :a {role}}}"
    assert report(text) == [("bad-row", "a", at)]
    assert only(text).hint


@pytest.mark.parametrize(
    "constraint",
    [
        "[:> 0]",
        "[:>= 0.5]",
        "[:< 1M]",
        "[:<= -1]",
        "[:= :a]",
        "[:not= nil]",
        "[:in [1 2]]",
        "[:in #{:a}]",
        '[:matches "^a+$"]',
        "[:and [:> 0] [:or [:< 9] [:= 11]]]",
    ],
)
def test_8_3_constraints(constraint):
    assert report(f"{{:name :a :refine {{:base :any :constraint {constraint}}}}}") == []


@pytest.mark.parametrize(
    ("constraint", "at"),
    [
        ("[:between 1 2]", "[:between 1 2]"),
        ("[:> 1 2]", "[:> 1 2]"),
        ('[:> "a"]', '[:> "a"]'),
        ("[:> true]", "[:> true]"),
        ("[:in 3]", "[:in 3]"),
        ('[:matches "("]', '"("'),
        ("[:matches :a]", "[:matches :a]"),
        ("[:and]", "[:and]"),
        ("[:or [:> 0] [:no 1]]", "[:no 1]"),
        (":positive", ":positive"),
        ("[]", "[]"),
    ],
)
def test_8_3_other_constraints_are_refused(constraint, at):
    text = f"{{:name :a :refine {{:base :int :constraint {constraint}}}}}"
    assert report(text) == [("bad-constraint", "a", at)]
    assert only(text).hint


def test_2_3_a_misspelt_key_of_a_refinement_is_one_problem():
    text = "{:name :a :refine {:base :int :constriant [:> 0]}}"
    assert report(text) == [("unknown-key", "a", ":constriant")]
    assert only(text).hint == "Did you mean :constraint?"


@pytest.mark.parametrize(
    "row",
    [
        "{:name :a :type {:x :no-such}}",
        "{:name :a :list :no-such}",
        "{:name :a :parent :const :return-type :no-such}",
        "{:name :a :parent :const :args {:value {:as :x :type [:list :no-such]}}}",
        "{:name :a :parent :list :args {:items [{:as :x :type :no-such}]}}",
    ],
)
def test_2_3_a_type_that_is_not_there(row):
    assert report(row) == [("unknown-type", "a", ":no-such")]
    assert only(row).message == "there is no type :no-such"


@pytest.mark.parametrize(
    ("name", "meant"), [(":itn", ":int"), (":positive-itn", ":positive-int")]
)
def test_2_3_a_type_that_is_not_there_has_the_nearest_as_its_hint(name, meant):
    assert only(f"{{:name :a :list {name}}}").hint == f"Did you mean {meant}?"


def test_2_3_a_row_that_is_no_type():
    assert report("{:name :a :list :add}") == [("unknown-type", "a", ":add")]
    assert only("{:name :a :list :add}").message == ":add is a row, but not a type"


def test_2_3_a_type_may_contain_itself():
    assert report("{:name :tree :type {:below [:list :tree]}}") == []
    assert report("{:name :json :union [:text [:map :text :json] [:list :json]]}") == []


@pytest.mark.parametrize(
    "rows",
    [
        "{:name :a :refine {:base :a :constraint [:> 0]}}",
        "{:name :a :union [:int :a]}",
        "{:name :a :union [:int [:secret :a]]}",
    ],
)
def test_2_3_a_type_that_stands_for_itself_is_a_cycle(rows):
    text = rows + "{:name :b :parent :map :args {:func {:as :f :type :a} :coll [1]}}"
    assert report(text) == [("cycle", "a", ":a")]
    assert ":a needs itself: :a → :a" in only(text).message


def test_2_3_two_types_that_stand_for_each_other_are_one_cycle():
    text = "{:name :a :union [:int :b]} {:name :b :union [:text :a]}"
    assert report(text) == [("cycle", "a", ":a")]
    assert ":a → :b → :a" in only(text).message
