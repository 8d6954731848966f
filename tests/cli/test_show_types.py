"""`graphden show --types`: the inferred types of everything a row reaches."""

from __future__ import annotations

from graphden import Graph
from graphden.cli.inferred import inferred

ROWS = """\
{:name :total  :parent :add :args {:nums [:price {:parent :double :args {:item 4}}]}}
{:name :price  :parent :get :args {:coll :_body :key "price" :default nil} :return-type :int}
{:name :_body  :parent :parse-json :args {:string {:as :text} :keywordize false}}
{:name :double :parent :mul :args {:nums [{:as :item} :_two]}}
{:name :_two   :parent :const :args {:value 2}}
{:name :each   :parent :map :args {:func :double :coll [1.5 :_two]}}
"""


def test_everything_a_row_reaches_as_a_tree(run, rows):
    """LANGUAGE 8.4, 8.5"""
    rows(ROWS)
    result = run("show", "total", "--types")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        ":total → :int  rows.edn:1\n"
        "├─ open: its arguments\n"
        "│  └─ :text :text  required\n"
        "└─ refers to\n"
        "   ├─ :price → :int  rows.edn:2\n"
        "   │  ├─ takes :text :text\n"
        "   │  ├─ checked when it runs\n"
        "   │  │  └─ result must be :int, and what it computes is :jsonb  rows.edn:2\n"
        "   │  └─ refers to\n"
        "   │     └─ :_body → :jsonb  rows.edn:3\n"
        "   │        └─ takes :text :text\n"
        "   └─ {:parent :double …} → :int  rows.edn:1\n"
        "      └─ refers to\n"
        "         └─ :_two → :int  rows.edn:5\n"
    )


def types_of(name: str, text: str) -> dict[str, tuple[dict[str, str], str]]:
    """Rows with the types of their arguments, and of their results."""
    return {
        row["row"]: ({a["name"]: a["type"] for a in row["arguments"]}, row["result"])
        for row in inferred(Graph.parse(text), name)["rows"]
    }


def test_a_row_has_the_types_of_this_use():
    """LANGUAGE 8.4: :item is any number, and here it is what the list has."""
    assert types_of("double", ROWS)[":double"] == ({"item": ":numeric"}, ":numeric")
    assert types_of("each", ROWS) == {
        ":each": ({}, "[:list :float]"),
        ":double": ({"item": ":float"}, ":float"),
        ":_two": ({}, ":int"),
    }


def test_what_a_guard_has_asked_about_is_not_nil():
    """LANGUAGE 8.4"""
    text = """
    {:name :size :parent :if
     :args {:test :_is :then {:parent :str-len :args {:string :_first}} :else 0}}
    {:name :_is :parent :some? :args {:value :_first}}
    {:name :_first :parent :first :args {:coll ["a"]}}
    """
    found = inferred(Graph.parse(text), "size")["rows"]
    firsts = [row["result"] for row in found if row["row"] == ":_first"]
    assert firsts == ["[:union :text :null]", ":text"]


def check(row: str, more: str = "") -> dict[str, object]:
    """The one check of a row, without its file."""
    found = inferred(Graph.parse(f"{row}\n{more}"), "it")
    [each] = [each for row in found["rows"] for each in row["checks"]]
    return {key: each[key] for key in each if key != "file"}


BODY = '{:name :body :parent :parse-json :args {:string "1"}}'


def test_a_reference_is_checked_where_it_stands():
    assert check("{:name :it :parent :add :args {:nums [1 :body]}}", BODY) == {
        "checked": "item 1 of :nums",
        "expected": ":numeric",
        "comes": ":body",
        "of_type": ":jsonb",
        "line": 1,
        "column": 41,
    }


def test_an_argument_is_checked_where_it_is_handed_on():
    more = "{:name :half :parent :div :args {:nums [{:as :n} 2]}}\n" + BODY
    found = check("{:name :it :parent :identity :args {:value :half :n :body}}", more)
    assert (found["checked"], found["expected"]) == (":n", ":numeric")
    assert (found["comes"], found["of_type"], found["column"]) == (":body", ":jsonb", 53)


def test_what_a_call_hands_over_is_checked():
    more = "{:name :half :parent :div :args {:nums [{:as :n} 2]}}\n" + BODY
    bodies = "{:parent :list :args {:items [:body]}}"
    found = check(f"{{:name :it :parent :map :args {{:func :half :coll {bodies}}}}}", more)
    assert (found["checked"], found["expected"]) == (":n", ":numeric")
    assert (found["comes"], found["of_type"]) == (":item of the call", ":jsonb")


def test_rows_come_once_for_each_of_their_types():
    """A row referred to on many ways is not told again."""
    rows = [
        f"{{:name :r{i} :parent :add :args {{:nums [:r{i + 1} :r{i + 1}]}}}}" for i in range(60)
    ]
    graph = Graph.parse("\n".join([*rows, "{:name :r60 :parent :const :args {:value 1}}"]))
    found = inferred(graph, "r0")["rows"]
    assert [row["row"] for row in found] == [f":r{i}" for i in range(61)]
    assert [(each["number"], each["repeated"]) for each in found[0]["references"]] == [
        (1, False),
        (1, True),
    ]


def test_as_json(run, rows):
    rows(ROWS)
    found = run("show", "each", "--types", "--json").json
    each, double, two = found["rows"]
    assert found["diagnostics"] == []
    assert {key: each[key] for key in ("row", "id", "kind", "file", "line", "column")} == {
        "row": ":each",
        "id": "user/each",
        "kind": "function",
        "file": "rows.edn",
        "line": 6,
        "column": 1,
    }
    assert {(r["number"], r["as"]) for r in each["references"]} == {
        (1, "callable"),
        (2, "value"),
    }
    assert double["arguments"] == [{"name": "item", "type": ":float", "required": True}]
    assert two["references"] == []


def test_what_is_wrong_is_said(run, rows):
    rows(
        "{:name :a :parent :add :args {:nums [1 :b]}}\n"
        "{:name :b :parent :str :args {:parts []}}"
    )
    result = run("show", "a", "--types")
    assert result.code == 0
    assert result.out.splitlines()[-2] == "└─ not run, because"
    assert result.out.endswith("  rows.edn:1\n")


def test_private_rows_may_be_looked_at(run, rows):
    rows(ROWS)
    assert run("show", "_two", "--types").out == ":_two → :int  rows.edn:5\n"


def test_an_unknown_row(run):
    assert run("show", "mapp", "--types").code == 1
