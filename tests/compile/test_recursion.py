"""LANGUAGE 7.4: `fix`."""

import threading

import pytest

from graphden import Graph
from tests.oracle.probe import Outcome, observe, run

COUNT_DOWN = """
    {:name :bottom? :parent :lt :args {:nums [{:as :input} 1]}}
    {:name :lower :parent :sub :args {:nums [{:as :input} 1]}}
    {:name :deeper :parent :call :args {:func {:as :self} :arg :lower}}
    {:name :step :parent :if :args {:test :bottom? :then 0
                                    :else {:parent :add :args {:nums [1 :deeper]}}}}
    {:name :plain :parent :fix :args {:step :step :input {:as :n}}}
"""

THROUGH_MANY_LAYERS = """
    {:name :bottom? :parent :lt :args {:nums [{:as :input} 1]}}
    {:name :lower :parent :sub :args {:nums [{:as :input} 1]}}
    {:name :again :parent :call :lambda-params [] :args {:func {:as :self} :arg :lower}}
    {:name :mapped :parent :map :args {:func :again :coll [0]}}
    {:name :rethrow :parent :throw :args {:exception {:as :exception}}}
    {:name :only :parent :assert-some :args {:value {:parent :first :args {:coll :mapped}}}}
    {:name :tried :parent :try :args {:body :only
                                      :on-throw :rethrow}}
    {:name :fold :parent :const :lambda-params [] :args {:value :tried}}
    {:name :folded :parent :reduce :args {:func :fold :init 0 :coll [1]}}
    {:name :step :parent :if :args {:test :bottom? :then 0
                                    :else {:parent :add :args {:nums [1 :folded]}}}}
    {:name :layered :parent :fix :args {:step :step :input {:as :n}}}
"""

ENTRIES = [(COUNT_DOWN, "plain"), (THROUGH_MANY_LAYERS, "layered")]


@pytest.mark.parametrize(("text", "entry"), ENTRIES)
def test_a_thousand_nested_calls_work(text: str, entry: str) -> None:
    outcome = run(text, entry, n=1_000)
    assert (outcome.value, outcome.error) == (1_000, None)


@pytest.mark.parametrize(("text", "entry"), ENTRIES)
def test_a_thousand_nested_calls_work_in_a_thread(text: str, entry: str) -> None:
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(run(text, entry, n=1_000)))
    thread.start()
    thread.join()
    assert [outcome.value for outcome in outcomes] == [1_000]


@pytest.mark.parametrize(("text", "entry"), ENTRIES)
def test_deeper_calls_fail_with_recursion_depth_and_nothing_is_lost(
    text: str, entry: str
) -> None:
    graph = Graph.parse(text)

    def count_down(number: int) -> Outcome:
        return observe(lambda context: graph.run(entry, {"n": number}, context=context))

    for _ in range(3):
        outcome = count_down(1_000_000)
        assert outcome.error is not None
        assert outcome.error.code == "recursion-depth"
        assert outcome.error.row is not None
    assert count_down(1_000).value == 1_000


def test_a_thousand_nested_calls_work_when_recursions_nest() -> None:
    """The innermost of two recursions, begun from the bottom of the outer one."""
    outcome = run(
        COUNT_DOWN
        + """
        {:name :outer-step :parent :if
         :args {:test :bottom? :then {:parent :plain :args {:n 500}}
                :else {:parent :add :args {:nums [1 :deeper]}}}}
        {:name :entry :parent :fix :args {:step :outer-step :input 500}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.error) == (1_000, None)


def test_each_level_is_an_activation_with_effects_of_its_own() -> None:
    outcome = run(
        """
        {:name :bottom? :parent :lt :args {:nums [{:as :input} 1]}}
        {:name :lower :parent :sub :args {:nums [{:as :input} 1]}}
        {:name :note :parent :tick :args {:tag {:as :input}}}
        {:name :deeper :parent :call :args {:func {:as :self} :arg :lower}}
        {:name :around :parent :list :args {:items [:note :deeper :note]}}
        {:name :step :parent :if :args {:test :bottom? :then :note :else :around}}
        {:name :entry :parent :fix :args {:step :step :input 2}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.tags) == ([1, [2, 3, 2], 1], [2, 1, 0])


def test_inner_parameters_shadow_outer_ones() -> None:
    """LANGUAGE 6.3: of two recursions around a row, `input` is the inner one's."""
    outcome = run(
        """
        {:name :inner-step :parent :identity :args {:value {:as :input}}}
        {:name :inner :parent :fix :args {:step :inner-step :input 7}}
        {:name :outer-step :parent :pair :args {:left {:as :input} :right :inner}}
        {:name :entry :parent :fix :args {:step :outer-step :input 3}}
        """,
        "entry",
    )
    assert outcome.value == [3, 7]
