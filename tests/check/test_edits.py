"""Checking after an edit: the same as from the start, and no more than the edit reaches."""

from __future__ import annotations

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from graphden import Graph, GraphError, RunError
from graphden.check import infer
from graphden.checked import Checked, check
from graphden.compile.spans import PLAIN

ORDERS = """
{:name :order-shape :type {:sku :text :qty :int}}
{:name :payload :parent :const :args {:value {:as :order :type :order-shape}}}
{:name :producer :parent :payload :args {:order {:value {:sku "tea" :qty 2}}}}
{:name :consumer :parent :add :args {:nums [:_quantity 1]}}
{:name :_quantity :parent :get
 :args {:coll {:as :order :type :order-shape} :key {:value :qty}}}
{:name :bystander :parent :add :args {:nums [1 2]}}
{:name :other-producer :parent :const
 :args {:value {:parent :assoc :args {:map {} :key {:value :sku} :value "tea"}}}}
"""


def rows_with_problems(checked: Checked) -> list[tuple[str, str]]:
    return sorted((problem.row, problem.code) for problem in checked.problems)


def resolved_again(checked: Checked) -> set[str]:
    written = checked.resolution.names.written
    return {row for row in checked.resolution.fresh if row in written}


def test_8_8_a_changed_type_row_shows_the_producer_and_consumer_that_do_not_fit_it():
    before = check({"orders.edn": ORDERS})
    assert before.problems == ()
    after = check({"orders.edn": ORDERS.replace(":qty :int", ":qty :text")}, before=before)
    assert rows_with_problems(after) == [
        ("consumer", "type-mismatch"),
        ("producer", "type-mismatch"),
    ]
    assert resolved_again(after) == {
        "user/order-shape",
        "user/payload",
        "user/producer",
        "user/consumer",
        "user/_quantity",
    }


def test_9_1_after_the_edit_what_does_not_fit_is_refused_and_the_rest_runs():
    graph = Graph.parse(ORDERS, file="orders.edn")
    after = graph.edited({"orders.edn": ORDERS.replace(":qty :int", ":qty :text")})
    for row in ("producer", "consumer"):
        with pytest.raises(RunError) as caught:
            after.run(row, {"order": {"sku": "tea", "qty": "2"}} if row == "consumer" else None)
        assert caught.value.code == "row-has-diagnostics"
    assert after.run("bystander") == 3
    assert graph.run("producer") == {"sku": "tea", "qty": 2}


POOL = {
    "number": [
        "{:name :number :parent :const :args {:value 1}}",
        '{:name :number :parent :const :args {:value "1"}}',
        "{:name :number :parent :add :args {:nums [1 {:as :more :type :int}]}}",
        "{:name :number :refine {:base :int :constraint [:> 0]}}",
        "{:name :number :parent :sum}",
    ],
    "sum": [
        "{:name :sum :parent :add :args {:nums [:number 1]}}",
        "{:name :sum :parent :add :args {:nums [:number :other/number]}}",
        "{:name :sum :parent :add :args {:nums [:number {:as :x :type :number}]}}",
        "{:name :sum :parent :number :args {:more :total}}",
        "{:name :sum :parent :str :args {:parts [:number {:parent :inc :args {:n :nr}}]}}",
    ],
    "total": [
        "{:name :total :parent :map :args {:coll [1 2] :func :sum}}",
        "{:name :total :parent :sum :expects-effects #{}}",
        "{:name :total :type {:a :number :b [:list :text]}}",
        "{:name :total :parent :sum :args {:x 5 :more 6}}",
        "{:name :total :parent :now :args {}}",
    ],
    "user": [
        "{:name :user :parent :get :args {:coll {:as :t :type :total} :key {:value :a}}}",
        "{:name :user :parent :total :args {:a 1 :b :sum}}",
        "{:name :user :parent :str :args {:parts [:total :sum]}}",
        "{:name :user :parent :is-a? :args {:value 1 :type {:value :number}}}",
        "{:name :user :union [:total :text]}",
    ],
    "_own": [
        "{:name :_own :parent :user}",
        "{:name :_own :parent :add :args {:nums [:_own 1]}}",
        "{:name :number :parent :const :args {:value 2}}",
        "{:name",
        "\n; a comment\n{:name :_own :parent :str :args {:parts [:user]}}",
    ],
}


@st.composite
def programs(draw: st.DrawFn) -> dict[str, str]:
    """Two files, of two namespaces, that use each other's rows; wrong in many ways."""
    files = {}
    for file, namespace in (("a.edn", "mine"), ("b.edn", "other")):
        if not draw(st.booleans() | st.just(True)):
            continue
        rows = [
            draw(st.sampled_from(variants))
            for variants in POOL.values()
            if draw(st.sampled_from([True, True, True, False]))
        ]
        files[file] = "\n".join([f"{{:namespace :{namespace}}}", *rows])
    return files


def shown(checked: Checked) -> object:
    """All that is known of a program's rows."""
    program = checked.program
    return (
        checked.problems,
        {row: (dict(r.interface), r.effects, r.slots) for row, r in program.resolved.items()},
        dict(program.types),
        {
            row: (typed.result, dict(typed.parameters), dict(typed.guards))
            for row in program.resolved
            if row not in checked.resolution.incomplete
            for typed in [checked.inference.row(row)]
        },
        checked.resolution.incomplete,
        checked.bodies.keys(),
    )


