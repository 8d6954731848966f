"""The consumer that rows make, the same over every backend (QUEUES 1)."""

from __future__ import annotations

import asyncio
import threading
from typing import Any
from uuid import UUID

import pytest

from graphden import Graph, GraphError, RunError
from graphden.edn import Keyword

WORKER = """
{:name :take   :parent :@take   :args {:queue "q" :batch 10 :visibility-ms 30000 :wait-ms 5000}}
{:name :nack   :parent :@nack   :args {:retry-ms 10 :max-attempts 3}}
{:name :extend :parent :@extend :args {:visibility-ms 30000}}
{:name :worker :parent :queue-consumer
 :args {:take :take :ack :@ack :nack :nack :extend :extend}}
{:name :put    :parent :@publish :args {:queue "q" :delay-ms 0}}
"""

ISSUE = """
{:name :tutorial-queue-publish :parent :queue-publish :args {:queue "QUEUE" :delay-ms 0}}
{:name :tutorial-queue-handler :parent :parse-json :args {:string "not JSON" :keywordize true}}
{:name :tutorial-queue-worker :parent :pg-queue-consumer
 :args {:queue "QUEUE" :handler :tutorial-queue-handler}}

{:name :orders-take :parent :queue-take
 :args {:queue "orders" :batch 10 :visibility-ms 30000 :wait-ms 5000}}
{:name :orders-nack :parent :queue-nack :args {:retry-ms 500 :max-attempts 3}}
{:name :orders-extend :parent :queue-extend :args {:visibility-ms 30000}}
{:name :orders-worker :parent :queue-consumer
 :args {:take :orders-take :ack :queue-ack :nack :orders-nack :extend :orders-extend
        :handler :ship-order}}

{:name :order-shape :type {:sku :text :qty :int}}
{:name :order-placed :parent :queue-publish
 :args {:queue "orders" :delay-ms 0 :payload {:as :payload :type :order-shape}}}
{:name :_order-payload :parent :get
 :args {:coll {:as :message} :key {:value :payload} :default nil}}
{:name :ship-order :parent :log
 :args {:level {:value :info} :message :_order-payload :data nil}}
"""


def names(graph: Graph, row: str) -> set[str]:
    return {parameter.name for parameter in graph.interface(row)}


def test_1_2_the_consumer_has_five_open_slots_and_a_heartbeat() -> None:
    graph = Graph.parse("")
    interface = {p.name: p for p in graph.interface("queue-consumer")}
    slots = {"take", "ack", "nack", "extend", "handler"}
    assert {name for name, slot in interface.items() if slot.required} == slots
    assert set(interface) - slots == {"heartbeat-ms", "concurrency", "timeout-ms"}
    assert interface["heartbeat-ms"].default == 10_000
    assert str(interface["handler"].type) == ":queue-handler-function"


def test_1_3_the_postgres_consumer_leaves_queue_and_handler_open() -> None:
    interface = Graph.parse("").interface("pg-queue-consumer")
    assert {slot.name for slot in interface if slot.required} == {"queue", "handler"}


def test_1_3_bound_references_are_sealed_and_the_way_out_is_named() -> None:
    with pytest.raises(GraphError) as caught:
        Graph.parse("{:name :w :parent :pg-queue-consumer :args {:nack :queue-nack}}")
    [problem] = caught.value.problems
    assert problem.code == "sealed-slot"
    assert "Derive :queue-consumer" in problem.hint


def test_1_4_without_leases_nothing_is_extended() -> None:
    assert "extend" not in names(Graph.parse(""), "queue-consumer-leaseless")


def test_the_graph_of_the_issue_is_sound() -> None:
    graph = Graph.parse(ISSUE)
    assert graph.diagnostics == ()
    assert [p for p in graph.interface("tutorial-queue-worker") if p.required] == []
    assert names(graph, "tutorial-queue-handler") == set()


def test_a_handler_that_would_be_handed_a_message_as_a_flag_is_a_diagnostic() -> None:
    graph = Graph.parse(ISSUE.replace(" :keywordize true", ""))
    [problem] = graph.diagnostics
    assert problem.code == "type-mismatch"
    assert ":keywordize" in problem.message
    assert ":queue-message" in problem.message
    with pytest.raises(RunError, match="keywordize") as caught:
        graph.run("tutorial-queue-worker")
    assert caught.value.code == "row-has-diagnostics"


