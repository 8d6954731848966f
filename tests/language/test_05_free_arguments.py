"""LANGUAGE 5: what a row leaves open, and who gets it."""

from __future__ import annotations

import pytest

from tests.language.saying import Fails, exact, fails, graph, report, value
from tests.read.reports import interface

ROWS = """
{:name :few :refine {:base :int :constraint [:< 10]}}
{:name :net :parent :mul :args {:nums [{:as :qty} {:as :price}]}}
{:name :tax :parent :mul :args {:nums [:net 0.5]}}
{:name :gross :parent :add :args {:nums [:net :tax]}}
{:name :fixed :parent :gross :args {:price 10}}
{:name :below :parent :gross :args {:price {:parent :add :args {:nums [{:as :base} 1]}}}}
{:name :nested :parent :list :args {:items [[1] {:parent :list :args {:items [:net :fixed]}}]}}
{:name :renamed :parent :gross :args {:price {:as :unit} :qty {:as :unit}}}
{:name :len :parent :str-len :args {:string {:as :qty}}}
{:name :small :parent :identity :args {:value {:as :qty :type :few}}}
{:name :both :parent :list :args {:items [:net :small]}}
{:name :torn :parent :list :args {:items [:net :len]}}
{:name :optional :parent :add :args {:nums [{:as :qty :value 3} 1]}}
{:name :asks-both :parent :list :args {:items [:optional :net]}}
{:name :asks-one :parent :list :args {:items [:optional]}}
{:name :plus :parent :add :args {:nums [{:as :value} 1]}}
{:name :shadow :parent :identity :args {:value :plus}}
{:name :shadow-bound :parent :const :args {:value 5}}
{:name :late :parent :shadow :args {}}
{:name :each :parent :map :args {:func :scaled :coll [1 2]}}
{:name :scaled :parent :mul :args {:nums [{:as :item} {:as :price}]}}
{:name :chain :parent :identity
 :args {:value :three :a {:parent :add :args {:nums [{:as :b} 1]}}
        :b {:parent :add :args {:nums [{:as :c} 1]}}}}
{:name :three :parent :list :args {:items [{:as :a} {:as :b} {:as :c}]}}
"""


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("net", {"qty": ":numeric", "price": ":numeric"}),
        ("gross", {"qty": ":numeric", "price": ":numeric"}),
        ("fixed", {"qty": ":numeric"}),
        ("below", {"qty": ":numeric", "base": ":numeric"}),
        ("nested", {"qty": ":numeric", "price": ":numeric"}),
        ("renamed", {"unit": ":numeric"}),
        ("both", {"qty": ":few", "price": ":numeric"}),
        ("optional", {"qty": ":numeric? = 3"}),
        ("asks-one", {"qty": ":numeric? = 3"}),
        ("asks-both", {"qty": ":numeric", "price": ":numeric"}),
        ("shadow-bound", {}),
        ("each", {"price": ":numeric"}),
    ],
)
def test_5_1_and_5_2_the_interface(row, expected):
    text = ROWS.replace("{:name :torn", "#_{:name :torn")
    assert interface(text, row) == expected


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        ("gross", {"qty": 2, "price": 10}, 30.0),
        ("fixed", {"qty": 2}, 30.0),
        ("below", {"qty": 2, "base": 9}, 30.0),
        ("renamed", {"unit": 4}, 24.0),
        ("nested", {"qty": 2, "price": 1}, [[1], [2, 30.0]]),
        ("both", {"qty": 2, "price": 4}, [8, 2]),
        ("both", {"qty": 20, "price": 4}, Fails("argument-type")),
        ("optional", {}, 4),
        ("optional", {"qty": 1}, 2),
        ("asks-one", {}, [4]),
        ("asks-one", {"qty": 1}, [2]),
        ("asks-both", {"price": 4}, Fails("missing-argument")),
        ("asks-both", {"price": 4, "qty": 1}, [2, 4]),
        ("shadow", {"value": 3}, 4),
        ("each", {"price": 5}, [5, 10]),
        ("chain", {"c": 1}, [3, 2, 1]),
        ("torn", {"qty": 1, "price": 1}, Fails("row-has-diagnostics")),
    ],
)
def test_5_2_one_name_feeds_every_open_place(row, given, expected):
    assert exact(value(ROWS, row, **given)) == exact(expected)


