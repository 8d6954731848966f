"""Which row an entry's name means, and what keeps it from running (LANGUAGE 1.3, 9.1)."""

from __future__ import annotations

import pickle
from inspect import signature

import pytest

from graphden import Graph, GraphError, RunError


def test_a_name_with_an_arrow_in_it_is_a_name() -> None:
    graph = Graph.parse("{:name :a->b :parent :add :args {:nums [1 2]}}")
    assert graph.run("a->b") == 3


def test_inline_rows_are_not_offered_as_entries() -> None:
    graph = Graph.parse(
        "{:name :abcde :parent :str :args {:parts [{:parent :str :args {:parts []}}]}}"
    )
    with pytest.raises(RunError) as caught:
        graph.run("abcde>parts.1")
    assert ">" not in caught.value.hint


def test_9_1_a_diagnostic_refuses_only_rows_that_reach_its_own_row() -> None:
    graph = Graph.parse(
        '[{:name :x :namespace :m :parent :add :args {:nums ["a"]}}'
        " {:name :x :namespace :n :parent :add :args {:nums [1]}}]"
    )
    assert graph.run("n/x") == 1
    with pytest.raises(RunError) as caught:
        graph.run("m/x")
    assert caught.value.code == "row-has-diagnostics"


def test_9_1_what_cannot_be_read_is_one_problem() -> None:
    with pytest.raises(GraphError) as caught:
        Graph.parse("{:name :a :parent 007}")
    assert [problem.code for problem in caught.value.problems] == ["syntax"]


def test_5_5_each_wrong_argument_has_its_hint() -> None:
    graph = Graph.parse("{:name :a :parent :add}")
    with pytest.raises(RunError) as caught:
        graph.run("a", {"numz": 1, "what": 2})
    assert "Did you mean :nums?" in caught.value.hint
    assert "It takes :nums." in caught.value.hint


def test_a_row_is_a_plain_callable_with_a_signature() -> None:
    graph = Graph.parse(
        "{:name :inc :parent :add :args {:nums [{:as :x} {:as :by :value 1}]}}"
        "{:name :each :parent :map :args {:coll [1 2]}}"
    )
    inc = graph.function("inc")
    assert (inc(1), inc(1, 2), inc(x=3, by=4)) == (2, 3, 7)
    assert list(signature(inc).parameters) == ["x", "by"]
    assert graph.run("each", {"func": inc}) == [2, 3]


def test_9_2_a_run_error_travels_between_processes_and_names_its_row() -> None:
    graph = Graph.parse("{:name :inc :parent :add :args {:nums [{:as :x} 1]}}", file="a.edn")
    with pytest.raises(RunError) as caught:
        graph.run("inc", {"x": "a"})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.row, again.span) == ("argument-type", "inc", caught.value.span)
    assert again.__notes__ == ["in :inc (a.edn:1:1)"]


def test_9_1_a_slot_bound_twice_to_rows_is_one_problem() -> None:
    with pytest.raises(GraphError) as caught:
        Graph.parse(
            "{:name :a :parent :identity :args {:value :b :value :b}} {:name :b :parent :uuid}"
        )
    assert [problem.code for problem in caught.value.problems] == ["syntax"]
