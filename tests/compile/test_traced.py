"""The traced variant: every row that is evaluated has its span, and nothing else changes."""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from uuid import UUID

import pytest

from graphden import Graph, RunError, Trace
from graphden.compile import emit, plan
from graphden.compile.spans import CHECKED, PLAIN
from graphden.run import Context, timing, tracing
from graphden.run.tracing import TraceSpan

PATIENCE = 20.0
"""Seconds until what a test waits for counts as never happening."""


def traced(text: str, entry: str = "entry", /, **arguments: object) -> Trace:
    """The trace of a run, with values, however it ends."""
    trace = Trace(values=True)
    graph = Graph.parse(text, file="rows.edn")
    assert graph.diagnostics == ()
    with suppress(RunError):
        graph.run(entry, arguments, trace=trace)
    return trace


def tree(trace: Trace, show: Callable[[TraceSpan], object] = lambda _: "") -> str:
    """The spans, each under its parent: the row, or an inline one as `row:function`."""
    below: dict[TraceSpan | None, list[TraceSpan]] = {}
    for span in trace.spans:
        below.setdefault(span.parent, []).append(span)

    def lines(parent: TraceSpan | None, depth: int) -> list[str]:
        found = []
        for span in below.get(parent, []):
            inline = f":{span.function.rpartition('/')[2]}" if span.inline else ""
            shown = f"{span.row}{inline} {show(span)}".rstrip()
            found += [f"{'  ' * depth}{shown}", *lines(span, depth + 1)]
        return found

    return "\n".join(lines(None, 0))


def error(span: TraceSpan) -> str:
    return span.error or ""


def value(span: TraceSpan) -> str:
    return span.value or ""


def text(lines: str) -> str:
    """Lines as they stand below a test's margin."""
    return "\n".join(line[8:] for line in lines.strip("\n").rstrip().splitlines())


def test_what_a_row_needs_is_inside_of_its_span() -> None:
    trace = traced("""
        {:name :a :parent :add :args {:nums [1 2]}}
        {:name :b :parent :mul :args {:nums [:a 2]}}
        {:name :entry :parent :sub :args {:nums [:b 1]}}
    """)
    assert tree(trace, value) == text("""
        entry 5
          b 6
            a 3
    """)
    a = trace.spans[2]
    assert (a.row, a.function, str(a.place)) == ("a", "core.arithmetic/add", "rows.edn:2:9")


def test_an_inline_row_is_told_by_the_row_that_it_is_written_in() -> None:
    trace = traced("""
        {:name :a :parent :add :args {:nums [1 {:parent :mul :args {:nums [2 3]}}]}}
        {:name :entry :parent :identity :args {:value :a}}
    """)
    assert tree(trace, value) == text("""
        entry 7
          a 7
            a:mul 6
    """)
    assert str(trace.spans[2].place) == "rows.edn:2:57"


def test_a_shared_row_has_one_span_where_it_was_first_needed() -> None:
    """LANGUAGE 7.2"""
    trace = traced("""
        {:name :shared :parent :add :args {:nums [1 2]}}
        {:name :left :parent :neg :args {:number :shared}}
        {:name :right :parent :abs :args {:number :shared}}
        {:name :entry :parent :list :args {:items [:left :right]}}
    """)
    assert tree(trace) == text("""
        entry
          left
            shared
          right
    """)


def test_what_is_not_needed_has_no_span() -> None:
    """LANGUAGE 7.1"""
    trace = traced(
        """
        {:name :no :parent :throw :args {:exception "not needed"}}
        {:name :yes :parent :const :args {:value true}}
        {:name :chosen :parent :if :args {:test :yes :then {:parent :const :args {:value 1}}
                                          :else :no}}
        {:name :some :parent :coalesce :args {:value :chosen :default :no}}
        {:name :either :parent :or :args {:values [:yes :no]}}
        {:name :entry :parent :do :args {:steps [:some :either] :unread :no}}
    """.replace(" :unread :no", "")
    )
    assert tree(trace, value) == text("""
        entry true
          some 1
            chosen 1
              yes true
              chosen:const 1
          either true
    """)


