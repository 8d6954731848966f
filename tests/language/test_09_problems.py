"""LANGUAGE 9: what refuses a load, what refuses a run, what fails; every code, once."""

from __future__ import annotations

import pytest

from graphden import Graph, GraphError, RunError
from tests.language.saying import Fails, fails, graph, report, value
from tests.read.reports import problems_of

ONE = "{:name :one :parent :const :args {:value 1}}"
FEW = "{:name :few :refine {:base :int :constraint [:< 10]}}"

STRUCTURAL = {
    "unknown-row": ("{:name :r :parent :ad}", ":ad"),
    "unknown-slot": ("{:name :r :parent :mod :args {:dividnd 1}}", ":dividnd"),
    "unknown-type": ("{:name :r :list :itn}", ":itn"),
    "unknown-key": ("{:name :r :parent :const :arg {}}", ":arg"),
    "bad-row": ("{:name 5 :parent :const}", "5"),
    "bad-constraint": ("{:name :r :refine {:base :int :constraint [:odd]}}", "[:odd]"),
    "duplicate-row": (ONE + "{:name :one :parent :add}", ":one"),
    "ambiguous-name": (
        "{:namespace :a}" + ONE + "{:namespace :b}" + ONE + "{:namespace :c}"
        "{:name :r :parent :one}",
        ":one",
    ),
    "private-row": (
        "{:namespace :a} {:name :_p :parent :add} {:namespace :b} {:name :r :parent :a/_p}",
        ":a/_p",
    ),
    "cycle": ("{:name :r :parent :r}", ":r"),
    "sealed-slot": (
        ONE + "{:name :a :parent :const :args {:value :one}}"
        "{:name :r :parent :a :args {:value 2}}",
        ":value",
    ),
    "list-closed": (
        "{:name :a :parent :list :args {:items {:append [1] :closed true}}}"
        "{:name :r :parent :a :args {:items [2]}}",
        "[2]",
    ),
    "name-collision": (
        "{:name :r :parent :mod :args {:dividend {:as :divisor}}}",
        ":divisor",
    ),
    "different-roots": ("{:name :r :parents [:add :mul]}", ":mul"),
    "parent-conflict": (
        ONE + "{:name :a :parent :const :args {:value :one}}"
        "{:name :b :parent :const :args {:value 2}} {:name :r :parents [:a :b]}",
        ":a :b",
    ),
    "ambiguous-lambda-params": ("{:name :r :parent :map :args {:func :mod :coll [1]}}", ":mod"),
    "invalid-lambda-params": ("{:name :r :parent :mod :lambda-params [:by]}", ":by"),
    "syntax": ("{:name :r :parent :const :args {:value 1/2}}", "1/2"),
}
DIAGNOSTICS = {
    "type-mismatch": ('{:name :r :parent :neg :args {:number "1"}}', '"1"'),
    "not-callable": ("{:name :r :parent :map :args {:func 1 :coll [1]}}", "1"),
    "refinement-violated": (FEW + "{:name :r :parent :few :args {:value 10}}", "10"),
    "not-narrower": (
        "{:name :r :parent :range :args {:end 1 :start {:type :text}}}",
        "{:type :text}",
    ),
    "argument-conflict": (
        "{:name :a :parent :const :args {:value 1}} {:name :b :parent :const :args {:value 2}}"
        "{:name :r :parents [:a :b]}",
        ":a :b",
    ),
    "missing-field": (
        "{:name :line :type {:sku :text :qty :int}}"
        "{:name :takes :parent :const :args {:value {:type :line}}}"
        '{:name :r :parent :takes :args {:value {:sku "t"}}}',
        '{:sku "t"}',
    ),
    "effect-not-allowed": ("{:name :r :parent :uuid :expects-effects #{:io}}", None),
    "secret-flow": (
        '{:name :k :parent :const :args {:value {:as :k :type [:secret :text] :value "x"}}}'
        "{:name :r :parent :str :args {:parts [:k]}}",
        ":k",
    ),
}


@pytest.mark.parametrize("code", STRUCTURAL)
def test_9_1_a_structural_problem_refuses_the_load(code):
    text, place = STRUCTURAL[code]
    with pytest.raises(GraphError) as caught:
        Graph.parse(text + "{:name :sound :parent :const :args {:value 1}}")
    [problem] = caught.value.problems
    assert (problem.code, problem.structural) == (code, True)
    assert [each[2] for each in report(text)] == [place]
    assert problem.hint


