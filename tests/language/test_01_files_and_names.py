"""LANGUAGE 1: files, namespaces, what a name means, private rows."""

from __future__ import annotations

import pytest

from graphden import Graph, GraphError
from graphden.edn import Keyword
from tests.language.saying import Fails, exact, fails, graph, report, rows, value
from tests.read.reports import only

ONE = "{:name :one :parent :const :args {:value 1}}"


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("{:namespace :shop.orders} " + ONE, "shop.orders/one", 1),
        ('{:namespace "shop.orders"} ' + ONE, "shop.orders/one", 1),
        ('{:namespace :a :description "What is in here."} ' + ONE, "a/one", 1),
        ('[{:namespace :a :description "In the vector."} ' + ONE + "]", "a/one", 1),
        (ONE, "user/one", 1),
        ("[" + ONE + "]", "user/one", 1),
        ("[]", "user/one", Fails("unknown-row")),
        ("; only a comment", "user/one", Fails("unknown-row")),
        ("#_" + ONE, "user/one", Fails("unknown-row")),
        (ONE.replace(":name", ":namespace :b :name"), "b/one", 1),
        ("{:namespace :a} " + ONE.replace(":name", ":namespace :b :name"), "b/one", 1),
        (
            "{:namespace :a} " + ONE.replace(":name", ":namespace :b :name"),
            "a/one",
            Fails("unknown-row"),
        ),
        (ONE.replace(":name", ':namespace "b.c" :name'), "b.c/one", 1),
        (ONE + " {:namespace :late}", "user/one", 1),
        ("{:namespace :a} {:namespace :b} " + ONE, "b/one", 1),
        ("{:namespace :a} {:namespace :b} " + ONE, "a/one", Fails("unknown-row")),
        ("{:namespace :user} " + ONE, "user/one", 1),
    ],
)
def test_1_1_where_a_row_lives(text, row, expected):
    assert value(text, row) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (ONE + "[" + ONE.replace(":one", ":two") + "]", ("bad-row", "")),
        ("[" + ONE + "]" + ONE.replace(":one", ":two"), ("bad-row", "")),
        ("{:namespace 5} " + ONE, ("bad-row", "5")),
        ("{:namespace nil} " + ONE, ("bad-row", "nil")),
        ("{:namespace [:a]} " + ONE, ("bad-row", "[:a]")),
        ('{:namespace ""} ' + ONE, ("bad-row", '""')),
        ("{:namespace :a :args {}} " + ONE, ("bad-row", "{:namespace :a :args {}}")),
        ('{:description "No name."}', ("bad-row", '{:description "No name."}')),
        ("{}", ("bad-row", "{}")),
        (":one", ("bad-row", ":one")),
        ("nil", ("bad-row", "nil")),
    ],
)
def test_1_1_what_is_neither_rows_nor_a_header(text, problem):
    [(code, _, place)] = report(text)
    assert (code, problem[1] in place) == (problem[0], True)


def test_1_1_each_file_begins_without_a_namespace(tmp_path):
    (tmp_path / "a.edn").write_text("{:namespace :a}" + ONE)
    (tmp_path / "b.edn").write_text(ONE.replace(" 1", " 2"))
    loaded = Graph.load(tmp_path)
    assert (loaded.run("a/one"), loaded.run("user/one")) == (1, 2)


def test_1_2_two_files_with_one_identity_are_refused_and_both_places_named(tmp_path):
    (tmp_path / "a.edn").write_text(ONE)
    (tmp_path / "b.edn").write_text("\n " + ONE)
    with pytest.raises(GraphError) as caught:
        Graph.load(tmp_path)
    [problem] = caught.value.problems
    assert (problem.code, problem.row) == ("duplicate-row", "one")
    assert [place.file for place in (problem.span, *(place for _, place in problem.notes))] == [
        str(tmp_path / "b.edn"),
        str(tmp_path / "a.edn"),
    ]


@pytest.mark.parametrize(
    "second",
    [
        ONE,
        "{:name :one :type {:a :int}}",
        "{:name :one :namespace :user :parent :add}",
        '{:name :one :description "Again." :list :int}',
    ],
)
def test_1_2_identity_is_namespace_and_name_whatever_the_kind(second):
    assert [code for code, _, _ in report(ONE + second)] == ["duplicate-row"]


@pytest.mark.parametrize("name", ["a/b", "a/b/c"], ids=["a slash", "two slashes"])
def test_1_2_a_name_has_no_namespace_in_it(name):
    found = report("{:name :" + name + " :parent :const :args {:value 1}}")
    assert found[0][0] in {"bad-row", "syntax"}