def test_5_2_types_that_do_not_go_together_are_one_diagnostic_of_the_row_that_joins_them():
    assert [each[:2] for each in report(ROWS)] == [("argument-conflict", "torn")]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (":int", ":numeric", ":int"),
        (":float", ":numeric", ":float"),
        (":int", ":float", ":int"),
        (":any", ":text", ":text"),
        (":jsonb", ":text", ":text"),
        (":few", ":int", ":few"),
        ("[:union :int :text]", ":text", ":text"),
        ("[:list :any]", "[:list :int]", "[:list :int]"),
        (":nullable-int", ":int", ":int"),
        (":text", ":keyword", None),
        (":int", ":text", None),
        (":bool", ":numeric", None),
        ("[:list :int]", "[:list :text]", None),
        (":uuid", ":text", None),
        ("[:map :text :int]", "[:list :int]", None),
    ],
)
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_5_2_the_narrowest_type_or_a_conflict(one, other, expected, turned):
    if turned:
        one, other = other, one
    text = (
        "{:name :few :refine {:base :int :constraint [:< 10]}}"
        f"{{:name :a :parent :const :args {{:value {{:as :x :type {one}}}}}}}"
        f"{{:name :b :parent :const :args {{:value {{:as :x :type {other}}}}}}}"
        "{:name :r :parent :list :args {:items [:a :b]}}"
    )
    if expected is None:
        assert [each[:2] for each in report(text)] == [("argument-conflict", "r")]
    else:
        assert report(text) == []
        assert interface(text, "r") == {"x": expected}


FED = """
{:name :x :parent :identity :args {:value {:as :x}}}
{:name :y :parent :identity :args {:value {:as :y}}}
{:name :two :parent :list :args {:items [:x :y]}}
{:name :deep :parent :list :args {:items [:two {:parent :list :args {:items [:two]}}]}}
{:name :one :parent :const :args {:value 1}}
{:name :fed :parent :deep :args {:x :one :y 2}}
{:name :mutual :parent :deep :args {:x :y :y 3}}
{:name :swapped :parent :two :args {:x {:as :y} :y {:as :x}}}
{:name :own :parent :two :args {:x {:parent :list :args {:items [{:as :y}]}}}}
{:name :half :parent :two :args {:x 1}}
{:name :half-below :parent :half :args {:y 2}}
{:name :half-used :parent :list :args {:items [:half {:as :x}]}}
{:name :inherited :parent :half :args {:y :x}}
{:name :default :parent :two :args {:x {:as :x :value 7}}}
{:name :ref-default :parent :two :args {:x {:as :x :ref :y}}}
{:name :inline-own :parent :list
 :args {:items [{:parent :two :args {:x 5}} {:parent :two :args {:x 6}}]}}
{:name :literal-over :parent :fed :args {:y 9}}
"""


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        ("fed", {}, [[1, 2], [[1, 2]]]),
        ("mutual", {}, [[3, 3], [[3, 3]]]),
        ("swapped", {"x": 1, "y": 2}, [2, 1]),
        ("own", {"y": 4}, [[4], 4]),
        ("half", {"y": 2}, [1, 2]),
        ("half-below", {}, [1, 2]),
        # What :half bound is no argument of the row that refers to it.
        ("half-used", {"x": 8, "y": 2}, [[1, 2], 8]),
        # :y is bound to :x, whose argument :x the inherited binding feeds.
        ("inherited", {}, [1, 1]),
        ("default", {"y": 1}, [7, 1]),
        ("default", {"y": 1, "x": 2}, [2, 1]),
        ("ref-default", {"y": 1}, [1, 1]),
        ("ref-default", {"y": 1, "x": 2}, [2, 1]),
        ("inline-own", {"y": 0}, [[5, 0], [6, 0]]),
        ("literal-over", {}, [[1, 9], [[1, 9]]]),
        ("fed", {"x": 1}, Fails("unknown-argument")),
    ],
)
def test_5_3_a_binding_of_a_free_name_feeds_all_below(row, given, expected):
    assert exact(value(FED, row, **given)) == exact(expected)


@pytest.mark.parametrize(
    "args",
    [
        "{:x {:parent :identity :args {:value {:as :x}}}}",
        "{:x :y :y :x}",
        "{:x {:parent :list :args {:items [{:as :y}]}} :y {:parent :list :args {:items [:x]}}}",
        "{:x :x}",
    ],
)
def test_5_3_bindings_in_a_circle(args):
    found = report(FED + f"{{:name :r :parent :two :args {args}}}")
    assert {each[:2] for each in found} == {("cycle", "r")}


