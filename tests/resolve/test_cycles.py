"""A row that needs itself (LANGUAGE 7.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden import Graph
from tests.read.reports import only, report


@pytest.mark.parametrize(
    ("rows", "at", "way"),
    [
        ("{:name :a :parent :a}", ":a", ":a → :a"),
        ("{:name :a :parent :not :args {:value :a}}", ":a", ":a → :a"),
        ("{:name :a :parent :list :args {:items [1 :a]}}", ":a", ":a → :a"),
        (
            "{:name :a :parent :not :args {:value {:parent :not :args {:value :a}}}}",
            ":a",
            ":a → :a",
        ),
        ("{:name :a :parent :not :args {:value {:parent :a}}}", ":a", ":a → :a"),
        ("{:name :a :parent :map :args {:func :a :coll [1]}}", ":a", ":a → :a"),
        (
            "{:name :p :parent :not :args {:value {:as :x}}}"
            "{:name :a :parent :not :args {:value :p :x :a}}",
            ":a",
            ":a → :a",
        ),
        ("{:name :a :parent :not :args {:value {:as :x :ref :a}}}", ":a", ":a → :a"),
    ],
    ids=[
        "parent",
        "reference",
        "item",
        "inline",
        "inline parent",
        "callable",
        "feed",
        "default",
    ],
)
def test_7_4_a_row_that_needs_itself(rows, at, way):
    assert report(rows) == [("cycle", "a", at)]
    problem = only(rows)
    assert problem.message == f":a needs itself: {way}"
    assert ":fix" in problem.hint


def test_7_4_a_longer_way_is_shown_whole_and_reported_where_it_closes():
    text = (
        "{:name :a :parent :not :args {:value :b}}\n"
        "{:name :b :parent :list :args {:items [{:parent :not :args {:value :c}}]}}\n"
        "{:name :c :parent :a}"
    )
    assert report(text) == [("cycle", "c", ":a")]
    assert only(text).message == ":a needs itself: :a → :b → :c → :a"
    assert str(only(text).span) == "rows.edn:3:19"


def test_7_4_two_circles_are_two_problems():
    text = (
        "{:name :a :parent :not :args {:value :b}} {:name :b :parent :not :args {:value :a}}"
        "{:name :c :parent :d} {:name :d :parent :c}"
    )
    assert report(text) == [("cycle", "b", ":a"), ("cycle", "d", ":c")]


EDGES = st.dictionaries(
    st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=4), max_size=6
)


@given(EDGES, st.permutations("abcdef"))
def test_7_4_all_circles_are_told_at_once(edges, order):
    """Without the references that are told there is no circle left, and none is told in vain:
    each would close a circle without the others.
    """

    def told(edges, order="abcdef"):
        text = "".join(
            f"{{:name :{row} :parent :list :args {{:items [{items}]}}}}\n"
            for row in order
            for items in [" ".join(f":{each}" for each in edges.get(row, ()))]
        )
        return report(text)

    found = told(edges)
    assert {code for code, _, _ in found} <= {"cycle"}
    assert sorted(told(edges, order)) == sorted(found)
    closing = {(row, name.strip(":")) for _, row, name in found}
    assert len(closing) == len(found)
    opened = {
        row: [n for n in names if (row, n) not in closing] for row, names in edges.items()
    }
    assert told(opened) == []
    for row, name in closing:
        assert told({**opened, row: [*opened[row], name]})


@pytest.mark.parametrize("kind", [":parent :list :args {:items [%s]}", ":union [%s]"])
def test_7_4_no_more_than_a_hundred_circles_are_told(kind):
    rows = "abcdefghijklmnopqrstuvwxyz"
    all_of_them = kind % " ".join(f":{row}" for row in rows)
    assert len(report("".join(f"{{:name :{row} {all_of_them}}}" for row in rows))) == 100


def test_7_4_who_uses_a_circle_is_not_blamed():
    text = (
        "{:name :before :parent :not :args {:value :a :zzz 1}}"
        "{:name :a :parent :not :args {:value :b}} {:name :b :parent :not :args {:value :a}}"
        "{:name :after :parent :map :args {:func :b :coll [1] :zzz 1}}"
    )
    assert [code for code, _, _ in report(text)] == ["cycle"]


def test_7_4_a_keyword_that_is_data_makes_no_circle():
    text = "{:name :a :parent :const :args {:value [:a {:parent :a}]}}"
    assert report(text) == []


def test_7_4_two_uses_of_one_row_make_no_circle():
    text = (
        "{:name :a :parent :add :args {:nums [:b :c]}}"
        "{:name :b :parent :add :args {:nums [:d]}}"
        "{:name :c :parent :add :args {:nums [:d :b]}}"
        "{:name :d :parent :add :args {:nums [1]}}"
    )
    assert Graph.parse(text).run("a") == 3


@pytest.mark.parametrize("link", [":parent :r{next}", ":parent :not :args {{:value :r{next}}}"])
def test_depth_costs_no_stack(link):
    """However the rows are ordered; 3,000 rows deep."""
    rows = [f"{{:name :r{i} {link.format(next=i + 1)}}}" for i in range(3000)]
    graph = Graph.parse("\n".join([*rows, "{:name :r3000 :parent :not}"]))
    assert len(graph.rows) == 3001
