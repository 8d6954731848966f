"""LANGUAGE 3: chains of parents, diamonds, several parents."""

from __future__ import annotations

import pytest

from tests.language.saying import Fails, exact, report, rows, value
from tests.read.reports import interface, only

CHAIN = """
{:name :ten     :parent :const :args {:value 10}}
{:name :seq     :parent :range :args {:start 0 :end 10 :step 1}}
{:name :twos    :parent :seq   :args {:step 2}}
{:name :late    :parent :twos  :args {:start 4}}
{:name :open    :parent :late  :args {:start {:as :from}}}
{:name :from-20 :parent :open  :args {:from 20 :end 26}}
{:name :to-ten  :parent :twos  :args {:end :ten}}
{:name :after   :parent :to-ten :args {:start 6}}
"""


@rows(
    CHAIN,
    {
        ":parent :late": [4, 6, 8],
        ":parent :late :args {:start 8}": [8],
        ":parent :late :args {:step 3 :start 0}": [0, 3, 6, 9],
        ":parent :late :args {:end :ten}": [4, 6, 8],
        ":parent :from-20": [20, 22, 24],
        ":parent :after": [6, 8],
        ":parent :after :args {:step 3}": [6, 9],
        ":parent :seq :args {:end {:value 2}}": [0, 1],
    },
)
def test_3_1_the_closest_binding_hides_all_above(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


def test_3_1_what_is_hidden_is_neither_evaluated_nor_checked():
    """A literal that is hidden needs no type; a row below is not to blame for it."""
    text = CHAIN + '{:name :bad :parent :seq :args {:end "x"}} {:name :r :parent :bad}'
    assert [each[:2] for each in report(text)] == [("type-mismatch", "bad")]
    cured = (
        CHAIN
        + '{:name :bad :parent :seq :args {:end "x"}} {:name :r :parent :bad :args {:end 2}}'
    )
    assert [each[:2] for each in report(cured)] == [("type-mismatch", "bad")]


DIAMOND = """
{:name :ten :parent :const :args {:value 10}}
{:name :base :parent :range :args {:step 5}}
{:name :left :parent :base :args {:start 10}}
{:name :right :parent :base :args {:end 30}}
{:name :far-left :parent :left}
{:name :left-again :parent :left :args {:start 20}}
{:name :other-step :parent :base :args {:step 10}}
{:name :same-start :parent :base :args {:start 10}}
{:name :float-start :parent :identity}
"""


@rows(
    DIAMOND,
    {
        # One slot on two ways is one slot: bound once, by whoever binds it.
        ":parents [:left :right]": [10, 15, 20, 25],
        ":parents [:right :left]": [10, 15, 20, 25],
        ":parents [:left :left] :args {:end 20}": [10, 15],
        ":parents [:far-left :right]": [10, 15, 20, 25],
        # What one parent bound below the other's is closer.
        ":parents [:left-again :left] :args {:end 30}": [20, 25],
        ":parents [:left :left-again] :args {:end 30}": [20, 25],
        ":parents [:base :left-again] :args {:end 30}": [20, 25],
        ":parents [:other-step :base] :args {:start 0 :end 20}": [0, 10],
        ":parents [:other-step :left] :args {:end 30}": [10, 20],
        ":parents [:left :other-step :right]": [10, 20],
        # Equal is fine.
        ":parents [:left :same-start] :args {:end 20}": [10, 15],
        # An own binding decides between literals.
        ":parents [:left :left-again :same-start] :args {:start 0 :end 10}": [0, 5],
        ":parents [:left :right] :args {:step 10}": [10, 20],
    },
)
def test_3_4_what_several_parents_bind(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        # Different literals: a diagnostic, until the row binds the slot.
        (
            "{:name :b :parent :base :args {:start 11}} {:name :r :parents [:left :b]}",
            [("argument-conflict", "r")],
        ),
        ("{:name :b :parent :base :args {:start 11}} {:name :r :parents [:left :b]"
         " :args {:start 1}}", []),
        # 1 and 1.0 are equal, true and 1 are not (10.1).
        (
            "{:name :i :parent :const :args {:value 1}} {:name :f :parent :const"
            " :args {:value 1.0}} {:name :r :parents [:i :f]}",
            [],
        ),
        (
            "{:name :i :parent :const :args {:value 1}} {:name :f :parent :const"
            " :args {:value true}} {:name :r :parents [:i :f]}",
            [("argument-conflict", "r")],
        ),
        (
            '{:name :i :parent :const :args {:value "a"}} {:name :f :parent :const'
            " :args {:value {:value :a}}} {:name :r :parents [:i :f]}",
            [("argument-conflict", "r")],
        ),
        # A reference among them: refused, and an own binding is no cure.
        (
            "{:name :b :parent :base :args {:start :ten}} {:name :r :parents [:left :b]}",
            [("parent-conflict", "r")],
        ),
        (
            "{:name :b :parent :base :args {:start :ten}} {:name :c :parent :base"
            " :args {:start {:parent :add :args {:nums [1]}}}} {:name :r :parents [:b :c]}",
            [("parent-conflict", "r")],
        ),
    ],
)  # fmt: skip
def test_3_4_more_than_one_left(rest, expected):
    assert [each[:2] for each in report(DIAMOND + rest)] == expected


