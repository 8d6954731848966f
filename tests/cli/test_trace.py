"""`graphden run --trace`: the rows of a run inside each other."""

from __future__ import annotations

import io
import re
import sys

import pytest

from graphden.cli.output import Style
from graphden.cli.traces import DEEPEST, LONGEST, MOST, drawn, duration

ROWS = """\
{:name :scaled     :parent :mul :args {:nums [{:as :item} {:as :factor}]}}
{:name :scale-each :parent :map :args {:func :scaled}}
{:name :total      :parent :add :args {:nums :scale-each}}
{:name :with-tax   :parent :total :args {:factor {:parent :add :args {:nums [1 0.25]}}}}
{:name :share      :parent :div :args {:nums [:total {:as :people}]}}
"""


def shape(text: str) -> list[str]:
    """The lines of a tree without the trace's id, and without times."""
    text = re.sub(r"[0-9a-f]{32}", "ID", text)
    return [
        re.sub(r" +[\d.,]+ (ns|µs|ms|s)(?=  |$)", " TIME", line) for line in text.splitlines()
    ]


def span(number: int, parent: int | None, row: str, **more: object) -> dict[str, object]:
    """A span as `Trace.data` has it."""
    at = {"file": "rows.edn", "line": 1, "column": 1}
    ids = {"id": f"{number:016x}", "parent": None if parent is None else f"{parent:016x}"}
    times = {"start_ns": number * 1000, "end_ns": number * 1000 + 500}
    told = {"inline": False, "function": "core.logic/const", "thread": 1, "error": None}
    return {**ids, "row": row, **at, **times, **told, "value": None, **more}


def lines(*spans: dict[str, object], dropped: int = 0) -> list[str]:
    data = {"id": "ID", "spans": list(spans), "dropped": dropped, "rows": []}
    return drawn(data, Style(sys.stderr))


def test_the_tree_goes_to_standard_error(run, rows):
    rows(ROWS)
    result = run("run", "with-tax", "--arg", "coll=[1, 2]", "--trace")
    assert (result.code, result.out) == (0, "3.75\n")
    assert shape(result.err) == [
        "trace ID: 5 spans",
        "└─ :with-tax TIME  rows.edn:4:1",
        "   └─ :scale-each TIME  rows.edn:2:1",
        "      ├─ :scaled TIME  rows.edn:1:1",
        "      │  └─ :with-tax › add TIME  rows.edn:4:59",
        "      └─ :scaled TIME  rows.edn:1:1",
    ]


def test_values_are_shown_on_request(run, rows):
    rows(ROWS)
    result = run("run", "with-tax", "--arg", "coll=[1, 2]", "--trace", "--values")
    shown = [line.rpartition("  ")[2] for line in result.err.splitlines()[1:]]
    assert shown == ["3.75", "[1.25 2.5]", "1.25", "1.25", "2.5"]


def test_secrets_are_not_shown(run, rows):
    """LANGUAGE 8.7"""
    rows("{:name :kept :parent :identity :args {:value {:as :key :type [:secret :text]}}}")
    for more in ([], ["--json"]):
        words = ["run", "kept", "--arg", 'key="correct-horse"', "--trace", "--values", *more]
        result = run(*words)
        assert result.code == 0
        assert "‹secret›" in result.out
        assert "correct-horse" not in result.out + result.err


def test_the_trace_is_part_of_the_json(run, rows):
    rows(ROWS)
    words = ["run", "with-tax", "--arg", "coll=[1, 2]", "--trace", "--values", "--json"]
    result = run(*words)
    assert result.err == ""
    answer = result.json
    assert answer["value"] == 3.75
    trace = answer["trace"]
    assert len(trace["id"]) == 32
    assert trace["dropped"] == 0
    names = {each["id"]: each["row"] for each in trace["spans"]}
    told = [(e["row"], names.get(e["parent"]), e["line"], e["value"]) for e in trace["spans"]]
    assert told == [
        ("with-tax", None, 4, "3.75"),
        ("scale-each", "with-tax", 2, "[1.25 2.5]"),
        ("scaled", "scale-each", 1, "1.25"),
        ("with-tax", "scaled", 4, "1.25"),
        ("scaled", "scale-each", 1, "2.5"),
    ]
    calls = {(each["row"], each["inline"]): each["calls"] for each in trace["rows"]}
    assert calls["scaled", False] == 2


def test_a_run_that_fails_shows_how_far_it_came(run, rows):
    rows(ROWS)
    words = ["run", "share", "--args", '{"coll": [1], "factor": 1, "people": 0}', "--trace"]
    result = run(*words)
    assert result.code == 1
    told = shape(result.err)
    assert told[:4] == [
        "trace ID: 4 spans",
        "└─ :share TIME  rows.edn:5:1  division-by-zero",
        "   └─ :total TIME  rows.edn:3:1",
        "      └─ :scale-each TIME  rows.edn:2:1",
    ]
    assert "[division-by-zero]" in told[5]
    answer = run(*words, "--json")
    assert (answer.code, answer.err) == (1, "")
    assert answer.json["error"]["code"] == "division-by-zero"
    assert [each["error"] for each in answer.json["trace"]["spans"]] == [
        "division-by-zero",
        None,
        None,
        None,
    ]


