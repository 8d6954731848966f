"""LANGUAGE 6: rows as callables; who receives, what is captured, what fits."""

from __future__ import annotations

import pytest

from tests.language.saying import Fails, exact, graph, report, rows, value
from tests.read.reports import interface

ROWS = """
{:name :double :parent :mul :args {:nums [{:as :item} 2]}}
{:name :next :parent :add :args {:nums [{:as :n} 1]}}
{:name :seven :parent :const :args {:value 7}}
{:name :scale :parent :mul :args {:nums [{:as :item} {:as :factor}]}}
{:name :minus :parent :sub :args {:nums [{:as :a} {:as :b}]}}
{:name :both :parent :comp :args {:functions [:double :next]}}
{:name :opt :parent :add :args {:nums [{:as :n :value 100} 1]}}
{:name :opt2 :parent :add :args {:nums [{:as :n} {:as :m :value 100}]}}
{:name :given :parent :minus :lambda-params [:b]}
{:name :given-derived :parent :given}
{:name :flipped :parent :minus :lambda-params [:b :a]}
{:name :deaf :parent :next :lambda-params [] :args {:n {:as :n :value 3}}}
{:name :by-name :parent :sub :args {:nums [{:as :second} {:as :first}]}}
{:name :first-only :parent :neg :args {:number {:as :first}}}
{:name :another :parent :neg :args {:number {:as :other}}}
"""


@rows(
    ROWS,
    {
        # 6.1 wrapped where a callable is asked for, run elsewhere
        ":parent :map :args {:func :double :coll [1 2]}": [2, 4],
        ":parent :map :args {:func {:ref :double} :coll [1 2]}": [2, 4],
        ":parent :map :args {:func {:parent :double} :coll [1 2]}": [2, 4],
        ":parent :map :args {:func {:as :f :ref :double} :coll [1 2]}": [2, 4],
        ":parent :map :args {:func :neg :coll [1 2]}": [-1, -2],
        ":parent :map :args {:func :both :coll [1 2]}": [4, 6],
        ":parent :list :args {:items [:seven]}": [7],
        ":parent :map :args {:func {:parent :both} :coll [1 2]}": [4, 6],
        ":parent :call :args {:func :both :arg 4}": 10,
        ":parent :map :args {:func {:parent :constantly :args {:value 3}} :coll [1 2]}": [3, 3],
        # 6.2 (1) lambda-params
        ":parent :map :args {:func :given :coll [1 2] :a 10}": [9, 8],
        ":parent :call-with :args {:func :flipped :first 1 :second 5}": 4,
        ":parent :map :args {:func :deaf :coll [1 2]}": [4, 4],
        ":parent :map :args {:func :deaf :coll [1 2] :n 5}": [6, 6],
        # (2) no parameters
        ":parent :call-noargs :args {:func :next :n 5}": 6,
        ":parent :call-noargs :args {:func :opt}": 101,
        # (3) one parameter: by name, else the only one left free, else ignored
        ":parent :map :args {:func :scale :coll [1 2] :factor 5}": [5, 10],
        ":parent :map :args {:func :next :coll [1 2]}": [2, 3],
        ":parent :map :args {:func :seven :coll [1 2]}": [7, 7],
        ":parent :map :args {:func :opt :coll [1 2]}": [2, 3],
        ":parent :map :args {:func :minus :coll [1 2] :a 10}": [9, 8],
        ":parent :map :args {:func :minus :coll [1 2] :b 10}": [-9, -8],
        ":parent :map :args {:func :minus :coll [1 2] :a 10 :b 1}": [9, 9],
        ":parent :map :args {:func :opt2 :coll [1 2] :m 0}": [1, 2],
        ":parent :map :args {:func :opt2 :coll [1 2] :n 0}": [1, 2],
        # (4) several: by name only
        ":parent :call-with :args {:func :by-name :first 1 :second 5}": 4,
        ":parent :call-with :args {:func :first-only :first 1 :second 5}": -1,
        ":parent :call-with :args {:func :seven :first 1 :second 5}": 7,
        ":parent :call-with :args {:func :another :first 1 :second 5 :other 9}": -9,
        # reduce has one parameter, a pair
        ":parent :reduce :args {:func {:parent :add :args {:nums {:as :pair}}} :init 1"
        " :coll [2 3]}": 6,
        ":parent :reduce :args {:func {:parent :identity :args {:value {:as :any}}} :init 0"
        " :coll [1 2]}": [[0, 1], 2],
    },
)
def test_6_1_and_6_2_who_receives(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            ":parent :map :args {:func :minus :coll [1]}",
            ("ambiguous-lambda-params", "r", ":minus"),
        ),
        (
            ":parent :map :args {:func :opt2 :coll [1]}",
            ("ambiguous-lambda-params", "r", ":opt2"),
        ),
        # A derived row has no :lambda-params of its ancestor's.
        (
            ":parent :map :args {:func :given-derived :coll [1]}",
            ("ambiguous-lambda-params", "r", ":given-derived"),
        ),
        (":parent :minus :lambda-params [:c]", ("invalid-lambda-params", "r", ":c")),
        (":parent :minus :lambda-params [:a :a]", ("invalid-lambda-params", "r", ":a")),
        (
            ":parent :minus :lambda-params [:a] :args {:a 1}",
            ("invalid-lambda-params", "r", ":a"),
        ),
        (
            ":parent :map :args {:func :flipped :coll [1]}",
            ("invalid-lambda-params", "r", ":flipped"),
        ),
    ],
)
def test_6_2_what_is_refused(row, expected):
    assert report(ROWS + f"{{:name :r {row}}}") == [expected]