def test_2_6_a_narrowed_payload_is_checked_before_anything_is_stored(bench: Any) -> None:
    graph = bench.graph(
        """{:name :shape :type {:sku :text :qty :int}}
           {:name :put :parent :@publish
            :args {:queue "q" :payload {:as :payload :type :shape}}}"""
    )
    with pytest.raises(RunError) as caught:
        bench.run(graph, "put", payload={"sku": 1, "qty": 2})
    assert caught.value.code == "argument-type"
    assert ":sku" in caught.value.message
    assert bench.messages(graph, "q") == []
    assert isinstance(bench.run(graph, "put", payload={"sku": "a", "qty": 2}), UUID)


def test_a_handled_message_is_gone_and_the_handler_saw_it(bench: Any) -> None:
    graph = bench.graph(WORKER)
    seen: list[dict[str, Any]] = []
    known = bench.run(graph, "put", payload={"sku": "tea", "n": [1, None]})
    bench.start(graph, "worker", handler=seen.append)
    bench.until(lambda: seen and not bench.messages(graph, "q"))
    [message] = seen
    assert message["id"] == known
    assert message["queue"] == "q"
    assert message["payload"] == {"sku": "tea", "n": [1, None]}
    assert message["attempts"] == 1


def test_7_2_ten_messages_are_ten_effects_of_a_handler_that_ignores_them(bench: Any) -> None:
    """LANGUAGE 7.2."""
    graph = bench.graph(
        WORKER + "{:name :count :parent :swap :lambda-params []"
        " :args {:a {:as :counter} :func :add-one}}"
        "{:name :add-one :parent :add :args {:nums [{:as :value} 1]}}"
        "{:name :counting :parent :worker :args {:handler :count}}"
    )
    for n in range(10):
        bench.run(graph, "put", payload=n)
    counter = Graph.parse("{:name :c :parent :atom :args {:initial-value 0}}").run("c")
    bench.start(graph, "counting", counter=counter)
    bench.until(lambda: not bench.messages(graph, "q"))
    assert graph.run("deref", {"a": counter}) == 10


def test_4_1_a_failing_handler_is_tried_again_and_then_dead_with_its_error(bench: Any) -> None:
    graph = bench.graph(
        WORKER + '{:name :h :parent :parse-json :args {:string "no JSON" :keywordize true}}'
        "{:name :failing :parent :worker :args {:handler :h}}"
    )
    known = bench.run(graph, "put", payload={})
    bench.start(graph, "failing")
    [dead] = bench.until(
        lambda: [m for m in bench.messages(graph, "q") if m["state"] == "dead"]
    )
    assert dead["id"] == known
    assert dead["attempts"] == 3
    assert dead["error"]["type"] == "malformed-json"
    assert dead["error"]["place"] == "h rows.edn:8"
    assert dead["error"]["outcome"] == "failed"


@pytest.mark.parametrize(
    "kind", [SystemExit, KeyboardInterrupt, asyncio.CancelledError, GeneratorExit, ValueError]
)
def test_4_5_whatever_a_handler_raises_is_a_failure_and_the_worker_lives(
    bench: Any, kind: type[BaseException]
) -> None:
    graph = bench.graph(WORKER)
    seen = []

    def handler(message: dict[str, Any]) -> None:
        seen.append(message["payload"])
        if message["payload"] == "bad":
            raise kind("broken")

    bench.run(graph, "put", payload="bad")
    bench.start(graph, "worker", handler=handler)
    bench.until(lambda: seen.count("bad") == 3)
    bench.run(graph, "put", payload="good")
    bench.until(lambda: "good" in seen)
    [dead] = bench.until(
        lambda: [m for m in bench.messages(graph, "q") if m["state"] == "dead"]
    )
    assert dead["payload"] == "bad"
    assert dead["error"]["type"] == kind.__name__


