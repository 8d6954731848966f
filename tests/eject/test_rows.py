"""Ejected rows of the reference, the demo and the packages: they are run beside their rows."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphden import Graph, GraphError, RunError, UsageError
from graphden.assets import folder
from graphden.edn import read
from tests.eject.ejecting import executed, public, reformatted, run_ejected
from tests.oracle.probe import Outcome, observe
from tests.oracle.test_compiled_equals_oracle import shown
from tests.reference.blocks import Block, Claim, blocks_of, claims_of

REFERENCE = folder("lessons") / "reference"
DEMO = folder("lessons") / "demo" / "orders.edn"
GOLDEN = Path(__file__).with_name("ship_order.py.txt")


def _claims() -> list[tuple[Block, Claim]]:
    blocks = [
        block
        for page in sorted(REFERENCE.rglob("*.md"))
        for block in blocks_of(page)
        if block.language == "clojure"
    ]
    return [
        (block, claim)
        for block in blocks
        for claim in claims_of(block.text)
        if claim.kind in {"=>", "fails:"}
    ]


def _pages() -> list[str]:
    return sorted({block.page for block, _ in _claims()})


def _run(graph: Graph, row: str, arguments: dict[str, Any]) -> Outcome:
    return observe(lambda context: graph.run(row, arguments, context=context))


@pytest.mark.parametrize("page", _pages())
def test_every_row_of_the_reference_gives_the_same_when_it_is_ejected(page: str) -> None:
    for block, claim in (each for each in _claims() if each[0].page == page):
        try:
            graph = Graph.parse(block.text, file=str(block))
        except GraphError:
            continue
        row = next((each.id for each in graph.rows if each.name == claim.row), claim.row)
        [form] = read(claim.arguments or "{}", "arguments")
        arguments: Any = form.value
        found = _run(graph, row, arguments)
        if found.error is not None and found.error.code in {
            "missing-argument",
            "unknown-argument",
            "row-has-diagnostics",
            "private-row",
        }:
            continue  # what Python itself says of a call, and what is not ejected
        if graph.resolved(row).effects & {"random", "time"} and found.error is None:
            assert run_ejected(graph, row, arguments).error is None
            continue
        assert shown(run_ejected(graph, row, arguments)) == shown(found), f"{block} {claim}"


def test_every_public_row_of_every_package_is_ejected_and_formatted() -> None:
    graph = Graph.parse("")
    rows = [r for r in graph.program.rows.values() if not r.inline and not r.private]
    assert len(rows) > 150
    for row in rows:
        text = graph.eject(row.id)
        assert callable(public(text)), row.id
    assert reformatted(graph.eject("queue-consumer")) == graph.eject("queue-consumer")


def test_a_row_of_the_demo_is_ejected_as_people_write() -> None:
    graph = Graph.parse(DEMO.read_text("utf-8"), file="orders.edn")
    text = graph.eject("ship-order")
    assert text == GOLDEN.read_text(encoding="utf-8")
    assert reformatted(text) == text


def test_a_message_is_handled_as_the_row_does_it() -> None:
    graph = Graph.load(DEMO)
    for payload in ({"sku": "tea", "qty": 2}, {"sku": "cocoa", "qty": 1}):
        arguments = {"message": {"payload": payload}}
        assert shown(run_ejected(graph, "ship-order", arguments)) == shown(
            _run(graph, "ship-order", arguments)
        )


TOTAL = """
{:namespace :shop}
{:name :line :type {:sku :text :qty {:type :positive-int :required false}}}
{:name :total :description "What the lines come to."
 :parent :reduce
 :args {:init 0 :coll {:as :lines :type [:list :line] :value [{:sku "tea"}]}
        :func {:parent :add :lambda-params [:pair]
               :args {:nums [{:parent :first :args {:coll {:as :pair}}}
                             {:parent :mul :args {:nums [{:parent :const :args {:value 3}}
                                                         {:as :price :value 2}]}}]}}}}
{:name :by-hash :parent :const :args {:value #{:a "b" 3 4.5 "c" "d" :e}}}
"""


@pytest.mark.parametrize("row", ["total", "by-hash"])
def test_a_second_process_runs_the_file_and_writes_the_same_bytes(
    row: str, tmp_path: Path
) -> None:
    (tmp_path / "shop.edn").write_text(TOTAL, encoding="utf-8")
    texts = []
    for seed in ("0", "1"):
        subprocess.run(
            [sys.executable, "-m", "graphden", "eject", row, "shop.edn", "-o", "made.py"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        texts.append((tmp_path / "made.py").read_bytes())
    assert texts[0] == texts[1]
    (tmp_path / "shop.edn").unlink()
    done = subprocess.run(
        [sys.executable, "-W", "error", "made.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    graph = Graph.parse(TOTAL)
    [printed] = read(done.stdout, "printed")
    assert printed.value == graph.run(row)


def test_defaults_and_types_are_those_of_the_function() -> None:
    text = Graph.parse(TOTAL, file="shop.edn").eject("total")
    total = executed(text)["total"]
    assert total() == 6
    assert total(lines=[{"sku": "tea"}, {"sku": "salt", "qty": 2}], price=5) == 30
    [definition] = (
        each
        for each in ast.parse(text).body
        if isinstance(each, ast.FunctionDef) and each.name == "total"
    )
    assert ast.unparse(definition.args).startswith("*, lines: list[dict[str, Any]]")
    assert "price: Any=2" in ast.unparse(definition.args)
    assert "What the lines come to." in (ast.get_docstring(definition) or "")


def test_arguments_are_checked_with_the_codes_of_a_run() -> None:
    total = executed(Graph.parse(TOTAL).eject("total"))["total"]
    with pytest.raises(RunError) as raised:
        total(lines=[{"sku": "tea", "qty": 0}])
    assert raised.value.code == "argument-type"
    assert ":lines" in raised.value.message


NAMES = """
{:name :class  :parent :str :args {:parts [{:as :from} {:as :context} {:as :a-b} {:as :a_b}
                                          {:as :+} {:as :list} {:as :MISSING} {:as :ROW}]}}
{:name :write  :parent :str :args {:parts ["write"]}}
{:name :TYPES  :parent :str :args {:parts ["types"]}}
{:name :->     :parent :str :args {:parts ["arrow"]}}
{:name :str_   :parent :str :args {:parts [:write {:as :_} {:as :__}]}}
"""


def test_names_that_mean_something_in_python_are_other_ones() -> None:
    graph = Graph.parse(NAMES)
    given = {"from": 1, "context": 2, "a-b": 3, "a_b": 4, "+": 5, "list": 6}
    for row, arguments in (
        ("class", {**given, "MISSING": 7, "ROW": 8}),
        ("write", {}),
        ("TYPES", {}),
        ("->", {}),
        ("str_", {"_": 1, "__": 2}),
    ):
        assert shown(run_ejected(graph, row, arguments)) == shown(_run(graph, row, arguments))


ASKED = """
{:namespace :shop}
{:name :even :refine {:base :int :constraint [:in [2 4]]}}
{:name :pair :tuple [:shop/even :text]}
{:name :is-pair :parent :is-a? :args {:value {:as :value} :type :pair}}
{:name :is-what :parent :is-a? :args {:value {:as :value} :type {:as :type}}}
{:name :as-pair :parent :pair :args {:value {:as :value :type :any}}}
"""


@pytest.mark.parametrize(
    ("row", "arguments"),
    [
        ("is-pair", {"value": [2, "two"]}),
        ("is-pair", {"value": [3, "three"]}),
        ("is-what", {"value": 4, "type": "shop/even"}),
        ("is-what", {"value": 4, "type": "positive-int"}),
        ("is-what", {"value": 4, "type": "nothing-of-that-name"}),
        ("as-pair", {"value": [2, "two"]}),
        ("as-pair", {"value": [2, 2]}),
    ],
)
def test_type_rows_are_asked_and_made_as_they_are_in_rows(
    row: str, arguments: dict[str, object]
) -> None:
    graph = Graph.parse(ASKED.replace(":type :pair", ":type {:value :pair}"))
    assert shown(run_ejected(graph, row, arguments)) == shown(_run(graph, row, arguments))


SECRETS = """
{:name :sign       :parent :identity :args {:value {:as :key :type [:secret :text]}}}
{:name :signed     :parent :sign :args {:key "xyzzy-plugh"}}
{:name :login      :type {:user :text :password [:secret :text]}}
{:name :logged-in  :parent :identity :args {:value {:as :login :type :login}}}
{:name :from-data  :parent :identity
 :args {:value {:parent :login :args {:user "ada" :password {:as :password}}}}}
{:name :refused    :parent :identity
 :args {:value {:parent :parse-json :args {:string {:as :text}}} } :return-type :login}
"""


def test_a_secret_that_a_row_writes_is_not_written_again() -> None:
    graph = Graph.parse(SECRETS)
    assert graph.diagnostics == ()
    with pytest.raises(UsageError) as refused:
        graph.eject("signed")
    assert refused.value.code == "secret-literal"
    assert "xyzzy" not in str(refused.value)


@pytest.mark.parametrize(
    ("row", "arguments"),
    [
        ("sign", {"key": "open sesame"}),
        ("sign", {"key": 1234567}),
        ("logged-in", {"login": {"user": "ada", "password": "open sesame"}}),
        ("logged-in", {"login": {"user": 5, "password": "open sesame"}}),
        ("from-data", {"password": "open sesame"}),
        ("refused", {"text": '{"user": 5, "password": "open sesame"}'}),
        ("refused", {"text": '{"user": "ada", "password": "open sesame"}'}),
    ],
)
def test_secrets_stay_inside_of_what_is_ejected(row: str, arguments: dict[str, Any]) -> None:
    graph = Graph.parse(SECRETS)
    found = run_ejected(graph, row, arguments)
    assert shown(found) == shown(_run(graph, row, arguments))
    assert "sesame" not in f"{found.value} {found.error}"


def test_a_deadline_ends_what_waits() -> None:
    text = Graph.parse("{:name :pause :parent :sleep :args {:ms 60000}}").eject("pause")
    names = executed(text)
    context = names["Context"]()
    context.set_deadline(1)
    try:
        with pytest.raises(RunError) as raised:
            names["pause"](context=context)
    finally:
        context.close()
    assert raised.value.code == "deadline-exceeded"


DIGITS = "9" * 10_000
DEEP = """
{:name :_input :parent :identity :args {:value {:as :input :type :int}}}
{:name :_less  :parent :sub :args {:nums [:_input 1]}}
{:name :_again :parent :call :args {:func {:as :self} :arg :_less}}
{:name :_ended :parent :eq :args {:values [:_input 0]}}
{:name :_step  :parent :if :args {:test :_ended :then "done" :else :_again}}
{:name :down   :parent :fix :args {:step :_step :input 1000}}
"""


def test_ten_thousand_digits_and_deep_calls_are_written() -> None:
    graph = Graph.parse(f"{DEEP} {{:name :many :parent :const :args {{:value {DIGITS}}}}}")
    assert run_ejected(graph, "many", {}).value == 10**10_000 - 1
    assert run_ejected(graph, "down", {}).value == "done"
