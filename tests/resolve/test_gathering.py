"""All problems, in order, each mistake once (LANGUAGE 9.1)."""

from __future__ import annotations

import pytest

from graphden import Graph, GraphError
from tests.read.reports import problems_of, report


def test_9_1_all_problems_of_a_file_in_the_order_of_their_places():
    text = """
{:name :a :parent :mod :args {:divsor 1 :dividend :no-such}}
{:name :b :parent :mdo}
{:name :c :parent :add :args {:nums [1 {:as 3}]} :zzz 1}
{:name :a :parent :add}
"""
    assert report(text) == [
        ("unknown-row", "a", ":no-such"),
        ("unknown-row", "b", ":mdo"),
        ("bad-row", "c", "3"),
        ("unknown-key", "c", ":zzz"),
        ("duplicate-row", "a", ":a"),
    ]


def test_9_1_all_problems_of_several_files_sorted_by_file(tmp_path):
    (tmp_path / "2.edn").write_text("{:name :b :parent :no-such}\n{:name :c :parent 3}")
    (tmp_path / "1.edn").write_text("{:name :a :parent :add :args {:zzz 1}}")
    with pytest.raises(GraphError) as caught:
        Graph.load(tmp_path)
    places = [str(p.span).rpartition("/")[2] for p in caught.value.problems]
    assert places == ["1.edn:1:31", "2.edn:1:19", "2.edn:2:19"]


def test_9_1_text_that_cannot_be_read_is_reported_beside_the_rest():
    text = "{:name :a :parent :no-such}\n{:name :b :parent :add :args {:nums [007]}}"
    assert [code for code, _, _ in report(text)] == ["unknown-row", "syntax"]


def test_9_1_diagnostics_do_not_refuse_the_load():
    graph = Graph.parse(
        "{:name :a :parent :map :args {:func 3 :coll []}} {:name :b :parent :add}"
    )
    assert [(p.code, p.structural) for p in graph.diagnostics] == [("not-callable", False)]
    assert graph.run("b", {"nums": [1]}) == 1


def test_9_1_diagnostics_are_reported_with_the_structural_problems():
    text = "{:name :a :parent :map :args {:func 3 :coll []}} {:name :b :parent :no-such}"
    assert [p.code for p in problems_of(text)] == ["unknown-row", "not-callable"]


USERS = """
{:name :wraps :parent :map :args {:func :a :coll [1]}}
{:name :derives :parent :a :args {:dividend 1}}
{:name :derives-inline :parent :not :args {:value {:parent :a :args {:dividend 1}}}}
{:name :refers :parent :list :args {:items [:a {:parent :neg :args {:number :a}}] :dividend 2}}
{:name :wraps-derived :parent :map :args {:func {:parent :a} :coll [1]}}
{:name :receives :parent :a :lambda-params [:dividend]}
"""


def test_9_1_the_users_of_the_following_mistakes_make_none_themselves():
    assert report("{:name :a :parent :mod :args {:divisor 3}}" + USERS) == []


@pytest.mark.parametrize(
    "mistake",
    [
        "{:name :a :parent :no-such :args {:divisor 3}}",
        "{:name :a :parent 3 :args {:divisor 3}}",
        "{:name :a :parent :mod :args {:divisor {:as :dividend}}}",
        "{:name :a :parent :mod :args {:divisor :no-such}}",
        "{:name :a :parent :mod :args {:divisor {:as 3}}}",
        "{:name :a :parent :mod :args {:divisor {:value 3 :valeu 4}}}",
        "{:name :a :parent :mod :args {:divisor x}}",
        "{:name :a :parent :mod :args {:divisor {:value 3 :type :no-such}}}",
        "{:name :a :parent :mod :args {:divisor 3} :lambda-params [:x]}",
        "{:name :a :parent :mod :args {:divisor 3} :lambda-params 3}",
        "{:name :a :parent :mod :args {:divisor {:parent :no-such}}}",
        "{:name :a :parent :mod :args {:divisor {:parent :mod :args {:divisro 3}}}}",
        "{:name :a :parent :mod :args {:divisor {:parent :mod :args 3}}}",
        "{:name :a :parent :mod :args {:divisor {:parent :list :args {:items [{:as 3}]}}}}",
        "{:name :a :parent :mod :args {:divisor {:append [1]}}}",
        "{:name :a :parent :mod :args {:divisro 3}}",
        "{:name :a :parent :mod :args 3}",
        '{:name :a :parent :mod :args {"divisor" 3}}',
        "{:name :a :parnet :mod :args {:divisor 3}}",
        "{:name :a :parent :mod :agrs {:divisor 3}}",
        "{:name :a :args {:divisor 3}}",
        "{:name :a :parent :a :args {:divisor 3}}",
        "{:name :a :parent :mod :type {:divisor :int} :args {:divisor 3}}",
    ],
)
def test_9_1_one_mistake_is_one_problem_however_the_row_is_used(mistake):
    assert [row for _, row, _ in report(mistake + USERS)] == ["a"]


def test_9_1_two_mistakes_in_one_row_are_two_problems():
    text = "{:name :a :parent :mod :zzz 1 :args {:divisor {:as 3} :dividend {:ref 4}}}"
    assert [at for _, _, at in report(text)] == [":zzz", "3", "4"]


def test_9_1_the_problems_of_a_row_that_is_used_twice_are_reported_once():
    text = (
        "{:name :a :parent :list :args {:items [:no-such]}}"
        "{:name :b :parent :list :args {:items [:a :a {:parent :a}]}}"
    )
    assert report(text) == [("unknown-row", "a", ":no-such")]


def test_9_1_a_problem_in_an_inline_row_is_its_owners():
    text = "{:name :a :parent :not :args {:value {:parent :not :args {:value :no-such}}}}"
    assert report(text) == [("unknown-row", "a", ":no-such")]


def test_9_1_a_name_with_an_arrow_is_shown_whole():
    text = (
        "{:name :a->b :parent :identity :args {:value :seven}}"
        "{:name :seven :parent :add :args {:nums [7]}}"
        "{:name :c :parent :a->b :args {:value 1}}"
    )
    assert ":a->b bound it to :seven" in problems_of(text)[0].message