@given(st.lists(programs(), min_size=2, max_size=5))
def test_9_1_after_any_edits_all_is_known_that_would_be_from_the_start(versions):
    checked = None
    for texts in versions:
        note(texts)
        checked = check(texts, before=checked)
        assert shown(checked) == shown(check(texts))


@given(st.lists(programs(), min_size=2, max_size=4))
def test_10_after_any_edits_rows_give_what_they_would_from_the_start(versions):
    graph = Graph.parse("")
    files: dict[str, str] = {}
    for texts in versions:
        edit = {**dict.fromkeys(files), **texts}
        try:
            graph = graph.edited(edit)
        except GraphError:
            continue
        files = texts
        anew = Graph.parse("").edited(texts)
        for row in anew.rows:
            assert outcome(graph, row.id) == outcome(anew, row.id)


def outcome(graph: Graph, row: str) -> object:
    try:
        value = graph.run(row)
    except RunError as error:
        return error.code, error.message
    return value if row != "mine/total" else type(value)


def test_10_an_edit_shares_the_code_of_what_it_does_not_reach():
    graph = Graph.parse(ORDERS, file="orders.edn")
    graph.run("bystander")
    graph.run("producer")
    after = graph.edited({"orders.edn": ORDERS.replace('"tea" :qty', '"coffee" :qty')})
    assert after._compiled["user/bystander", PLAIN] is graph._compiled["user/bystander", PLAIN]
    assert after.run("producer") == {"sku": "coffee", "qty": 2}


@pytest.mark.parametrize("mark", ["\u2028", "\x0b", "\x85"])
def test_9_1_the_last_line_of_a_row_may_change_below_a_text_with_any_mark_in_it(mark):
    text = (
        '{:name :mark :parent :const :args {:value "one MARK two"}}\n'
        "{:name :last :parent :const\n :args {:value 1}}\n"
    ).replace("MARK", mark)
    graph = Graph.parse(text, file="rows.edn")
    edited = graph.edited({"rows.edn": text.replace(":value 1", ":value 2")})
    assert (graph.run("last"), edited.run("last")) == (1, 2)


def test_10_is_a_sees_the_types_as_they_are_now():
    text = "{:name :age :refine {:base :int :constraint [:>= 0]}}"
    asks = "{:name :ask :parent :is-a? :args {:value 17 :type {:value :age}}}"
    graph = Graph.parse(text, file="types.edn").edited({"asks.edn": asks})
    assert graph.run("ask") is True
    after = graph.edited({"types.edn": text.replace("[:>= 0]", "[:>= 18]")})
    assert after.run("ask") is False
    assert graph.run("ask") is True


def test_1_3_a_row_that_comes_nearer_is_meant_from_then_on():
    far = "{:namespace :far} {:name :rate :parent :const :args {:value 7}}"
    uses = "{:namespace :near} {:name :price :parent :add :args {:nums [:rate 1]}}"
    graph = Graph.parse("").edited({"far.edn": far, "uses.edn": uses})
    assert graph.run("price") == 8
    near = "{:namespace :near} {:name :rate :parent :const :args {:value 1}}"
    after = graph.edited({"near.edn": near})
    assert after.run("price") == 2
    assert after.edited({"near.edn": None}).run("price") == 8


def test_9_1_a_hint_names_a_row_that_has_come_since():
    before = check({"a.edn": "{:name :price :parent :add :args {:nums [:raet 1]}}"})
    assert [problem.hint for problem in before.problems] != []
    assert "Did you mean :rate?" not in before.problems[0].hint
    texts = {name: file.text for name, file in before.files.items()}
    rate = "{:name :rate :parent :const :args {:value 1}}"
    after = check({**texts, "b.edn": rate}, before=before)
    assert "Did you mean :rate?" in after.problems[0].hint


def test_8_8_what_a_row_gives_for_a_type_is_found_anew_when_the_type_changes():
    types = "{:name :pot :type {:size :int}}"
    rows = """
    {:name :field :parent :get :args {:key {:value :size} :coll {:as :from}}}
    {:name :more :parent :add
     :args {:nums [:field 1] :from {:type :pot}}}
    """
    before = check({"types.edn": types, "rows.edn": rows})
    assert before.problems == ()
    texts = {"types.edn": types.replace(":int", ":text"), "rows.edn": rows}
    assert rows_with_problems(check(texts, before=before)) == [("more", "type-mismatch")]


def test_8_4_a_row_with_more_uses_than_are_analysed_is_known_after_edits_as_from_the_start(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(infer, "MOST", 8)

    def uses(numbers: range) -> str:
        args = "{:item {:value {:kN 1}}}"
        row = f"{{:name :use-N :parent :hand :args {args}}}"
        return "".join(row.replace("N", str(n)) for n in numbers)

    hand = """
    {:name :_hold :parent :const :args {:value {:as :item}}}
    {:name :hand :parent :list :args {:items [:_hold]}}
    """
    graphs = {"hand.edn": hand, "first.edn": uses(range(6)), "then.edn": uses(range(6, 12))}
    checked = check(graphs)
    assert checked.inference.gave_up
    for others in ("", uses(range(3)), uses(range(12, 18))):
        graphs["first.edn"] = others
        checked = check(graphs, before=checked)
        whole = check(graphs)
        assert checked.problems == whole.problems
        for row in whole.program.resolved:
            assert checked.inference.row(row) == whole.inference.row(row)