def test_6_2_a_name_that_a_descendant_feeds_later_is_too_late():
    text = ROWS + (
        "{:name :q :parent :map :args {:func :minus :coll [1]}}"
        "{:name :r :parent :q :args {:b 1}}"
    )
    assert ("ambiguous-lambda-params", "q") in [each[:2] for each in report(text)]


def test_6_2_a_default_of_the_referring_row_does_feed():
    """`{:as :b :value 1}` is a binding of the name, too (5.3)."""
    text = ROWS + (
        "{:name :r :parent :map :args {:func :minus :coll [5] :b {:as :b :value 1}}}"
    )
    assert value(text) == [4]
    assert value(text, b=2) == [3]


@pytest.mark.parametrize("literal", ["5", '"double"', "[1]", "true", "{:value :double}"])
@pytest.mark.parametrize(
    "body",
    [
        ":parent :map :args {{:func {0} :coll [1]}}",
        ":parent :comp :args {{:functions [:double {0}]}}",
        ":parent :map :args {{:func {{:as :f :value {0}}} :coll [1]}}",
    ],
)
def test_6_1_a_literal_is_not_callable(body, literal):
    if ":as" in body and literal.startswith("{"):
        literal = ":double-less"
    found = report(ROWS + f"{{:name :r {body.format(literal)}}}")
    assert [each[:2] for each in found] == [("not-callable", "r")]


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        (":parent :map :args {:coll [1 2]}", {"func": lambda item: item * 3}, [3, 6]),
        (":parent :map :args {:coll [1 2]}", {"func": str}, ["1", "2"]),
        (":parent :map :args {:coll [1 2]}", {"func": 5}, Fails("argument-type")),
        (":parent :map :args {:coll [1 2]}", {"func": "double"}, Fails("argument-type")),
        (":parent :map :args {:coll [1 2]}", {"func": None}, Fails("argument-type")),
        (
            ":parent :call-with :args {:first 1 :second 2}",
            {"func": lambda a, b: [b, a]},
            [2, 1],
        ),
        (":parent :call-noargs", {"func": lambda: 4}, 4),
        (":parent :comp :args {:functions [{:as :f} :double]}", {"f": abs}, None),
    ],
)
def test_6_1_python_callables_are_accepted(row, given, expected):
    found = value(ROWS + f"{{:name :r {row}}}", **given)
    if expected is None:
        assert found(-4) == 8
    else:
        assert exact(found) == exact(expected)