NAMES = """
{:namespace :a}
{:name :unit :parent :const :args {:value "a's"}}
{:name :alone :parent :const :args {:value "alone"}}
{:name :own :parent :identity :args {:value :unit}}
{:name :far :parent :identity :args {:value :c.d/unit}}
{:namespace :b}
{:name :unit :parent :const :args {:value "b's"}}
{:name :own :parent :identity :args {:value :unit}}
{:name :only :parent :identity :args {:value :alone}}
{:name :inline :parent :list :args {:items [{:parent :identity :args {:value :unit}}]}}
{:name :child :parent :a/own}
{:namespace :c.d}
{:name :unit :parent :const :args {:value "c.d's"}}
{:name :child :parent :b/own}
{:name :mixed :parent :list :args {:items [:unit :a/unit {:ref :b/unit} :alone]}}
"""


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("a/own", "a's"),
        ("b/own", "b's"),
        ("a/far", "c.d's"),
        ("b/only", "alone"),
        ("b/inline", ["b's"]),
        ("b/child", "a's"),
        ("c.d/child", "b's"),
        ("c.d/mixed", ["c.d's", "a's", "b's", "alone"]),
        ("only", "alone"),
        (":only", "alone"),
        (":c.d/mixed", ["c.d's", "a's", "b's", "alone"]),
        ("unit", Fails("ambiguous-name")),
        ("child", Fails("ambiguous-name")),
        ("d/unit", Fails("unknown-row")),
        ("c/unit", Fails("unknown-row")),
    ],
)
def test_1_3_a_name_is_looked_up_from_the_row_that_writes_it(row, expected):
    assert value(NAMES, row) == expected


def test_1_3_a_run_by_a_name_of_several_rows_lists_them():
    message = str(fails(NAMES, "unit"))
    assert all(name in message for name in (":a/unit", ":b/unit", ":c.d/unit"))


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        (":unit", "ambiguous-name"),
        ("{:ref :unit}", "ambiguous-name"),
        (":a/unit", None),
        (":a/uni", "unknown-row"),
        (":z/unit", "unknown-row"),
        ("{:parent :unit}", "ambiguous-name"),
        ("{:value :unit}", None),
    ],
)
def test_1_3_several_rows_of_a_name_elsewhere_are_listed_where_it_is_written(reference, code):
    text = (
        "{:namespace :a} {:name :unit :parent :const :args {:value 1}}"
        "{:namespace :b} {:name :unit :parent :const :args {:value 2}}"
        "{:namespace :c} {:name :r :parent :list :args {:items [" + reference + "]}}"
    )
    found = report(text)
    assert [each[0] for each in found] == ([code] if code else [])
    if code:
        assert found[0][1] == "r"
        assert found[0][2].strip(":") in reference


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("a parent", "{:name :r :parent :unit}"),
        ("one of several parents", "{:name :r :parents [:const :unit]}"),
        ("a type", "{:name :r :list :unit}"),
        ("a field's type", "{:name :r :type {:f {:type :unit :required false}}}"),
        ("a narrowing", "{:name :r :parent :const :args {:value {:type :unit}}}"),
        ("a return type", "{:name :r :parent :const :return-type :unit :args {:value 1}}"),
    ],
)
def test_1_3_everywhere_a_row_is_named_a_name_of_several_is_ambiguous(kind, text):
    definition = "{:name :unit :refine {:base :int :constraint [:> 0]}}"
    prelude = "{:namespace :a}" + definition + "{:namespace :b}" + definition
    assert [each[:2] for each in report(prelude + "{:namespace :c}" + text)] == [
        ("ambiguous-name", "r")
    ], kind


# A row of the user's with a name of the library's: his own there, the library's in the library.
OVER = """
{:namespace :mine}
{:name :if :parent :const :args {:value "mine"}}
{:name :mul :parent :const :args {:value "mine"}}
{:name :first :parent :const :args {:value "mine"}}
{:name :positive-int :refine {:base :int :constraint [:< 0]}}
{:name :plain :parent :if}
{:name :full :parent :core.logic/if :args {:test true :then 1 :else 2}}
{:name :negative :parent :positive-int :args {:value -1}}
{:name :library :parent :core.refinements/positive-int :args {:value 1}}
{:name :consumer :parent :queue-consumer}
"""


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("mine/plain", "mine"),
        ("mine/full", 1),
        ("mine/negative", -1),
        ("mine/library", 1),
        ("if", "mine"),
    ],
)
def test_1_3_a_row_of_ones_own_may_have_a_name_of_the_library(row, expected):
    assert value(OVER, row) == expected


def test_1_3_elsewhere_its_plain_name_may_mean_either():
    text = (
        "{:namespace :a} {:name :mul :parent :const :args {:value 1}}"
        "{:namespace :b} {:name :r :parent :identity :args {:value :mul}}"
    )
    assert report(text) == [("ambiguous-name", "r", ":mul")]


def test_1_3_no_row_of_a_user_changes_what_a_package_means():
    """`:queue-consumer` uses `:if`, `:first` and more."""
    named = {each.name for each in graph(OVER).interface("consumer")}
    assert named == {each.name for each in graph("").interface("queue-consumer")}
    assert graph(OVER).diagnostics == ()


