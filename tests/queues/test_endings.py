"""How handlings end otherwise than well, and when they are tried again (QUEUES 4, 5.4)."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from typing import Any

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError

WORKER = """
{:name :take   :parent :@take   :args {:queue "q" :batch 10 :visibility-ms 30000 :wait-ms 5000}}
{:name :nack   :parent :@nack   :args {:retry-ms 10 :max-attempts 3}}
{:name :extend :parent :@extend :args {:visibility-ms 30000}}
{:name :worker :parent :queue-consumer
 :args {:take :take :ack :@ack :nack :nack :extend :extend}}
{:name :put    :parent :@publish :args {:queue "q" :delay-ms 0}}
"""


def dead(bench: Any, graph: Any) -> dict[str, Any]:
    [found] = bench.until(
        lambda: [m for m in bench.messages(graph, "q") if m["state"] == "dead"]
    )
    return found


def test_4_4_giving_up_is_dead_at_once_with_the_reason(bench: Any) -> None:
    graph = bench.graph(
        WORKER + "{:name :w :parent :worker :args {:handler {:parent :queue-give-up"
        ' :args {:reason "no such customer"} :lambda-params []}}}'
    )
    bench.run(graph, "put", payload=1)
    bench.start(graph, "w")
    found = dead(bench, graph)
    assert found["attempts"] == 1
    assert found["error"]["outcome"] == Keyword("give-up")
    assert found["error"]["message"] == "no such customer"


def test_4_4_later_comes_again_after_its_delay_and_uses_no_attempt(bench: Any) -> None:
    graph = bench.graph(
        WORKER.replace(":max-attempts 3", ":max-attempts 1")
        + """{:name :later :parent :queue-later :args {:delay-ms 150}}
             {:name :h :parent :if :lambda-params [:message]
              :args {:test {:parent :call :args {:func {:as :ready} :arg {:as :message}}}
                     :then true :else :later}}
             {:name :w :parent :worker :args {:handler :h}}"""
    )
    times: list[float] = []
    attempts = []

    def ready(message: dict[str, Any]) -> bool:
        times.append(time.monotonic())
        attempts.append(message["attempts"])
        return len(times) == 4

    bench.run(graph, "put", payload=1)
    bench.start(graph, "w", ready=ready)
    bench.until(lambda: not bench.messages(graph, "q"))
    assert attempts == [1, 1, 1, 1]
    waits = [after - before for before, after in itertools.pairwise(times)]
    assert min(waits) >= 0.15


def test_4_4_what_merely_looks_like_an_outcome_is_a_failure(bench: Any) -> None:
    graph = bench.graph(WORKER)

    def handler(message: dict[str, Any]) -> None:
        raise RunError("thrown", "odd", data={Keyword("queue-outcome"): 7})

    bench.run(graph, "put", payload=1)
    bench.start(graph, "worker", handler=handler)
    assert dead(bench, graph)["error"]["outcome"] == Keyword("failed")


def test_4_2_a_backoff_says_when_the_message_comes_again(bench: Any) -> None:
    graph = bench.graph(
        WORKER.replace(
            "{:retry-ms 10 :max-attempts 3}",
            "{:max-attempts 4 :backoff {:parent :exponential-backoff"
            " :args {:first-ms 100 :factor 2 :most-ms 150 :jitter 0}}}",
        )
    )
    times = []

    def handler(message: dict[str, Any]) -> None:
        times.append(time.monotonic())
        raise ValueError

    bench.run(graph, "put", payload=1)
    bench.start(graph, "worker", handler=handler)
    assert dead(bench, graph)["attempts"] == 4
    waits = [after - before for before, after in itertools.pairwise(times)]
    for waited, delay in zip(waits, [0.1, 0.15, 0.15], strict=True):
        assert delay <= waited


@pytest.mark.parametrize("given", [ValueError("no"), -1, float("inf"), "soon", None])
def test_4_2_a_backoff_that_fails_stands_back_behind_the_fixed_delay(
    bench: Any, given: object, caplog: pytest.LogCaptureFixture
) -> None:
    graph = bench.graph(WORKER)
    bench.run(graph, "put", payload=1)
    [message] = bench.run(graph, "take")

    def backoff(attempts: int) -> object:
        if isinstance(given, BaseException):
            raise given
        return given

    error = {
        Keyword("outcome"): Keyword("failed"),
        Keyword("type"): "t",
        Keyword("message"): "m",
        Keyword("place"): None,
        Keyword("delay-ms"): None,
    }
    arguments = {"message": message, "error": error, "backoff": backoff, "retry-ms": 60_000}
    with caplog.at_level(logging.WARNING, "graphden.queues"):
        answer = bench.run(graph, "@nack", **arguments)
    assert answer == Keyword("retry")
    assert "a backoff failed after 1 attempts" in caplog.text
    [waiting] = bench.messages(graph, "q")
    assert waiting["state"] == "delayed"


def test_4_5_a_handling_over_its_time_limit_is_a_failure(bench: Any) -> None:
    graph = bench.graph(
        WORKER + "{:name :slow :parent :sleep :lambda-params [] :args {:ms 20000}}"
        "{:name :w :parent :worker :args {:handler :slow :timeout-ms 20}}"
    )
    bench.run(graph, "put", payload=1)
    bench.start(graph, "w")
    found = dead(bench, graph)
    assert found["attempts"] == 3
    assert found["error"]["type"] == "deadline-exceeded"


def test_4_5_also_when_it_could_not_be_interrupted_and_returned(bench: Any) -> None:
    graph = bench.graph(WORKER)
    bench.run(graph, "put", payload=1)
    bench.start(graph, "worker", handler=lambda message: time.sleep(0.1), timeout_ms=10)
    assert dead(bench, graph)["error"]["type"] == "deadline-exceeded"


def test_4_5_a_quick_handling_within_its_time_limit_is_done(bench: Any) -> None:
    graph = bench.graph(WORKER)
    for n in range(20):
        bench.run(graph, "put", payload=n)
    seen = []
    bench.start(graph, "worker", handler=seen.append, timeout_ms=20_000)
    bench.until(lambda: not bench.messages(graph, "q"))
    assert len(seen) == 20


def test_5_4_what_waits_goes_back_at_once_while_a_handler_still_runs(bench: Any) -> None:
    graph = bench.graph(WORKER)
    running, go_on = threading.Event(), threading.Event()

    def handler(message: dict[str, Any]) -> None:
        running.set()
        assert go_on.wait(20)

    for n in range(3):
        bench.run(graph, "put", payload=n)
    context = bench.start(graph, "worker", handler=handler)
    assert running.wait(20)
    context.request_stop()
    bench.until(
        lambda: (
            [(m["payload"], m["state"], m["attempts"]) for m in bench.messages(graph, "q")]
            == [(0, "claimed", 1), (1, "pending", 0), (2, "pending", 0)]
        )
    )
    go_on.set()
    bench.stop()
    assert [m["payload"] for m in bench.messages(graph, "q")] == [1, 2]


def test_5_4_a_handling_that_is_cut_off_counts_its_attempt(bench: Any) -> None:
    graph = bench.graph(
        WORKER.replace(":visibility-ms 30000", ":visibility-ms 600").replace("5000", "20000")
    )
    bench.run(graph, "put", payload=1)
    running, ended = threading.Event(), threading.Event()
    context = bench.context()

    def work() -> None:
        with pytest.raises(RunError, match="cancelled"):
            graph.run("worker", {"handler": handler}, context=context)
        ended.set()

    def handler(message: dict[str, Any]) -> None:
        running.set()
        while True:
            context.check()
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    assert running.wait(20)
    context.request_stop()
    context.cancel()
    thread.join(20)
    assert ended.is_set()
    [again] = bench.run(graph, "take")
    assert (again["attempts"], again["lapsed"]) == (2, True)


def test_so_many_messages_are_handled_at_once_as_concurrency_says(bench: Any) -> None:
    graph = bench.graph(WORKER.replace(":batch 10", ":batch 1"))
    together = threading.Barrier(4)
    for n in range(8):
        bench.run(graph, "put", payload=n)
    bench.start(graph, "worker", handler=lambda message: together.wait(20), concurrency=4)
    bench.until(lambda: not bench.messages(graph, "q"))


def test_a_failing_handler_of_one_loop_stops_no_other(bench: Any) -> None:
    graph = bench.graph(WORKER.replace(":batch 10", ":batch 1"))
    seen = set()

    def handler(message: dict[str, Any]) -> None:
        seen.add(message["payload"])
        if message["payload"] % 2:
            raise SystemExit

    for n in range(10):
        bench.run(graph, "put", payload=n)
    bench.start(graph, "worker", handler=handler, concurrency=3)
    bench.until(
        lambda: (
            {m["state"] for m in bench.messages(graph, "q")} == {Keyword("dead")}
            and len(bench.messages(graph, "q")) == 5
        )
    )
    assert seen == set(range(10))


@pytest.mark.parametrize("count", [0, -1, 1_001])
def test_2_8_a_concurrency_out_of_range_is_an_error_and_no_loop(bench: Any, count: int) -> None:
    graph = bench.graph(WORKER)
    with pytest.raises(RunError) as caught:
        bench.run(graph, "worker", handler=print, concurrency=count)
    assert caught.value.code == "invalid-argument"


def test_a_handler_publishes_further_work_into_its_own_and_another_queue(bench: Any) -> None:
    graph = bench.graph(
        WORKER
        + """
        {:name :payload :parent :get
         :args {:coll {:as :message} :key {:value :payload} :default nil}}
        {:name :next :parent :@publish
         :args {:queue "q" :delay-ms 0 :payload {:parent :sub :args {:nums [:payload 1]}}}}
        {:name :told :parent :@publish
         :args {:queue "other" :delay-ms 0 :payload :payload}}
        {:name :step :parent :if :lambda-params [:message]
         :args {:test {:parent :gt :args {:nums [:payload 0]}} :then :next :else :told}}
        {:name :counting :parent :worker :args {:handler :step}}"""
    )
    bench.run(graph, "put", payload=5)
    bench.start(graph, "counting")
    [told] = bench.until(lambda: bench.messages(graph, "other"))
    assert told["payload"] == 0
    bench.until(lambda: not bench.messages(graph, "q"))