@pytest.mark.parametrize(
    ("form", "calls"),
    [
        ("{:parent :map :args {:func :step :coll [1 2]}}", ["1", "2"]),
        ("{:parent :filter :args {:pred :step :coll [1 2]}}", ["1", "2"]),
        ("{:parent :for-each :args {:func :step :coll [1 2]}}", ["1", "2"]),
        ("{:parent :some :args {:pred :step :coll [1 2]}}", ["1"]),
        ("{:parent :sort-by :args {:key-fn :step :coll [2 1]}}", ["2", "1"]),
    ],
)
def test_each_call_of_a_callable_has_its_span(form: str, calls: list[str]) -> None:
    """In loops that are written out, and in those of a base function."""
    trace = traced(f"""
        {{:name :step :parent :identity :args {{:value {{:as :item}}}}}}
        {{:name :entry :parent :identity :args {{:value {form}}}}}
    """)
    [_, loop, *steps] = trace.spans
    assert [(span.row, span.value, span.parent) for span in steps] == [
        ("step", called, loop) for called in calls
    ]


def test_a_reduction_shows_its_steps() -> None:
    trace = traced("""
        {:name :acc :parent :get :args {:coll {:as :pair} :key 0}}
        {:name :item :parent :get :args {:coll {:as :pair} :key 1}}
        {:name :step :parent :add :args {:nums [:acc :item]}}
        {:name :entry :parent :reduce :args {:func :step :init 10 :coll [1 2]}}
    """)
    assert tree(trace, value) == text("""
        entry 13
          step 11
            acc 10
            item 1
          step 13
            acc 11
            item 2
    """)


def test_a_failure_ends_the_spans_that_it_goes_through() -> None:
    trace = traced("""
        {:name :zero :parent :sub :args {:nums [1 1]}}
        {:name :bad :parent :div :args {:nums [1 :zero]}}
        {:name :first :parent :const :args {:value 1}}
        {:name :entry :parent :list :args {:items [:first {:parent :map
                                                           :args {:func :bad :coll [1]}}]}}
    """)
    assert tree(trace, error) == text("""
        entry division-by-zero
          first
          entry:map division-by-zero
            bad division-by-zero
              zero
    """)
    assert all(span.ended_ns is not None for span in trace.spans)


@pytest.mark.parametrize("body", [":bad", "{:as :given :ref :bad}"])
def test_what_try_catches_ends_inside_of_it(body: str) -> None:
    """Written out in place, and as a callable that the base function calls."""
    trace = traced(f"""
        {{:name :bad :parent :throw :args {{:exception "no"}}}}
        {{:name :told :parent :throwable-message :args {{:ex {{:as :exception}}}}}}
        {{:name :safe :parent :try :args {{:body {body} :on-throw :told}}}}
        {{:name :entry :parent :list :args {{:items [:safe :safe]}}}}
    """)
    assert tree(trace, lambda span: f"{span.error} {span.value}") == text("""
        entry None ["no" "no"]
          safe None "no"
            bad thrown None
            told None "no"
    """)


def test_a_remembered_failure_has_no_second_span() -> None:
    """LANGUAGE 7.2: one that failed fails again with the same error."""
    trace = traced("""
        {:name :bad :parent :throw :args {:exception "no"}}
        {:name :uses :parent :pair :lambda-params [] :args {:left 1 :right {:as :x}}}
        {:name :nought :parent :const :args {:value 0}}
        {:name :safe :parent :try :args {:body :uses :on-throw :nought}}
        {:name :again :parent :try :args {:body :uses :on-throw :nought}}
        {:name :entry :parent :list :args {:items [:safe :again] :x :bad}}
    """)
    assert tree(trace, error) == text("""
        entry
          safe
            uses thrown
              bad thrown
            nought
          again
    """)


def test_an_error_has_the_same_place_and_trail() -> None:
    """LANGUAGE 9.2"""
    graph = Graph.parse("""
        {:name :bad :parent :div :args {:nums [1 {:as :item}]}}
        {:name :each :parent :map :args {:func :bad :coll [1 0]}}
        {:name :entry :parent :identity :args {:value :each}}
    """)
    errors = []
    for trace in (None, Trace()):
        with pytest.raises(RunError) as caught:
            graph.run("entry", trace=trace)
        errors.append(caught.value)
    plain, told = errors
    assert (told.code, told.row, told.span) == (plain.code, plain.row, plain.span)
    assert told.trail == plain.trail


def test_a_recursion_of_1000_calls_works_and_counts_once() -> None:
    """LANGUAGE 7.4"""
    trace = traced("""
        {:name :deeper :parent :call
         :args {:func {:as :self}
                :arg {:parent :sub :args {:nums [{:as :input :type :int} 1]}}}}
        {:name :step :parent :if
         :args {:test {:parent :lt :args {:nums [{:as :input :type :int} 1]}} :then 0
                :else {:parent :add :args {:nums [1 :deeper]}}}}
        {:name :entry :parent :fix :args {:step :step :input 1000}}
    """)
    assert trace.spans[0].value == "1000"
    steps = [
        span for span in trace.spans if span.row == "step" and span.function.endswith("/if")
    ]
    assert len(steps) == 1001
    assert steps[1000].parent is not None
    assert steps[1000].parent.row == "deeper"
    times = {each.row: each for each in trace.rows if not each.inline}
    assert times["step"].calls == 1001
    assert times["step"].total_ns <= times["entry"].total_ns  # each of its calls counts once