PRIVATE = """
{:namespace :a}
{:name :_rate :parent :const :args {:value 3}}
{:name :price :parent :mul :args {:nums [:_rate 2]}}
{:name :exact :parent :mul :args {:nums [:a/_rate 2]}}
{:name :_shape :refine {:base :int :constraint [:> 0]}}
{:name :shaped :parent :_shape :args {:value 4}}
{:namespace :b}
{:name :above :parent :a/price}
{:name :uses :parent :add :args {:nums [:a/price 1]}}
{:name :_rate :parent :const :args {:value 5}}
{:name :own :parent :mul :args {:nums [:_rate 2]}}
"""


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("price", 6),
        ("exact", 6),
        ("shaped", 4),
        ("above", 6),
        ("uses", 7),
        ("own", 10),
        ("_rate", Fails("private-row")),
        ("a/_rate", Fails("private-row")),
        ("_shape", Fails("private-row")),
        ("_none", Fails("unknown-row")),
    ],
)
def test_1_4_a_private_row_serves_its_own_namespace(row, expected):
    if row == "_rate":
        expected = Fails("ambiguous-name")
    assert value(PRIVATE, row) == expected


def test_1_4_a_private_row_is_left_out_of_listings():
    assert [row.name for row in graph(PRIVATE).rows] == [
        "price", "exact", "shaped", "above", "uses", "own",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "use",
    [
        "{:name :r :parent :a/_p}",
        "{:name :r :parents [:const :a/_p]}",
        "{:name :r :parent :list :args {:items [:a/_p]}}",
        "{:name :r :parent :list :args {:items [1 {:ref :a/_p}]}}",
        "{:name :r :parent :const :args {:value {:as :x :ref :a/_p}}}",
        "{:name :r :parent :const :args {:value {:parent :a/_p}}}",
        "{:name :r :parent :map :args {:func :a/_p :coll [1]}}",
    ],
)
def test_1_4_no_other_namespace_can_refer_to_it(use):
    private = "{:namespace :a} {:name :_p :parent :const :args {:value 1}} {:namespace :b}"
    [(code, row, place)] = report(private + use)
    assert (code, row, ":a/_p" in place) == ("private-row", "r", True)


@pytest.mark.parametrize(
    "use",
    [
        "{:name :r :parent :const :return-type :a/_t :args {:value 1}}",
        "{:name :r :list :a/_t}",
        "{:name :r :map [:text :a/_t]}",
        "{:name :r :union [:text :a/_t]}",
        "{:name :r :type {:f :a/_t}}",
        "{:name :r :fn-type [{:p :a/_t} :any]}",
        "{:name :r :variant [:tag :a/_t]}",
        "{:name :r :refine {:base :a/_t :constraint [:> 1]}}",
        "{:name :r :parent :const :args {:value {:type :a/_t}}}",
    ],
)
def test_1_4_nor_to_a_private_type(use):
    private = "{:namespace :a} {:name :_t :refine {:base :int :constraint [:> 0]}}"
    assert [each[:2] for each in report(private + "{:namespace :b}" + use)] == [
        ("private-row", "r")
    ]


def test_1_4_a_plain_name_does_not_find_a_private_row_of_another_namespace():
    text = (
        "{:namespace :a} {:name :_p :parent :const :args {:value 1}}"
        "{:namespace :b} {:name :r :parent :list :args {:items [:_p]}}"
    )
    [(code, row, place)] = report(text)
    assert (code in {"private-row", "unknown-row"}, row, place) == (True, "r", ":_p")


@rows(
    "",
    {
        ':parent :add :description "A sum." :args {:nums [1 2]}': 3,
        ':parent :list :args {:items [{:parent :add :description "D." :args {:nums [1]}}]}': [
            1
        ],
        ':parent :const :args {:value {:value 1 :description "D."}}': 1,
        ':parent :const :description "" :args {:value 1}': 1,
    },
)
def test_1_5_a_description_changes_nothing(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        (":parnet :const", ":parent"),
        (":arg {}", ":args"),
        (":retun-type :any", ":return-type"),
        (":lambda-parms []", ":lambda-params"),
        (":expect-effects #{}", ":expects-effects"),
        (':descripton "D."', ":description"),
        (":name-space :a", ":namespace"),
    ],
)
def test_1_5_an_unknown_key_has_the_nearest_known_one_as_its_hint(more, hint):
    text = "{:name :r :parent :const :args {:value 1} " + more + "}"
    problem = only(text)
    assert (problem.code, problem.row) == ("unknown-key", "r")
    assert hint in problem.hint


def test_1_5_a_keyword_that_is_a_description_is_refused():
    assert [each[0] for each in report("{:name :r :parent :add :description :d}")] == [
        "bad-row"
    ]


def test_1_3_keywords_that_are_data_mean_no_row():
    text = "{:name :r :parent :const :args {:value {:k [:no/such #{:row}]}}}"
    assert exact(value(text)) == exact({Keyword("k"): [Keyword("no/such"), frozenset({"row"})]})