def test_values_need_a_trace(run):
    result = run("run", "add", "--arg", "nums=[1]", "--values")
    assert result.code == 2
    assert "Add --trace." in result.err


def test_a_long_tree_shows_the_calls_of_a_row_as_one(run, rows):
    rows(ROWS)
    numbers = f"coll={list(range(1000))}"
    result = run("run", "with-tax", "--arg", numbers, "--trace")
    assert shape(result.err)[1:] == [
        "└─ :with-tax TIME  rows.edn:4:1",
        "   └─ :scale-each TIME  rows.edn:2:1",
        "      └─ :scaled ×1,000 TIME  rows.edn:1:1",
        "         └─ :with-tax › add TIME  rows.edn:4:59",
    ]


def test_spans_that_came_too_late_are_counted(run, rows):
    rows(ROWS)
    result = run("run", "with-tax", "--arg", f"coll={list(range(20_000))}", "--trace")
    told = shape(result.err)
    assert told[0] == "trace ID: 20,003 spans, of which the first 10,000 are shown"
    assert told[3] == "      └─ :scaled ×9,997 TIME  rows.edn:1:1"


def test_the_times_of_calls_shown_as_one_are_added():
    spans = [span(0, None, "outer"), *(span(n, 0, "inner") for n in range(1, 101))]
    assert lines(*spans)[1:] == [
        "└─ :outer            500 ns  rows.edn:1:1",
        "   └─ :inner ×100     50 µs  rows.edn:1:1",
    ]


def test_calls_that_failed_stand_apart():
    spans = [span(0, None, "outer"), *(span(n, 0, "inner") for n in range(1, 100))]
    spans.append(span(100, 0, "inner", error="thrown"))
    told = lines(*spans)[2:]
    assert [line.split()[1:3] for line in told] == [[":inner", "×99"], [":inner", "500"]]
    assert told[1].endswith("thrown")


def test_a_long_recursion_is_shown_as_one_level(run, rows):
    rows("""
        {:name :less-1 :parent :sub :args {:nums [{:as :input :type :int} 1]}}
        {:name :less-2 :parent :sub :args {:nums [{:as :input :type :int} 2]}}
        {:name :left  :parent :call :args {:func {:as :self :type [:fn {:input :int} :int]}
                                           :arg :less-1}}
        {:name :right :parent :call :args {:func {:as :self :type [:fn {:input :int} :int]}
                                           :arg :less-2}}
        {:name :small :parent :lt :args {:nums [{:as :input :type :int} 2]}}
        {:name :both  :parent :add :args {:nums [:left :right]}}
        {:name :step  :parent :if :return-type :int
         :args {:test :small :then {:as :input :type :int} :else :both}}
        {:name :fib   :parent :fix :args {:step :step :input 10}}
    """)
    lines = shape(run("run", "fib", "--trace").err)
    assert [line.partition(" TIME")[0] for line in lines[1:]] == [
        "└─ :fib",
        "   └─ :step ×177",
        "      ├─ :small ×177",
        "      └─ :both ×88",
        "         ├─ :left ×88",
        "         │  └─ :less-1 ×88",
        "         └─ :right ×88",
        "            └─ :less-2 ×88",
    ]


def test_time_inside_of_the_same_row_counts_once():
    """The outermost of a recursion lasts as long as all of it."""
    spans = [span(0, None, "a", start_ns=0, end_ns=1000)]
    spans += [span(n, n - 1, "ab"[n % 2], start_ns=n, end_ns=1000 - n) for n in range(1, 100)]
    assert lines(*spans)[1:] == [
        "└─ :a ×50         1 µs  rows.edn:1:1",
        "   └─ :b ×50    998 ns  rows.edn:1:1",
    ]


def test_of_a_long_value_the_beginning_is_shown():
    [_, line] = lines(span(0, None, "outer", value="x" * 200))
    assert line.endswith(f"  {'x' * LONGEST}…")


def test_what_lasts_has_no_time_yet():
    [_, line] = lines(span(0, None, "outer", end_ns=None))
    assert line.split() == ["└─", ":outer", "open", "rows.edn:1:1"]


def test_deep_and_long_trees_are_cut():
    deep = [span(0, None, "r"), *(span(n, n - 1, f"r{n}") for n in range(1, 1000))]
    told = lines(*deep)
    assert len(told) == 1 + DEEPEST
    assert f"({1000 - DEEPEST} more inside)" in told[-1]
    wide = [span(0, None, "outer"), *(span(n, 0, f"row-{n}") for n in range(1, 1000))]
    told = lines(*wide)
    assert len(told) == MOST + 1
    assert told[-1] == f"… and {1 + 1000 - MOST} lines more: see --json"


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "0 ns"),
        (999, "999 ns"),
        (1500, "1.5 µs"),
        (999_600, "1 ms"),
        (12_345_678, "12.3 ms"),
        (2e9, "2 s"),
        (5e12, "5,000 s"),
    ],
)
def test_a_duration_has_the_unit_that_fits(ns, text):
    assert duration(ns) == text


def test_colours_are_for_terminals(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    data = {"id": "ID", "spans": [span(0, None, "row", error="thrown")], "dropped": 0}
    assert drawn(data, Style(Terminal()))[-1].endswith("\x1b[1;31mthrown\x1b[0m")
    assert "\x1b" not in "".join(drawn(data, Style(io.StringIO())))