def test_3_4_a_conflict_with_a_reference_is_not_cured_by_an_own_binding():
    text = DIAMOND + (
        "{:name :b :parent :base :args {:start :ten}}"
        "{:name :r :parents [:left :b] :args {:start 3}}"
    )
    codes = {each[0] for each in report(text)}
    assert codes <= {"parent-conflict", "sealed-slot"}
    assert codes


def test_3_4_a_reference_that_hides_the_literal_of_an_ancestor_is_alone():
    text = DIAMOND + (
        "{:name :b :parent :left :args {:start :ten}} {:name :r :parents [:left :b]"
        " :args {:end 20}}"
    )
    assert value(text) == [10, 15]


def test_3_4_one_reference_from_one_ancestor_on_two_ways_is_one_binding():
    text = DIAMOND + (
        "{:name :b :parent :base :args {:start :ten}} {:name :c :parent :b}"
        "{:name :d :parent :b :args {:end 20}} {:name :r :parents [:c :d]}"
    )
    assert value(text) == [10, 15]


def test_3_4_a_diagnostic_on_a_row_refuses_the_row_not_the_load():
    text = DIAMOND + (
        "{:name :b :parent :base :args {:start 11}} {:name :r :parents [:left :b :right]}"
        "{:name :ok :parents [:left :right]}"
    )
    assert value(text, "ok") == [10, 15, 20, 25]
    assert value(text, "r") == Fails("row-has-diagnostics")
    assert only(text).code == "argument-conflict"


LISTS = """
{:name :root :parent :list :args {:items [0]}}
{:name :a :parent :root :args {:items [1]}}
{:name :b :parent :root :args {:items [2]}}
{:name :c :parent :a :args {:items [3]}}
{:name :d :parent :list :args {:items [4]}}
{:name :named :parent :root :args {:items [{:as :n}]}}
{:name :one :parent :const :args {:value 1}}
{:name :refers :parent :root :args {:items [:one]}}
"""


@rows(
    LISTS,
    {
        ":parents [:a :b]": [0, 1, 2],
        ":parents [:b :a]": [0, 2, 1],
        ":parents [:a :b] :args {:items [9]}": [0, 1, 2, 9],
        ":parents [:c :b]": [0, 1, 3, 2],
        ":parents [:b :c]": [0, 2, 1, 3],
        ":parents [:a :a]": [0, 1],
        ":parents [:root :a]": [0, 1],
        ":parents [:a :root]": [0, 1],
        ":parents [:c :a]": [0, 1, 3],
        ":parents [:a :c]": [0, 1, 3],
        ":parents [:d :a]": [4, 0, 1],
        ":parents [:a :d]": [0, 1, 4],
        ":parents [:named :a] :args {:n 7}": [0, 7, 1],
        ":parents [:refers :b]": [0, 1, 2],
        ":parents [:a :b] :args {:items {:value [9]}}": [9],
    },
)
def test_3_4_item_lists_join_left_to_right_each_ancestor_once(text, row, expected):
    assert value(text, row) == expected


def test_3_4_the_items_of_the_first_parent_come_first_also_when_a_later_one_extends_it():
    assert value(LISTS + "{:name :r :parents [:a :b :c]}") == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ("{:items {:value [9]}}", [("sealed-slot", "r")]),
        ("{:items [9]}", []),
    ],
)
def test_3_4_a_joined_list_with_a_reference_is_extended_not_replaced(args, problem):
    text = LISTS + f"{{:name :r :parents [:refers :b] :args {args}}}"
    assert [each[:2] for each in report(text)] == problem


TYPED = """
{:name :few :refine {:base :int :constraint [:< 10]}}
{:name :fewer :refine {:base :int :constraint [:< 5]}}
{:name :many :refine {:base :int :constraint [:> 100]}}
{:name :base :parent :range :args {:start 0}}
{:name :a :parent :base :args {:end {:type :few}}}
{:name :b :parent :base :args {:end {:type :fewer}}}
{:name :c :parent :base :args {:end {:type :many}}}
{:name :d :parent :base}
"""