@pytest.mark.parametrize("code", DIAGNOSTICS)
def test_9_1_a_diagnostic_refuses_the_run_of_what_reaches_it(code):
    text, place = DIAGNOSTICS[code]
    text += (
        "{:name :sound :parent :const :args {:value 1}}"
        "{:name :child :parent :r}"
        "{:name :uses :parent :if :args {:test true :then 1 :else :r}}"
        "{:name :calls :parent :call-noargs :args {:func :r}}"
    )
    [problem] = [each for each in graph(text).diagnostics if each.row == "r"]
    assert (problem.code, problem.structural) == (code, False)
    assert [each[2] for each in report(text) if each[1] == "r"] == [
        place or text.split("}{")[0] + "}"
    ]
    assert value(text, "sound") == 1
    for row in ("r", "uses", "calls"):
        error = refusal(text, row)
        assert error.code == "row-has-diagnostics"
        assert problem.message in error.message


def refusal(text: str, row: str) -> RunError:
    with pytest.raises(RunError) as caught:
        graph(text).run(row)
    return caught.value


@pytest.mark.parametrize(
    ("text", "given", "code"),
    [
        ("{:name :r :parent :neg}", {}, "missing-argument"),
        ("{:name :r :parent :neg}", {"number": 1, "nmber": 1}, "unknown-argument"),
        ("{:name :r :parent :neg}", {"number": "1"}, "argument-type"),
        (
            "{:name :r :parent :few :args {:value {:as :x :type :any}}}" + FEW,
            {"x": 10},
            "contract-violation",
        ),
        ("{:name :r :parent :quot :args {:dividend 1 :divisor 0}}", {}, "division-by-zero"),
        ("{:name :r :parent :mod :args {:dividend 1 :divisor 0}}", {}, "division-by-zero"),
        ("{:name :r :parent :div :args {:nums [1 0]}}", {}, "division-by-zero"),
        ("{:name :r :parent :sub :args {:nums []}}", {}, "invalid-argument"),
        ('{:name :r :parent :parse-json :args {:string "{"}}', {}, "malformed-json"),
        ("{:name :r :parent :assert :args {:value nil}}", {}, "assertion-failed"),
        ("{:name :r :parent :throw :args {:exception 1}}", {}, "thrown"),
    ],
)
def test_9_3_codes_of_a_run(text, given, code):
    error = fails(text, **given)
    assert error.code == code
    assert error.row == "r"
    assert error.message


TRAIL = """{:name :inner :parent :div
 :args {:nums [1 {:as :n}]}}
{:name :middle :parent :list :args {:items [1 :inner]}}
{:name :outer
 :parent :identity
 :args {:value :middle :n 0}}
{:name :each :parent :map :args {:func :inner :coll [0]}}
{:name :inline :parent :list :args {:items [
  {:parent :div :args {:nums [1 0]}}]}}
"""


@pytest.mark.parametrize(
    ("row", "where", "place", "trail"),
    [
        ("outer", "inner", "rows.edn:1:1", ["inner", "middle", "outer"]),
        ("each", "inner", "rows.edn:1:1", ["inner", "each"]),
        ("inline", "inline", "rows.edn:9:12", ["inline"]),
    ],
)
def test_9_2_a_failure_names_its_row_its_place_and_the_way_there(row, where, place, trail):
    error = fails(TRAIL, row)
    assert (error.code, error.row, str(error.span)) == ("division-by-zero", where, place)
    assert {frame.row for frame in error.trail} | {error.row} == set(trail)


def test_9_2_the_python_cause_stays_attached():
    text = "{:name :r :parent :map :args {:coll [1]}}"

    def broken(item):
        raise LookupError("no such thing")

    error = fails(text, func=broken)
    assert (error.code, type(error.__cause__)) == ("base-function-error", LookupError)
    assert "no such thing" in error.message


def test_9_1_all_structural_problems_are_reported_together_in_the_order_of_the_text():
    texts = [text for code, (text, _) in STRUCTURAL.items() if code in {
        "unknown-row", "unknown-slot", "unknown-type", "unknown-key", "bad-constraint",
        "invalid-lambda-params", "different-roots", "cycle", "ambiguous-lambda-params",
    }]  # fmt: skip
    together = "\n".join(
        text.replace(":name :r ", f":name :r{n} ").replace(":parent :r}", f":parent :r{n}}}")
        for n, text in enumerate(texts)
    )
    found = problems_of(together)
    assert [(each.row, each.span.line) for each in found] == [
        (f"r{n}", n + 1) for n in range(len(texts))
    ]


def test_9_1_diagnostics_are_reported_beside_structural_problems():
    text = "{:name :a :parent :ad}" + '\n{:name :b :parent :neg :args {:number "1"}}'
    assert [each[:2] for each in report(text)] == [("unknown-row", "a"), ("type-mismatch", "b")]


def test_9_3_what_a_run_asks_for_that_is_not_there():
    assert value(ONE, "on") == Fails("unknown-row")
    assert ":one" in fails(ONE, "on").hint