@pytest.mark.parametrize(
    ("body", "given", "expected", "open_"),
    [
        (":parent :identity :args {:value :plus}", {"value": 3}, 4, ["value"]),
        (":parent :add :args {:nums [:plus]}", {"value": 3}, 4, ["value"]),
        (":parent :mod :args {:dividend :sum :divisor 4}", {"divisor": 9}, 2, ["divisor"]),
        (":parent :mod :args {:dividend :sum :divisor :one}", {"divisor": 9}, 0, ["divisor"]),
        (":parent :mod :args {:dividend :sum}", {"divisor": 4}, 1, ["divisor"]),
        (":parent :half-bound :args {:divisor 4}", {"divisor": 9}, 2, ["divisor"]),
        (
            ":parent :mod :args {:dividend :sum :divisor {:as :by}}",
            {"divisor": 9, "by": 4},
            2,
            ["by", "divisor"],
        ),
        (
            ":parent :mod :args {:dividend :sum :divisor {:as :divisor :value 4}}",
            {"divisor": 9},
            5,
            ["divisor"],
        ),
    ],
)
def test_5_4_binding_an_own_slot_is_for_the_row_itself(body, given, expected, open_):
    text = (
        "{:name :plus :parent :add :args {:nums [{:as :value} 1]}}"
        "{:name :one :parent :const :args {:value 1}}"
        "{:name :sum :parent :add :args {:nums [5 {:as :divisor}]}}"
        "{:name :half-bound :parent :mod :args {:dividend :sum}}"
        f"{{:name :r {body}}}"
    )
    assert sorted(each.name for each in graph(text).interface("r")) == open_
    if "value 4" in body:
        expected = (5 + 9) % 9
    assert exact(value(text, **given)) == exact(expected)


TYPED = """
{:name :order :type {:sku :text :qty :positive-int :tags [:list :text]
                     :note {:type :text :required false}}}
{:name :r :parent :list :args {:items [{:as :order :type :order} {:as :n :type :int}
                                       {:as :m :type :nullable-int :value nil}]}}
"""
GOOD = {"sku": "t", "qty": 1, "tags": []}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"order": GOOD, "n": 1}, [GOOD, 1, None]),
        ({"order": GOOD, "n": 1, "m": 2}, [GOOD, 1, 2]),
        ({"order": {**GOOD, "more": 1}, "n": 1}, [{**GOOD, "more": 1}, 1, None]),
        ({"order": GOOD, "n": 1, "m": None}, [GOOD, 1, None]),
        ({}, Fails("missing-argument")),
        ({"order": GOOD}, Fails("missing-argument")),
        ({"order": GOOD, "n": 1, "o": 1}, Fails("unknown-argument")),
        ({"order": GOOD, "n": True}, Fails("argument-type")),
        ({"order": GOOD, "n": 1.0}, Fails("argument-type")),
        ({"order": GOOD, "n": "1"}, Fails("argument-type")),
        ({"order": GOOD, "n": None}, Fails("argument-type")),
        ({"order": None, "n": 1}, Fails("argument-type")),
        ({"order": [GOOD], "n": 1}, Fails("argument-type")),
        ({"order": {**GOOD, "qty": 0}, "n": 1}, Fails("argument-type")),
        ({"order": {"sku": "t", "qty": 1}, "n": 1}, Fails("argument-type")),
        ({"order": {**GOOD, "note": 5}, "n": 1}, Fails("argument-type")),
        ({"order": {**GOOD, "tags": ["a", 1]}, "n": 1}, Fails("argument-type")),
    ],
)
def test_5_5_arguments_are_checked_against_the_interface(given, expected):
    assert value(TYPED, **given) == expected


@pytest.mark.parametrize(
    ("order", "path"),
    [
        ({**GOOD, "qty": 0}, "at :qty "),
        ({**GOOD, "tags": ["a", 1]}, "at :tags[1] "),
        ({**GOOD, "tags": {}}, "at :tags "),
        ({**GOOD, "note": 5}, "at :note "),
    ],
)
def test_5_5_the_path_inside_the_value(order, path):
    assert path in fails(TYPED, order=order, n=1).message


def test_5_5_all_problems_at_once():
    message = str(fails(TYPED, order={**GOOD, "qty": "x", "tags": [1]}, oops=1, m="a"))
    for each in (":n", ":oops", ":m", ":qty", ":tags"):
        assert each in message, each


def test_5_5_a_missing_argument_says_how_it_is_given():
    text = "{:name :r :parent :add :args {:nums [{:as :a} {:as :b} {:as :c :value 1}]}}"
    error = fails(text, a=1)
    assert error.hint == 'Pass arguments such as {"b": …}.'
    assert fails(text, d=1).hint == (
        'It takes :a, :b, :c. Pass arguments such as {"a": …, "b": …}.'
    )
