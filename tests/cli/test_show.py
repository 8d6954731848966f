"""`graphden show`: what a row is made of."""

from __future__ import annotations

import pytest

ROWS = """\
{:name :twice :parent :mul
 :description "Two times something."
 :args {:nums [{:as :item} 2]}}
{:name :twice-each :parent :map :args {:func :twice}}
{:name :some-twice :parent :twice-each :args {:coll [1 {:as :second :value 5}]}}
"""


def test_a_row_as_a_tree(run, rows):
    rows(ROWS)
    result = run("show", "some-twice")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        ":some-twice  rows.edn:5\n"
        "├─ parents\n"
        "│  └─ :twice-each  rows.edn:4\n"
        "│     └─ :map  base function  stdlib_graphs/hof.edn:4\n"
        "├─ slots of :map\n"
        "│  ├─ :func [:fn {:item :any} :any] = :twice  bound by :twice-each  rows.edn:4\n"
        "│  └─ :coll [:list :any] = [1 {:as :second :value 5}]  "
        "bound by :some-twice  rows.edn:5\n"
        "├─ open: its arguments\n"
        "│  └─ :second :any  default 5\n"
        "│     └─ for :coll of :some-twice  rows.edn:5\n"
        "├─ result [:list :numeric]\n"
        "└─ effects none\n"
    )


def test_a_row_as_json(run, rows):
    rows(ROWS)
    shown = run("show", "twice-each", "--json").json
    assert {key: shown[key] for key in ("row", "id", "kind", "file", "line", "column")} == {
        "row": "twice-each",
        "id": "user/twice-each",
        "kind": "function",
        "file": "rows.edn",
        "line": 4,
        "column": 1,
    }
    assert [parent["row"] for parent in shown["parents"]] == ["map"]
    func, coll = shown["slots"]
    assert (func["name"], func["bound"], func["value"], func["by"], func["line"]) == (
        "func",
        True,
        ":twice",
        "twice-each",
        4,
    )
    assert (coll["name"], coll["bound"], coll["required"]) == ("coll", False, True)
    assert [(a["name"], a["type"], a["required"]) for a in shown["arguments"]] == [
        ("coll", "[:list :any]", True)
    ]
    assert (shown["effects"], shown["diagnostics"]) == ([], [])


def test_bindings_for_references_say_who_bound_them(run, rows):
    rows('{:name :w :parent :pg-queue-consumer :args {:queue "q" :handler :h}}\n'
         '{:name :h :parent :const :args {:value 1}}')  # fmt: skip
    fed = {each["name"]: each for each in run("show", "w", "--json").json["fed"]}
    assert (fed["queue"]["value"], fed["queue"]["by"], fed["queue"]["line"]) == ('"q"', "w", 1)
    assert (fed["handler"]["value"], fed["handler"]["type"]) == (
        ":h",
        ":queue-handler-function",
    )
    assert (fed["ack"]["value"], fed["ack"]["by"]) == (":queue-ack", "pg-queue-consumer")
    assert run("show", "w", "--json").json["effects"] == ["db", "io", "process"]


def test_private_rows_may_be_looked_at(run):
    result = run("show", "_turn")
    assert result.code == 0
    assert result.out.startswith(":_turn  stdlib_graphs/queues.edn:")


def test_a_keyword_that_is_data_is_not_shown_as_a_reference(run, rows):
    rows("{:name :a :parent :const :args {:value {:value :b}}}")
    [slot] = run("show", "a", "--json").json["slots"]
    assert slot["value"] == "{:value :b}"


def test_a_renamed_slot_keeps_its_own_name_beside(run, rows):
    rows("{:name :shout :parent :str-upper :args {:string {:as :name}}}")
    [slot] = run("show", "shout", "--json").json["slots"]
    assert (slot["name"], slot["declared_as"]) == ("name", "string")


def test_a_type_row_shows_its_type(run, rows):
    rows("{:name :order :type {:sku :text :qty {:type :int :required false}}}")
    shown = run("show", "order", "--json").json
    assert (shown["kind"], shown["type"]) == (
        "type",
        "{:sku :text :qty {:type :int :required false}}",
    )


def test_type_variables_are_for_base_functions_which_declare_them(run, rows):
    rows("{:name :firsts :parent :map :args {:func :first}}")
    assert "a, b are any types, each the same wherever it stands" in run("show", "map").out
    assert "a is any type, the same" not in run("show", "parse-json").out
    shown = run("show", "firsts", "--json").json
    assert [slot["type"] for slot in shown["slots"]] == [
        "[:fn {:item :any} :any]",
        "[:list :any]",
    ]
    assert (shown["result"], shown["variables"]) == ("[:list :any]", [])
    shown = run("show", "map", "--json").json
    assert (shown["result"], shown["variables"]) == ("[:list b]", ["a", "b"])
    (types,) = run("show", "firsts", "--types", "--json").json["rows"][0]["arguments"]
    assert " a" not in types["type"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("orders.api.worker", "orders.api/worker"),
        ("worker.coll", "worker"),
        ("orders/worker", "orders.api/worker"),
        ("orders.api/wroker", "orders.api/worker"),
        ("wroker", "worker"),
        ("_hidden", None),
    ],
)
@pytest.mark.parametrize("command", ["show", "run", "explain"])
def test_what_a_name_was_probably_meant_to_be(run, rows, command, given, meant):
    rows(
        "{:namespace :orders.api} {:name :worker :parent :add}"
        "{:name :_hidden-worker :parent :add}"
    )
    error = run(command, given).err
    hint = "" if meant is None else f"\n  hint: Did you mean :{meant}?"
    assert error == f"error: there is no row :{given} [unknown-row]{hint}\n"


def test_an_unknown_row(run):
    result = run("show", "mapp")
    assert (result.code, result.out) == (1, "")
    assert "there is no row :mapp [unknown-row]" in result.err