def test_a_recursion_that_is_too_deep_leaves_no_span_open() -> None:
    trace = traced("""
        {:name :deeper :parent :call
         :args {:func {:as :self}
                :arg {:parent :add :args {:nums [{:as :input :type :int} 1]}}}}
        {:name :step :parent :add :args {:nums [1 :deeper]}}
        {:name :entry :parent :fix :args {:step :step :input 1}}
    """)
    assert trace.spans[0].error == "recursion-depth"
    assert trace.here().mark() == 0


def test_spans_of_threads_are_inside_of_the_row_that_started_them() -> None:
    trace = traced(
        """
        {:name :leaf :parent :identity :args {:value {:as :item}}}
        {:name :note :parent :tick :args {:tag :leaf}}
        {:name :entry :parent :in-threads :args {:func :note :coll [0 1 2]}}
        """
    )
    entry = trace.spans[0]
    notes = [span for span in trace.spans if span.row == "note"]
    leaves = [span for span in trace.spans if span.row == "leaf"]
    assert [span.parent for span in notes] == [entry] * 3
    assert {span.parent for span in leaves} == set(notes)
    assert len({span.thread for span in trace.spans}) == 4
    assert all(span.parent.thread == span.thread for span in leaves)  # type: ignore[union-attr]


def test_a_callable_that_needs_nothing_is_inside_of_the_entry_in_a_thread_too() -> None:
    """It is made before any row is evaluated."""
    trace = traced("""
        {:name :note :parent :tick :args {:tag 1}}
        {:name :apart :parent :in-thread :args {:body :note}}
        {:name :entry :parent :map :args {:func :apart :coll [1 2]}}
    """)
    notes = [span for span in trace.spans if span.row == "note"]
    assert len(notes) == 2
    assert all(span.parent in trace.spans for span in notes)
    assert [span.row for span in trace.spans if span.parent is None] == ["entry"]


def test_a_cancel_ends_all_spans() -> None:
    """LANGUAGE 7.5"""
    context, trace = Context(), Trace()
    graph = Graph.parse("""
        {:name :work :parent :call :args {:func {:as :act} :arg {:as :item}}}
        {:name :safe :parent :try :args {:body {:parent :map :args {:func :work :coll [1 2]}}
                                         :on-throw {:parent :const :args {:value "caught"}}}}
        {:name :entry :parent :list :args {:items [:safe]}}
    """)
    with pytest.raises(RunError) as caught:
        graph.run("entry", {"act": lambda _: context.cancel()}, context=context, trace=trace)
    assert caught.value.code == "cancelled"
    assert tree(trace, error) == text("""
        entry cancelled
          safe cancelled
            safe:map cancelled
              work
    """)


def test_values_are_shown_without_secrets() -> None:
    """LANGUAGE 8.7: by their types, and wherever a text repeats one."""
    trace = traced(
        """
        {:name :login :type {:user :text :password [:secret :text]}}
        {:name :known :parent :identity :args {:value {:as :login :type :login}}}
        {:name :said :parent :const :args {:value {:as :text :type :text}}}
        {:name :entry :parent :if :args {:test :said :then :known :else :known}}
        """,
        login={"user": "ada", "password": "correct-horse"},
        text="she said correct-horse",
    )
    assert tree(trace, value) == text("""
        entry {"user" "ada" "password" "‹secret›"}
          said "she said ‹secret›"
          known {"user" "ada" "password" "‹secret›"}
    """)
    assert "correct-horse" not in str(trace.data())


def test_a_secret_is_not_shown_by_its_beginning_either() -> None:
    """A value is cut: of a secret that stands there, nothing is left."""
    secret = "s3cr3t-" * 10
    trace = traced(
        """
        {:name :word :parent :identity :args {:value {:as :word :type [:secret :text]}}}
        {:name :entry :parent :if :args {:test {:parent :const :args {:value {:as :said}}}
                                         :then :word}}
        """,
        word=secret,
        said=["x" * 180, secret],
    )
    assert "xxx" in str(trace.data())
    assert "s3c" not in str(trace.data())


