"""LANGUAGE 7.5: a deadline and a cancel from outside are noticed, and no row catches them."""

import threading
from collections.abc import Callable

import pytest

from graphden import Graph
from graphden.errors import Cancelled, RunError
from graphden.run import Context, Scope
from tests.oracle.probe import notes_of

PATIENCE = 20.0
"""Seconds until what a test waits for counts as never happening."""

ENDLESS = {
    "a loop": """
        {:name :turn :parent :call-noargs :args {:func {:as :begun}}}
        {:name :entry :parent :loop-until-stopped :args {:body :turn}}
    """,
    "a wait": """
        {:name :entry :parent :do
         :args {:steps [{:parent :call-noargs :args {:func {:as :begun}}}
                        {:parent :sleep :args {:ms 1000000}}]}}
    """,
    "a wait in a loop that catches everything": """
        {:name :work :parent :do
         :args {:steps [{:parent :call-noargs :args {:func {:as :begun}}}
                        {:parent :sleep :args {:ms 1000000}}]}}
        {:name :guarded :parent :try
         :args {:body :work :on-throw {:parent :tick :args {:tag {:as :exception}}}}}
        {:name :entry :parent :loop-until-stopped :args {:body :guarded}}
    """,
    "a recursion that begins again": """
        {:name :step :parent :do
         :args {:steps [{:parent :call-noargs :args {:func {:as :begun}}} {:as :input}]}}
        {:name :once :parent :fix :lambda-params [] :args {:step :step :input 1}}
        {:name :entry :parent :loop-until-stopped :args {:body :once}}
    """,
}


class Running:
    """An entry that runs in a thread of its own, and has begun."""

    def __init__(self, text: str, prepare: Callable[[Context], None] = lambda _: None) -> None:
        self.context = Context()
        self.error: RunError | None = None
        self.begun = threading.Event()
        self._graph = Graph.parse(text)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self.begun.wait(PATIENCE)
        prepare(self.context)

    def _run(self) -> None:
        try:
            self._graph.run("entry", {"begun": self.begun.set}, context=self.context)
        except RunError as error:
            self.error = error

    def end(self) -> str | None:
        """The code of the error it ended with."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.error.code if self.error else None


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_cancel_from_outside_is_noticed(text: str) -> None:
    running = Running(text)
    running.context.cancel()
    assert running.end() == "cancelled"
    assert notes_of(running.context).made == []  # no `try` saw it


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_deadline_is_noticed(text: str) -> None:
    running = Running(text, lambda context: context.set_deadline(1))
    assert running.end() == "deadline-exceeded"
    assert notes_of(running.context).made == []


@pytest.mark.parametrize("form", ["map", "filter", "for-each", "some", "sort-by", "group-by"])
def test_the_next_call_of_a_callable_notices(form: str) -> None:
    slot = {"filter": "pred", "some": "pred", "sort-by": "key-fn", "group-by": "key-fn"}
    context = Context()
    calls: list[object] = []

    def work(item: object) -> None:
        calls.append(item)
        context.cancel()

    graph = Graph.parse(f"""
        {{:name :body :parent :call :args {{:func {{:as :work}} :arg {{:as :item}}}}}}
        {{:name :entry :parent :{form} :args {{:{slot.get(form, "func")} :body :coll [1 2 3]}}}}
    """)
    with pytest.raises(RunError) as caught:
        graph.run("entry", {"work": work}, context=context)
    assert caught.value.code == "cancelled"
    assert calls == [1]


def test_a_run_takes_its_own_deadline() -> None:
    graph = Graph.parse("{:name :entry :parent :sleep :args {:ms 1000000}}")
    with pytest.raises(RunError) as caught:
        graph.run("entry", timeout_ms=1)
    assert caught.value.code == "deadline-exceeded"
    assert "1 ms" in caught.value.message


def test_a_run_that_ends_in_time_is_not_disturbed_by_its_deadline() -> None:
    graph = Graph.parse("{:name :entry :parent :const :args {:value 1}}")
    assert graph.run("entry", timeout_ms=60_000) == 1


def test_what_a_cancel_interrupted_is_no_failure_to_remember() -> None:
    """Who cancels a part of a run goes on with the rest: a captured value is computed again."""
    inside = threading.Event()
    cancelled = threading.Event()

    def slow() -> str:
        if inside.is_set():
            return "value"
        inside.set()
        assert cancelled.wait(PATIENCE)
        return "never seen"

    def beat(_: object) -> bool:
        assert inside.wait(PATIENCE)
        cancelled.set()
        return False  # gives the item up: its body is cancelled

    graph = Graph.parse("""
        {:name :slowly :parent :do
         :args {:steps [{:parent :call-noargs :args {:func {:as :slow}}}
                        {:parent :sleep :args {:ms 1000000}}]}}
        {:name :reads :parent :identity :lambda-params [] :args {:value {:as :x}}}
        {:name :works :parent :with-heartbeat
         :args {:coll [1] :body :reads :beat {:as :beat} :interval-ms 1}}
        {:name :entry :parent :do :args {:steps [:works "the rest"] :x :slowly}}
    """)
    assert graph.run("entry", {"slow": slow, "beat": beat}) == "the rest"


def ended(context: Context) -> Scope:
    """The scope that a check now ends."""
    with pytest.raises(Cancelled) as caught:
        context.check()
    assert isinstance(caught.value.scope, Scope)
    return caught.value.scope


def test_what_was_cancelled_and_is_over_is_not_asked_for_again() -> None:
    context = Context()
    with context.scope() as scope:
        scope.cancel()
        assert ended(context) is scope
    assert not context.ending
    context.check()


def test_the_outermost_of_what_was_cancelled_ends() -> None:
    context = Context()
    with context.scope() as outer, context.scope() as inner:
        inner.cancel()
        assert ended(context) is inner
        outer.cancel()
        assert ended(context) is outer
