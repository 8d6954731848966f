"""A callable that comes by a name, as a default or from a row is checked like one in the slot
itself (LANGUAGE 8.5, 9.2).
"""

from __future__ import annotations

import pytest

from graphden import Graph, RunError
from tests.read.reports import report

ROWS = r"""
{:name :shout :parent :str-upper :args {:string {:as :item}}}
{:name :held :parent :identity
 :args {:value {:ref :shout :type [:fn {:item :text} :text]}}
 :return-type [:fn {:item :text} :text]}
{:name :parsed :parent :parse-json :args {:string {:as :raw :value "[1, 2]"}}}
{:name :each :parent :map :args {:func {:as :f} :coll :parsed}}
{:name :passed :parent :list :args {:items [:each]}}
"""

BOUND = {
    "the slot": "{:name :r :parent :map :args {:func :shout :coll :parsed}}",
    "a default of the slot": (
        "{:name :r :parent :map :args {:func {:as :f :ref :shout} :coll :parsed}}"
    ),
    "a default of a row that gives one": (
        "{:name :r :parent :map :args {:func {:as :f :ref :held} :coll :parsed}}"
    ),
    "a row that gives one": "{:name :r :parent :map :args {:func :held :coll :parsed}}",
    "a name of the parent": "{:name :r :parent :each :args {:f :shout}}",
    "a default of a name of the parent": (
        "{:name :r :parent :each :args {:f {:as :g :ref :shout}}}"
    ),
    "a name of a reference": "{:name :r :parent :list :args {:items [:each] :f :shout}}",
    "a name of a reference, by a row that gives one": (
        "{:name :r :parent :list :args {:items [:each] :f :held}}"
    ),
    "a default of a name of a reference": (
        "{:name :r :parent :list :args {:items [:each] :f {:as :g :ref :shout}}}"
    ),
    "a name of a reference's reference": (
        "{:name :r :parent :list :args {:items [:passed] :f :shout}}"
    ),
}


@pytest.mark.parametrize("row", BOUND.values(), ids=BOUND)
def test_8_5_what_a_callable_is_handed_is_checked_however_it_is_bound(row: str) -> None:
    graph = Graph.parse(ROWS + row)
    assert list(graph.diagnostics) == []
    with pytest.raises(RunError) as caught:
        graph.run("r")
    assert (caught.value.code, caught.value.message) == (
        "contract-violation",
        "not :text: expected :text, got 1",
    )
    assert "SHOUT" in str(graph.run("r", {"raw": '["shout"]'}))


@pytest.mark.parametrize("row", BOUND.values(), ids=BOUND)
def test_8_4_what_a_callable_is_plainly_not_to_be_handed_is_a_diagnostic(row: str) -> None:
    ints = "{:name :parsed :parent :list :args {:items [1 2]}}"
    rows = "\n".join(ints if ":name :parsed" in line else line for line in ROWS.split("\n"))
    assert [(code, where) for code, where, _ in report(rows + row)] == [("type-mismatch", "r")]


@pytest.mark.parametrize("row", BOUND.values(), ids=BOUND)
def test_8_5_where_the_types_prove_it_nothing_is_checked(row: str) -> None:
    texts = '{:name :parsed :parent :list :args {:items ["a"]}}'
    rows = "\n".join(texts if ":name :parsed" in line else line for line in ROWS.split("\n"))
    graph = Graph.parse(rows + row)
    assert list(graph.diagnostics) == []
    for checked in ("r", "each"):
        assert graph._inference.row(f"user/{checked}").guards == {}


def test_8_5_what_a_narrowed_callable_is_called_with_is_of_the_narrower_type() -> None:
    graph = Graph.parse(
        ROWS
        + "{:name :double :parent :mul :args {:nums [{:as :item} 2]}}"
        + "{:name :ints :parent :map"
        + " :args {:func {:as :f :type [:fn {:item :int} :any]} :coll :parsed}}"
        + "{:name :r :parent :ints :args {:f :double}}"
        + "{:name :s :parent :list :args {:items [:ints] :f :double}}"
    )
    for row in ("r", "s"):
        with pytest.raises(RunError) as caught:
            graph.run(row, {"raw": "[1.5]"})
        assert caught.value.code == "contract-violation"
    assert graph.run("r") == [2, 4]


def test_7_4_the_step_of_fix_may_come_by_name() -> None:
    """What `self` gives is not known before the step is: that is no mistake of the step's."""
    rows = """
{:name :down :parent :if
 :args {:test {:parent :zero? :args {:number {:as :input}}}
        :then "done"
        :else {:parent :invoke
               :args {:func {:as :self}
                      :arg {:parent :sub :args {:nums [{:as :input} 1]}}}}}}
{:name :fixed :parent :fix :args {:step {:as :step} :input 3}}
{:name :r :parent :list :args {:items [:fixed] :step :down}}
"""
    assert report(rows) == []
    assert Graph.parse(rows).run("r") == ["done"]


def test_8_5_what_a_python_callable_gives_is_checked():
    graph = Graph.parse("""
        {:name :twice :parent :add
         :args {:nums [:given 1]}}
        {:name :given :parent :call
         :args {:func {:as :f :type [:fn {:arg :int} :int]} :arg 1}}
    """)
    assert graph.run("twice", {"f": lambda x: x + 1}) == 3
    with pytest.raises(RunError) as caught:
        graph.run("twice", {"f": lambda _: "one"})
    assert caught.value.code == "contract-violation"
    assert caught.value.row == "given"