def test_values_are_kept_on_request_only_and_cut() -> None:
    graph = Graph.parse("{:name :entry :parent :range :args {:end 1000}}")
    trace = Trace()
    graph.run("entry", trace=trace)
    assert trace.spans[0].value is None
    trace = Trace(values=True)
    graph.run("entry", trace=trace)
    shown = trace.spans[0].value
    assert shown is not None
    assert shown.startswith("[0 1 2 3 ")
    assert shown.endswith("…")
    assert len(shown) == 201


def test_a_value_that_cannot_be_shown_fails_no_run() -> None:
    class Changing(dict[str, int]):
        def items(self) -> object:  # type: ignore[override]
            raise RuntimeError("changed")

    graph = Graph.parse("{:name :entry :parent :identity :args {:value {:as :x}}}")
    trace = Trace(values=True)
    given = Changing(a=1)
    assert graph.run("entry", {"x": given}, trace=trace) is given
    assert trace.spans[0].value == "(not shown: RuntimeError)"


def test_a_trace_keeps_the_first_spans_and_sums_all() -> None:
    graph = Graph.parse("""
        {:name :step :parent :mul :args {:nums [{:as :item} 2]}}
        {:name :entry :parent :map :args {:func :step :coll {:parent :range :args {:end 100}}}}
    """)
    trace = Trace(limit=10)
    graph.run("entry", trace=trace)
    assert len(trace.spans) == 10
    assert trace.dropped == 92
    assert {(each.row, each.inline): each.calls for each in trace.rows} == {
        ("entry", False): 1,
        ("entry", True): 1,
        ("step", False): 100,
    }
    assert all(span.parent is None or span.parent in trace.spans for span in trace.spans)


def test_a_trace_has_the_id_of_its_run() -> None:
    graph = Graph.parse("{:name :entry :parent :const :args {:value 1}}")
    given = UUID(int=7)
    trace, context = Trace(), Context(trace_id=given)
    graph.run("entry", context=context, trace=trace)
    assert (trace.id, context.trace_id) == (given.hex, given)
    trace, context = Trace(), Context()
    graph.run("entry", context=context, trace=trace)
    assert context.trace_id is not None
    assert trace.id == context.trace_id.hex


def test_a_trace_is_plain_data() -> None:
    """Ids as OpenTelemetry has them: 16 bytes for the trace, 8 for a span."""
    trace = traced("""
        {:name :a :parent :const :args {:value 1}}
        {:name :entry :parent :neg :args {:number :a}}
    """)
    data = trace.data()
    outer, inner = data["spans"]
    assert len(bytes.fromhex(data["id"])) == 16
    assert len(bytes.fromhex(outer["id"])) == 8
    assert inner["parent"] == outer["id"] != inner["id"]
    assert outer["parent"] is None
    assert outer["start_ns"] <= inner["start_ns"] <= inner["end_ns"] <= outer["end_ns"]
    told = {key: inner[key] for key in ("row", "function", "file", "line", "column", "value")}
    assert told == {
        "row": "a",
        "function": "core.logic/const",
        "file": "rows.edn",
        "line": 2,
        "column": 9,
        "value": "1",
    }
    assert [(each["row"], each["calls"]) for each in data["rows"]] in (
        [("a", 1), ("entry", 1)],
        [("entry", 1), ("a", 1)],
    )


def test_the_time_of_a_row_is_its_own_and_with_what_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that only the rows move."""
    now = 0

    def pass_time(nanoseconds: int) -> int:
        nonlocal now
        now += nanoseconds
        return nanoseconds

    monkeypatch.setattr(tracing, "perf_counter_ns", lambda: now)
    trace = traced(
        """
        {:name :slow :parent :call :args {:func {:as :work} :arg {:as :item}}}
        {:name :each :parent :map :args {:func :slow :coll [5 7]}}
        {:name :entry :parent :call :args {:func {:as :work} :arg {:parent :reduce
            :args {:func {:parent :add :args {:nums {:as :pair}}} :init 0 :coll :each}}}}
        """,
        work=pass_time,
    )
    times = {
        (each.row, each.inline, each.function.rpartition("/")[2]): each for each in trace.rows
    }
    assert {key: (each.calls, each.own_ns, each.total_ns) for key, each in times.items()} == {
        ("slow", False, "call"): (2, 12, 12),
        ("each", False, "map"): (1, 0, 12),
        ("entry", True, "reduce"): (1, 0, 12),
        ("entry", True, "add"): (2, 0, 0),
        ("entry", False, "call"): (1, 12, 24),
    }
    assert trace.rows[0].own_ns == 12
    stacks = {tuple(site.row for site in sites): own for sites, own in trace.stacks()}
    assert stacks["entry", "entry", "each", "slow"] == 12


def test_stacks_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too much counts as if nothing had needed it: in its row, each call once."""
    monkeypatch.setattr(timing, "MOST", 4)
    trace = traced("""
        {:name :leaf :parent :tick :args {:tag 1}}
        {:name :a :parent :map :args {:func :leaf :coll [1 2]}}
        {:name :b :parent :map :args {:func :leaf :coll [1 2 3]}}
        {:name :c :parent :map :args {:func :leaf :coll [1]}}
        {:name :entry :parent :list :args {:items [:a :b :c]}}
    """)
    assert {each.row: each.calls for each in trace.rows} == {
        "leaf": 6,
        "a": 1,
        "b": 1,
        "c": 1,
        "entry": 1,
    }
    stacks = [tuple(site.row for site in sites) for sites, _ in trace.stacks()]
    assert sorted(stacks) == sorted(
        [("entry",), ("entry", "a"), ("entry", "a", "leaf"), ("entry", "b"), ("leaf",), ("c",)]
    )