CAPTURE = """
{:name :scale :parent :mul :args {:nums [{:as :item} {:as :factor}]}}
{:name :row :parent :map :args {:func :scale :coll {:as :item}}}
{:name :table :parent :map :args {:func :row :coll [[1 2] [3]]}}
{:name :tens :parent :table :args {:factor 10}}
{:name :nested :parent :map :args {:func :tens-of :coll [1 2]}}
{:name :tens-of :parent :identity :lambda-params [] :args {:value :table}}
{:name :pair :parent :list :args {:items [{:as :left} {:as :item}]}}
{:name :with :parent :map :args {:func :pair :coll ["x"] :left {:as :item}}}
{:name :cross :parent :map :args {:func :with :coll [1 2]}}
{:name :inner :parent :map :args {:func :pair :coll [8] :left 0}}
{:name :outer :parent :map :lambda-params [] :args {:func :inner :coll [1]}}
{:name :calls :parent :call-noargs :args {:func :asks}}
{:name :asks :parent :identity :args {:value {:as :item}}}
{:name :between :parent :map :args {:func :calls :coll [1 2]}}
{:name :step :parent :map :args {:func {:as :f :type [:fn {:item :any} :any]} :coll [1 2]}}
{:name :late :parent :step :args {:f :scale :factor 3}}
{:name :item-fed :parent :map :args {:func :scale :coll [1 2] :factor 2 :item 50}}
{:name :uses-item :parent :list :args {:items [:between {:as :item}]}}
"""


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        ("table", {"factor": 2}, [[2, 4], [6]]),
        ("tens", {}, [[10, 20], [30]]),
        ("nested", {"factor": 1}, [[[1, 2], [3]], [[1, 2], [3]]]),
        ("cross", {}, [[[1, "x"]], [[2, "x"]]]),
        ("outer", {}, [[[0, 8]]]),
        ("between", {}, [1, 2]),
        ("late", {}, [3, 6]),
        ("uses-item", {"item": 9}, [[1, 2], 9]),
    ],
)
def test_6_3_capture(row, given, expected):
    text = CAPTURE.replace("{:name :item-fed", "#_{:name :item-fed")
    assert exact(value(text, row, **given)) == exact(expected)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("row", {"item": "[:list :any]", "factor": ":numeric"}),
        ("table", {"factor": ":numeric"}),
        ("cross", {}),
        ("between", {}),
        ("calls", {"item": ":any"}),
        ("late", {}),
    ],
)
def test_6_3_what_nothing_supplies_is_free(row, expected):
    text = CAPTURE.replace("{:name :item-fed", "#_{:name :item-fed")
    found = interface(text, row)
    assert set(found) == set(expected)


FIT = """
{:name :few :refine {:base :int :constraint [:< 10]}}
{:name :takes-int :parent :neg :args {:number {:as :item :type :int}}}
{:name :takes-few :parent :neg :args {:number {:as :item :type :few}}}
{:name :takes-text :parent :str-len :args {:string {:as :item}}}
{:name :takes-any :parent :str :args {:parts [{:as :item}]}}
{:name :takes-numeric :parent :neg :args {:number {:as :item}}}
{:name :seven :parent :const :args {:value 7}}
{:name :says :parent :const :args {:value "seven"}}
"""


@pytest.mark.parametrize(
    ("type_", "row", "fits"),
    [
        # Parameters are contravariant.
        ("[:fn {:item :int} :any]", ":takes-int", True),
        ("[:fn {:item :int} :any]", ":takes-numeric", True),
        ("[:fn {:item :int} :any]", ":takes-any", True),
        ("[:fn {:item :int} :any]", ":takes-text", False),
        ("[:fn {:item :few} :any]", ":takes-int", True),
        ("[:fn {:item :text} :any]", ":takes-int", False),
        ("[:fn {:item :bool} :any]", ":takes-numeric", False),
        # Results are covariant.
        ("[:fn {:item :int} :int]", ":takes-int", True),
        ("[:fn {:item :int} :numeric]", ":takes-int", True),
        ("[:fn {:item :text} :numeric]", ":takes-text", True),
        ("[:fn {:item :int} :text]", ":takes-int", False),
        ("[:fn {:item :int} :text]", ":takes-any", True),
        ("[:fn {:item :int} :int]", ":takes-any", False),
        # Without free arguments any parameters will do; the result still has to fit.
        ("[:fn {:item :int} :int]", ":seven", True),
        ("[:fn {} :int]", ":seven", True),
        ("[:fn {:a :text :b :bool} :int]", ":seven", True),
        ("[:fn {:item :int} :int]", ":says", False),
    ],
)
def test_6_4_which_callable_fits(type_, row, fits):
    text = FIT + f"{{:name :r :parent :const :args {{:value {{:type {type_} :ref {row}}}}}}}"
    assert [each[:2] for each in report(text)] == ([] if fits else [("type-mismatch", "r")])


def test_6_1_a_row_whose_return_type_is_callable_is_run():
    text = """
        {:name :step :fn-type [{:item :int} :int]}
        {:name :plus :parent :add :args {:nums [{:as :item} 1]}}
        {:name :minus :parent :sub :args {:nums [{:as :item} 1]}}
        {:name :chosen :parent :if :return-type :step
         :args {:test {:as :up} :then {:type :step :ref :plus} :else {:type :step :ref :minus}}}
        {:name :r :parent :map :args {:func :chosen :coll [1 2]}}
    """
    assert (value(text, up=True), value(text, up=False)) == ([2, 3], [0, 1])
    assert [each.name for each in graph(text).interface("r")] == ["up"]