def test_5_4_a_stop_finishes_what_runs_and_gives_back_what_waits(bench: Any) -> None:
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
    go_on.set()
    bench.stop()
    left = bench.messages(graph, "q")
    assert [m["payload"] for m in left] == [1, 2]
    assert [(m["state"], m["attempts"]) for m in left] == [("pending", 0)] * 2


def test_3_4_every_claim_of_a_batch_is_renewed_while_one_is_handled(bench: Any) -> None:
    graph = bench.graph(
        """{:name :take :parent :@take
            :args {:queue "q" :batch 3 :visibility-ms 400 :wait-ms 5000}}
           {:name :extend :parent :@extend :args {:visibility-ms 400}}
           {:name :nack :parent :@nack :args {:retry-ms 10 :max-attempts 3}}
           {:name :worker :parent :queue-consumer
            :args {:take :take :ack :@ack :nack :nack :extend :extend}}
           {:name :put :parent :@publish :args {:queue "q"}}
           {:name :other :parent :@take
            :args {:queue "q" :batch 10 :visibility-ms 30000 :wait-ms 1200}}"""
    )
    for n in range(3):
        bench.run(graph, "put", payload=n)
    running, go_on = threading.Event(), threading.Event()
    seen = []

    def handler(message: dict[str, Any]) -> None:
        seen.append((message["payload"], message["attempts"]))
        running.set()
        assert go_on.wait(20)

    bench.start(graph, "worker", handler=handler)
    assert running.wait(20)
    # Three claims' lengths long, another consumer waits for a claim to run out.
    assert bench.run(graph, "other") == []
    go_on.set()
    bench.until(lambda: not bench.messages(graph, "q"))
    assert seen == [(0, 1), (1, 1), (2, 1)]


def test_3_3_a_handler_whose_claim_is_lost_is_told_to_stop(bench: Any) -> None:
    """Its batch-mate, whose claim is lost too, is not begun."""
    graph = bench.graph(
        WORKER.replace(":take :take", "").replace(":extend :extend}", "}")
        + "{:name :wait :parent :sleep :args {:ms 20000}}"
        "{:name :begin :parent :call-noargs :args {:func {:as :begin}}}"
        "{:name :end :parent :call-noargs :args {:func {:as :end}}}"
        "{:name :slow :parent :do :lambda-params [] :args {:steps [:begin :wait :end]}}"
        "{:name :slow-worker :parent :worker :args {:handler :slow :heartbeat-ms 20}}"
    )
    for n in range(2):
        bench.run(graph, "put", payload=n)
    batches, again, stop = [bench.run(graph, "take")], threading.Event(), threading.Event()
    log, begun = [], threading.Event()

    def begin() -> None:
        log.append("begun")
        begun.set()

    def extend(message: dict[str, Any]) -> Keyword:
        assert begun.wait(20)
        return Keyword("lost")

    def take() -> list[dict[str, Any]]:
        if batches:
            return batches.pop()
        again.set()
        stop.wait(20)
        return []

    bench.start(
        graph,
        "slow-worker",
        begin=begin,
        end=lambda: log.append("ended"),
        extend=extend,
        take=take,
    )
    assert again.wait(10)
    assert log == ["begun"]
    assert {m["state"] for m in bench.messages(graph, "q")} == {"claimed"}
    stop.set()


def test_a_requeued_message_keeps_its_id_and_is_handled_by_mended_rows(bench: Any) -> None:
    rows = WORKER + (
        '{:name :h :parent :parse-json :args {:string "TEXT" :keywordize true}}'
        "{:name :w :parent :worker :args {:handler :h}}"
    )
    graph = bench.graph(rows)
    known = bench.run(graph, "put", payload=1)
    bench.start(graph, "w")
    bench.until(lambda: [m for m in bench.messages(graph, "q") if m["state"] == "dead"])
    bench.stop()
    bench.run(graph, "@requeue", ids=[known])
    [again] = bench.messages(graph, "q")
    assert (again["id"], again["state"], again["attempts"], again["error"]) == (
        known,
        "pending",
        0,
        None,
    )
    bench.start(bench.graph(rows.replace("TEXT", "{}")), "w")
    bench.until(lambda: not bench.messages(graph, "q"))