def test_code_that_is_not_traced_knows_nothing_of_it() -> None:
    graph = Graph.parse("""
        {:name :step :parent :mul :args {:nums [{:as :item} 2]}}
        {:name :entry :parent :map :args {:func :step :coll [1 2]}}
    """)
    planned = plan(graph.program, "user/entry", graph.inference)
    for variant in (PLAIN, CHECKED):
        made = emit(planned, graph._checked.bodies, graph._guard, "rows", variant)
        assert "trace" not in ast.unparse(made.source)


def test_16_threads_run_one_row_traced_beside_untraced() -> None:
    """LANGUAGE 7.2: each run is an activation of its own, and each trace tells of one run."""
    graph = Graph.parse("""
        {:name :step :parent :mul :args {:nums [{:as :item} {:as :factor}]}}
        {:name :entry :parent :map :args {:func :step :coll [1 2 3]}}
    """)
    together = threading.Barrier(16)

    def runs(number: int) -> list[tuple[object, int]]:
        found = []
        together.wait(PATIENCE)
        for turn in range(30):
            trace = Trace(values=True) if (number + turn) % 2 else None
            given = graph.run("entry", {"factor": number}, trace=trace)
            found.append((given, 4 if trace is None else len(trace.spans)))
        return found

    with ThreadPoolExecutor(16) as pool:
        for number, found in enumerate(pool.map(runs, range(16))):
            assert found == [([number, 2 * number, 3 * number], 4)] * 30


def test_one_trace_may_be_shared_by_runs_in_threads() -> None:
    graph = Graph.parse("""
        {:name :step :parent :mul :args {:nums [{:as :item} {:as :factor}]}}
        {:name :entry :parent :map :args {:func :step :coll [1 2 3]}}
    """)
    trace = Trace(limit=100)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: graph.run("entry", {"factor": n}, trace=trace), range(320)))
    assert len(trace.spans) == 100
    assert trace.dropped == 320 * 4 - 100
    assert {each.row: each.calls for each in trace.rows} == {"step": 960, "entry": 320}


@pytest.mark.parametrize(
    ("where", "beside"),
    [
        ("body", ":on-throw {:parent :const :args {:value 0}}"),
        ("on-throw", ":body {:parent :throw :args {:exception 2}}"),
    ],
)
def test_callables_deep_inside_each_other_are_traced(where: str, beside: str) -> None:
    """Python allows 20 blocks inside each other in a function, and each of these is some."""
    row = "{:parent :throw :args {:exception 1}}"
    for _ in range(40):
        inner = f"{{:parent :map :args {{:func {row} :coll [1]}}}}"
        row = f"{{:parent :try :args {{:{where} {inner} {beside}}}}}"
    trace = traced(f"{{:name :entry :parent :identity :args {{:value {row}}}}}")
    names = [span.function.rpartition("/")[2] for span in trace.spans]
    assert names.count("try") == names.count("map") == 40
    assert trace.here().mark() == 0


def test_a_chain_of_5000_rows_is_traced() -> None:
    rows = ["{:name :n0 :parent :const :args {:value 1}}"]
    rows += [
        f"{{:name :n{k} :parent :neg :args {{:number :n{k - 1}}}}}" for k in range(1, 5000)
    ]
    trace = traced("\n".join(rows), "n4999")
    assert len(trace.spans) == 5000
    assert trace.spans[-1].row == "n0"
