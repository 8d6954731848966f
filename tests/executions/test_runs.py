"""What of a run is recorded, when, and how exactly (QUEUES 6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden import App, Graph, RunError, UsageError
from graphden.edn import Keyword, equal
from graphden.executions.values import (
    CUT_MARK,
    MOST_ARGUMENTS,
    MOST_ERROR,
    MOST_RESULT,
    recorded,
    storable,
    value_of,
)
from graphden.run.tracing import Trace


def test_a_saved_run_tells_what_ran_with_what_and_what_came_of_it(app, graph):
    chosen = uuid4()
    assert app.run("double", {"number": 3}, save=True, execution_id=chosen) == 6
    found = app.executions.get(chosen)
    assert (found.id, found.kind, found.status) == (chosen, "run", "succeeded")
    assert (found.entry, found.digest) == ("user/double", graph.digest("double"))
    assert (found.arguments, found.result, found.error) == ("{:number 3}", "6", None)
    assert (found.cut, found.hidden) == (frozenset(), False)
    assert (found.trace_id, found.parent_id, found.rerun_of) == (chosen, None, None)
    assert timedelta(0) <= found.took < timedelta(minutes=1)


def test_times_are_the_databases(app, ask):
    before = ask("SELECT clock_timestamp()")[0][0]
    app.run("double", {"number": 3}, save=True)
    after = ask("SELECT clock_timestamp()")[0][0]
    [found] = app.executions.list()
    assert before < found.started <= found.ended < after


def test_only_runs_that_use_the_database_are_recorded_unasked(app):
    app.run("double", {"number": 3})
    app.run("order-placed", {"payload": 1}, save=False)
    assert app.executions.list() == []
    app.run("order-placed", {"payload": 1})
    assert [each.entry for each in app.executions.list()] == ["user/order-placed"]


def test_what_operators_ask_and_publish_is_no_run(app):
    app.publish("orders", 1)
    app.queues.list()
    assert app.executions.list() == []


def test_an_error_is_recorded_with_its_place_and_its_trail(app):
    with pytest.raises(RunError):
        app.run("hand-over", {"by": 0}, save=True)
    [listed] = app.executions.list()
    assert (listed.status, listed.result) == ("failed", None)
    error = listed.error
    assert (error.code, error.row) == ("division-by-zero", "quotient")
    assert error.place.startswith("rows.edn:3:")
    assert [row for row, _ in error.trail] == ["hand-over", "quotient"]
    assert error.message == "div: item 2 of :nums is 0"


def test_a_run_over_its_deadline_has_failed(app):
    with pytest.raises(RunError):
        app.run("long", timeout_ms=20, save=True)
    [found] = app.executions.list()
    assert (found.status, found.error.code) == ("failed", "deadline-exceeded")


def test_a_cancelled_run_says_so(app):
    with app.context() as context:
        context.cancel()
        with pytest.raises(RunError):
            app.run("long", context=context, save=True)
    assert [each.status for each in app.executions.list()] == ["cancelled"]


def test_what_cannot_run_is_refused_and_not_recorded(app):
    for entry, arguments in (("nothing", {}), ("double", {}), ("double", {"numbr": 1})):
        with pytest.raises(RunError):
            app.run(entry, arguments, save=True)
    assert app.executions.list() == []


def test_an_id_is_used_once(app):
    chosen = uuid4()
    app.run("double", {"number": 3}, execution_id=chosen)
    with pytest.raises(RunError) as raised:
        app.run("double", {"number": 4}, execution_id=chosen)
    assert raised.value.code == "duplicate-execution"
    assert app.executions.get(chosen).result == "6"


def test_without_a_database_a_saved_run_does_not_begin(graph):
    with (
        App.open([graph], database_url="postgresql://me@127.0.0.1:1/none") as app,
        pytest.raises(UsageError) as raised,
    ):
        app.run("double", {"number": 3}, save=True)
    assert raised.value.code == "database-unreachable"


def test_an_unknown_execution(app):
    with pytest.raises(RunError) as raised:
        app.executions.show(uuid4())
    assert raised.value.code == "unknown-execution"


def test_what_a_recorded_run_publishes_carries_its_trace_and_its_parent(app):
    app.run("order-placed", {"payload": 1})
    [run] = app.executions.list()
    [message] = app.queues.messages("orders")
    assert message["trace-id"] == run.trace_id == run.id


def test_secrets_are_hidden(database_url):
    """LANGUAGE 8.7"""
    secret = "{:as :password :type [:secret :text]}"
    rows = f"{{:name :keep :parent :identity :args {{:value {secret}}}}}"
    with App.open([Graph.parse(rows)], database_url=database_url) as app:
        app.run("keep", {"password": "hunter2-hunter2"}, save=True)
        [listed] = app.executions.list()
        found = app.executions.get(listed.id)
        assert found.hidden
        assert "hunter2" not in repr(found)
        with pytest.raises(RunError) as raised:
            app.executions.rerun(found.id)
        assert raised.value.code == "not-repeatable"
        app.executions.rerun(found.id, {"password": "hunter3-hunter3"})


def test_long_values_are_cut_and_say_so(app):
    app.run("same", {"value": "x" * MOST_RESULT}, save=True)
    [listed] = app.executions.list()
    found = app.executions.get(listed.id)
    assert found.cut == {"arguments", "result"}
    assert len(found.arguments) < MOST_ARGUMENTS
    assert len(found.result.encode()) <= MOST_RESULT
    assert found.arguments.endswith(CUT_MARK)
    assert found.result.endswith(CUT_MARK)
    with pytest.raises(RunError) as raised:
        app.executions.rerun(found.id)
    assert raised.value.code == "not-repeatable"


def test_a_long_error_is_cut_and_says_so(database_url):
    rows = "{:name :fail :parent :throw :args {:exception {:as :why :type :text}}}"
    with App.open([Graph.parse(rows)], database_url=database_url) as app:
        with pytest.raises(RunError):
            app.run("fail", {"why": "é" * 5_000}, save=True)
        [found] = app.executions.list()
    assert found.cut == {"error"}
    assert len(found.error.message.encode()) <= MOST_ERROR
    assert found.error.message.endswith(CUT_MARK)


@given(st.text(), st.integers(min_value=20, max_value=60))
def test_a_cut_text_keeps_its_beginning_and_fits(text, most):
    kept, was_cut = storable(text, most)
    assert len(kept.encode()) <= most
    assert was_cut == kept.endswith(CUT_MARK) or not was_cut
    clean = text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    assert clean.startswith(kept.removesuffix(CUT_MARK) if was_cut else "") or "\ufffd" in kept


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.uuids()
    | st.sampled_from([Keyword("a"), Keyword("b/c"), datetime(2026, 1, 2, tzinfo=UTC)])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner)
)


@given(VALUES)
def test_a_recorded_value_reads_back_as_it_was(value):
    """LANGUAGE 10.1"""
    text, was_cut = recorded(value, MOST_RESULT)
    assert not was_cut
    assert equal(value_of(text), value)
    assert type(value_of(text)) is type(value)


def test_exact_values_survive_the_database(app):
    value = [
        Decimal("1.50"),
        1e22,
        -0.0,
        10**30,
        Keyword("k"),
        "nul \0",
        UUID(int=1),
        {"a": None},
    ]
    app.run("same", {"value": value}, save=True)
    [listed] = app.executions.list()
    stored = value_of(app.executions.get(listed.id).result)
    assert equal(stored, value)
    assert [type(each) for each in stored] == [type(each) for each in value]
    assert str(stored[2]) == "-0.0"
    assert app.executions.rerun(listed.id) == value


def test_what_has_no_text_is_described(app):
    app.run("same", {"value": [object, float("nan")]}, save=True)
    [listed] = app.executions.list()
    assert app.executions.get(listed.id).result == "[#<type object> ##NaN]"
    with pytest.raises(RunError) as raised:
        app.executions.rerun(listed.id)
    assert raised.value.code == "not-repeatable"


def test_a_rerun_refers_to_what_it_repeats(app):
    first, second = uuid4(), uuid4()
    app.run("double", {"number": 3}, execution_id=first)
    assert app.executions.rerun(first, {"number": 4}, execution_id=second) == 8
    found = app.executions.get(second)
    assert (found.rerun_of, found.arguments) == (first, "{:number 4}")


def test_the_digest_changes_with_what_is_reached_and_with_nothing_else():
    def digest(text: str) -> str:
        return Graph.parse(text).digest("a")

    rows = (
        "{:name :a :parent :b :args {:n 1}} {:name :b :parent :add :args {:nums [2 {:as :n}]}}"
    )
    assert digest(rows) == digest(f"; a note\n\n{rows} {{:name :c :parent :a}}")
    assert digest(rows) == digest(rows.replace(":parent :b", ':description "d" :parent :b'))
    assert digest(rows) != digest(rows.replace("[2", "[3"))
    narrowed = rows + " {:name :t :refine {:base :int :constraint [:in [1 2]]}}"
    typed = narrowed.replace("{:as :n}", "{:as :n :type :t}")
    assert digest(rows) == digest(narrowed) != digest(typed)
    assert digest(typed) != digest(typed.replace("[1 2]", "[1 3]"))


def test_lists_are_filtered_and_continued(app):
    for number in range(3):
        app.run("double", {"number": number}, save=True)
    with pytest.raises(RunError):
        app.run("hand-over", {"by": 0}, save=True)
    listed = app.executions.list()
    assert [each.status for each in listed] == ["failed", *3 * ["succeeded"]]
    assert app.executions.list(status="failed") == listed[:1]
    assert app.executions.list(status="succeeded") == listed[1:]
    assert app.executions.list(entry="user/hand-over") == listed[:1]
    assert app.executions.list(kind="handling") == []
    assert app.executions.list(limit=2) == listed[:2]
    assert app.executions.list(before=listed[1].started) == listed[2:]
    with pytest.raises(UsageError):
        app.executions.list(limit=0)


def test_old_ones_are_pruned_by_age_and_status(app, ask):
    for number in range(3):
        app.run("double", {"number": number}, save=True)
    with pytest.raises(RunError):
        app.run("hand-over", {"by": 0}, save=True)
    ask(
        "UPDATE graphden.execution SET started_at = started_at - interval '2 days', "
        "ended_at = ended_at - interval '2 days' WHERE arguments <> '{:number 2}'"
    )
    assert app.executions.prune(timedelta(days=3)) == 0
    assert app.executions.prune(timedelta(days=1), ["succeeded"]) == 2
    assert [each.status for each in app.executions.list()] == ["succeeded", "failed"]
    assert app.executions.prune(timedelta(days=1)) == 1
    assert app.executions.prune(timedelta(0)) == 1
    assert app.executions.list() == []


def test_a_trace_is_recorded_with_its_run(app):
    chosen, other = uuid4(), uuid4()
    trace = Trace(values=True)
    app.run("double", {"number": 3}, execution_id=chosen, trace=trace)
    app.run("double", {"number": 3}, execution_id=other)
    assert app.executions.trace(chosen) == trace.data()
    assert trace.id == chosen.hex
    assert app.executions.trace(other) is None
    with pytest.raises(RunError) as raised:
        app.executions.trace(uuid4())
    assert raised.value.code == "unknown-execution"


def test_the_trace_of_a_failure_is_recorded(app):
    with pytest.raises(RunError):
        app.run("hand-over", {"by": 0}, save=True, trace=Trace())
    [found] = app.executions.list()
    spans = app.executions.trace(found.id)["spans"]
    assert [span["error"] for span in spans] == 2 * ["division-by-zero"]