@pytest.mark.parametrize(
    ("parents", "type_"),
    [
        ("[:a :b]", ":fewer"),
        ("[:b :a]", ":fewer"),
        ("[:a :d]", ":few"),
        ("[:d :a]", ":few"),
        ("[:base :b :a :d]", ":fewer"),
    ],
)
def test_3_4_of_related_types_the_narrower_holds(parents, type_):
    text = TYPED + f"{{:name :r :parents {parents}}}"
    assert interface(text, "r")["end"] == type_


@pytest.mark.parametrize("parents", ["[:a :c]", "[:c :a]", "[:b :c :d]"])
def test_3_4_unrelated_types_are_a_diagnostic(parents):
    found = report(TYPED + f"{{:name :r :parents {parents}}}")
    assert [each[1] for each in found] == ["r"]
    assert found[0][0] in {"not-narrower", "argument-conflict"}


def test_3_4_the_literal_of_one_parent_is_checked_by_the_type_of_the_other():
    text = TYPED + (
        "{:name :e :parent :base :args {:end 7}} {:name :r :parents [:b :e]}"
        "{:name :ok :parents [:a :e]}"
    )
    assert [each[:2] for each in report(text)] == [("refinement-violated", "r")]
    assert value(text, "ok") == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 3.2: two slots under one name, one slot under two.
        ("{:name :r :parent :mod :args {:dividend {:as :divisor}}}", "name-collision"),
        (
            "{:name :r :parent :mod :args {:dividend {:as :x} :divisor {:as :x}}}",
            "name-collision",
        ),
        (
            "{:name :a :parent :mod :args {:dividend {:as :x}}}"
            "{:name :b :parent :mod :args {:dividend {:as :y}}} {:name :r :parents [:a :b]}",
            "name-collision",
        ),
        (
            "{:name :a :parent :mod :args {:dividend {:as :x}}}"
            "{:name :b :parent :mod :args {:divisor {:as :x}}} {:name :r :parents [:a :b]}",
            "name-collision",
        ),
        (
            "{:name :a :parent :mod :args {:dividend {:as :x}}}"
            "{:name :b :parent :mod} {:name :r :parents [:a :b]}",
            "name-collision",
        ),
        (
            "{:name :a :parent :mod :args {:dividend {:as :x}}}"
            "{:name :b :parent :a} {:name :r :parents [:a :b]}",
            None,
        ),
        (
            "{:name :a :parent :mod :args {:dividend {:as :x}}}"
            "{:name :b :parent :mod :args {:dividend {:as :x}}} {:name :r :parents [:a :b]}",
            None,
        ),
        # 3.3
        ("{:name :r :parents [:add :mul]}", "different-roots"),
        ("{:name :s :parent :add} {:name :r :parents [:s :mul]}", "different-roots"),
        ("{:name :r :parents [:add :add]}", None),
        (
            "{:name :a :parent :core.arithmetic/add} {:name :r :parents [:a :add]}",
            None,
        ),
        ("{:name :t :type {:nums [:list :int]}} {:name :r :parents [:add :t]}", None),
        (
            "{:name :t :type {:a :int}} {:name :v :parent :t :args {:a 1}}"
            "{:name :r :parents [:add :v]}",
            "different-roots",
        ),
    ],
)  # fmt: skip
def test_3_2_3_3_slots_and_roots(text, expected):
    assert {each[:2] for each in report(text)} == ({(expected, "r")} if expected else set())


def test_3_2_a_renamed_slot_that_reaches_a_row_twice_is_one_argument():
    text = """
        {:name :a :parent :mod :args {:dividend {:as :x}}}
        {:name :b :parent :a :args {:divisor 4}}
        {:name :c :parent :a}
        {:name :r :parents [:b :c]}
    """
    assert interface(text, "r") == {"x": ":numeric"}
    assert value(text, x=7) == 3


DEFAULTS = """
{:name :base :parent :identity :args {:value {:as :x}}}
{:name :a :parent :identity :args {:value {:as :x :value 1}}}
{:name :b :parent :a :args {:x {:as :x :value 2}}}
{:name :free-a :parent :identity :args {:value :base :x {:as :x :value 1}}}
{:name :free-b :parent :free-a :args {:x {:as :x :value 2}}}
"""


@pytest.mark.parametrize(
    "parents",
    [
        "[:b]",
        "[:b :a]",
        "[:a :b]",
        "[:free-b]",
        "[:free-a :free-b]",
        "[:free-b :free-a]",
    ],
)
def test_3_4_a_default_hides_those_of_ancestors_in_whatever_order_they_are_named(parents):
    text = DEFAULTS + f"{{:name :r :parents {parents}}}"
    assert (value(text), interface(text, "r")["x"][-3:]) == (2, "= 2")


VERSIONS = """
{:name :both :parent :list :args {:items [{:as :x} {:as :y}]}}
{:name :top :parent :identity :args {:value :both}}
{:name :x-1 :parent :top :args {:x {:as :x :value 1}}}
{:name :x-2 :parent :x-1 :args {:x {:as :x :value 2}}}
{:name :x-few :parent :x-1 :args {:x {:as :x :type :int}}}
{:name :y-3 :parent :top :args {:y {:as :y :value 3}}}
{:name :x-bound :parent :top :args {:x 4}}
{:name :x-again :parent :x-bound :args {:x {:as :x :value 5}}}
{:name :one :parent :identity :args {:value 1}}
{:name :one-open :parent :one :args {:value {:as :value :value 2}}}
{:name :asked :parent :range :args {:start {:as :start :value 1} :end 3}}
{:name :must :parent :asked :args {:start {:required true}}}
"""


@rows(
    VERSIONS,
    {
        ":parents [:x-1 :y-3]": [1, 3],
        ":parents [:y-3 :x-1]": [1, 3],
        ":parents [:y-3 :x-1 :x-2]": [2, 3],
        ":parents [:x-2 :x-few] :args {:y 0}": [2, 0],
        ":parents [:x-few :x-2] :args {:y 0}": [2, 0],
        ":parents [:x-bound :y-3]": [4, 3],
        ":parents [:x-bound :x-again] :args {:y 0}": [5, 0],
        ":parents [:x-again :x-bound] :args {:y 0}": [5, 0],
        ":parents [:one :one-open]": 2,
        ":parents [:one-open :one]": 2,
    },
)
def test_3_4_what_rows_below_say_of_one_binding_comes_together(text, row, expected):
    assert value(text, row) == expected


@pytest.mark.parametrize("parents", ["[:asked :must]", "[:must :asked]"])
def test_3_4_what_must_be_given_hides_the_default_of_an_ancestor(parents):
    text = VERSIONS + f"{{:name :r :parents {parents}}}"
    assert value(text) == Fails("missing-argument")
    assert value(text, start=2) == [2]


DIFFERING = """
{:name :p :parent :mod :args {:divisor {:as :divisor :value 2}}}
{:name :q :parent :mod :args {:divisor {:as :divisor :value 3}}}
{:name :more :parent :add :args {:nums [{:as :n :type :int} 1]}}
{:name :base :parent :add :args {:nums [:more 1]}}
{:name :d :parent :base :args {:n {:as :d}}}
{:name :e :parent :base :args {:n {:as :e}}}
{:name :e-as-d :parent :e :args {:e {:as :d}}}
{:name :one :parent :base :args {:n {:as :n :value 1}}}
{:name :two :parent :base :args {:n {:as :n :value 2}}}
{:name :two-of-one :parent :one :args {:n {:as :n :value 2}}}
{:name :one-again :parent :two :args {:n {:as :n :value 1}}}
{:name :referring :parent :base :args {:n {:as :n :ref :ten}}}
{:name :ten :parent :const :args {:value 10}}
{:name :items :parent :add :args {:nums [{:as :a} {:as :b}]}}
{:name :x :parent :items :args {:a {:as :x}}}
{:name :y :parent :items :args {:a {:as :y}}}
{:name :a-1 :parent :items :args {:a {:as :a :value 1}}}
{:name :a-2 :parent :items :args {:a {:as :a :value 2}}}
{:name :b-3 :parent :items :args {:b {:as :b :value 3}}}
{:name :c :parent :items :args {:nums [{:as :c}]}}
{:name :d-0 :parent :items :args {:nums [{:as :d :value 0}]}}
"""


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (":parents [:x :y]", [("name-collision", "r")]),
        (":parents [:a-1 :a-2]", [("argument-conflict", "r")]),
        (":parents [:a-1 :b-3]", []),
        (":parents [:c :d-0]", []),
        (":parents [:p :q]", [("argument-conflict", "r")]),
        (":parents [:p :q] :args {:divisor 4}", []),
        (":parents [:p :q] :args {:divisor {:as :divisor :value 4}}", []),
        (":parents [:p :mod]", []),
        (":parents [:one :two]", [("argument-conflict", "r")]),
        (":parents [:one :referring]", [("argument-conflict", "r")]),
        (":parents [:one :two] :args {:n 5}", []),
        (":parents [:one :two-of-one]", []),
        (":parents [:one :one-again]", []),
        (":parents [:one :two :one-again]", []),
        (":parents [:one :base]", []),
        (":parents [:d :e]", [("name-collision", "r")]),
        (":parents [:e :d]", [("name-collision", "r")]),
        (":parents [:d :one]", [("name-collision", "r")]),
        (":parents [:d :e-as-d]", []),
        (":parents [:e :d :e-as-d]", []),
    ],
)
def test_3_4_names_and_defaults_that_unrelated_parents_give_differently_are_told(row, expected):
    told = report(DIFFERING + f"{{:name :r {row}}}")
    assert [each[:2] for each in told] == expected
