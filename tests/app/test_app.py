"""`graphden.App`: graphs with a database."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import psycopg
import pytest

import graphden
from graphden import App, Graph, RunError, UsageError

PATIENCE = 20.0

ROWS = """
{:name :order-placed :parent :queue-publish :args {:queue "orders"}}
{:name :worker :parent :pg-queue-consumer :args {:queue "orders" :handler :handle}}
{:name :handle :parent :cell-put :lambda-params [:message]}
{:name :cell-put :parent :get :args {:coll {:as :message} :key {:value :payload} :default nil}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHDEN_DATABASE_URL", raising=False)
    return tmp_path


def six(value: int = 6) -> Graph:
    return Graph.parse(f"{{:name :six :parent :const :args {{:value {value}}}}}")


def test_a_run_without_a_database_opens_none(folder):
    with App.open([six()]) as app:
        assert app.run("six") == 6
        assert app.run("add", {"nums": [1, 2]}) == 3
    assert list(folder.iterdir()) == []


def test_paths_make_one_graph(folder):
    (folder / "a.edn").write_text("{:name :a :parent :add :args {:nums [1 :b]}}")
    (folder / "more").mkdir()
    (folder / "more" / "b.edn").write_text("{:name :b :parent :const :args {:value 2}}")
    with App.open(["a.edn", folder / "more"]) as app:
        assert app.run("a") == 3


def test_each_graph_is_found_by_its_rows():
    with App.open(
        [six(), Graph.parse("{:name :seven :parent :const :args {:value 7}}")]
    ) as app:
        assert (app.run("six"), app.run("seven")) == (6, 7)


def test_a_row_of_several_graphs_is_ambiguous():
    with App.open([six(6), six(60)]) as app, pytest.raises(RunError) as raised:
        app.run("six")
    assert raised.value.code == "ambiguous-name"


def test_a_users_row_is_found_before_a_packages():
    own = Graph.parse("{:name :add :parent :const :args {:value 1}}")
    with App.open([six(), own]) as app:
        assert app.run("add") == 1


def test_an_unknown_row_is_told_with_the_nearest():
    with App.open([six()]) as app, pytest.raises(RunError) as raised:
        app.run("sixx")
    assert (raised.value.code, raised.value.hint) == ("unknown-row", "Did you mean :six?")


def test_a_deadline(folder):
    graph = Graph.parse("{:name :long :parent :sleep :args {:ms 60000}}")
    with App.open([graph]) as app, pytest.raises(RunError) as raised:
        app.run("long", timeout_ms=20)
    assert raised.value.code == "deadline-exceeded"


def test_a_trace_tells_of_the_rows_and_gives_its_id_to_the_run(folder):
    graph = Graph.parse("{:name :seven :parent :add :args {:nums [:six 1] }}\n"
                        "{:name :six :parent :const :args {:value 6}}")  # fmt: skip
    trace = graphden.Trace()
    with App.open([graph]) as app, app.context() as context:
        assert app.run("seven", context=context, trace=trace) == 7
    assert [span.row for span in trace.spans] == ["seven", "six"]
    assert context.trace_id == UUID(trace.id)


def test_publish_list_requeue_delete(database_url):
    """QUEUES 1.6, 8.1"""
    with App.open(database_url=database_url) as app:
        message_id = app.publish("orders", {"sku": "tea"}, key="k")
        assert isinstance(message_id, UUID)
        assert app.publish("orders", {"sku": "tea"}, key="k") == message_id
        later = app.publish("orders", 1, delay_ms=60_000)
        [queue] = app.queues.list()
        assert (queue["queue"], queue["pending"], queue["delayed"]) == ("orders", 1, 1)
        [pending] = app.queues.messages("orders", state="pending")
        assert (pending["id"], pending["payload"]) == (message_id, {"sku": "tea"})
        assert len(app.queues.messages("orders", limit=1)) == 1
        assert [r["result"].text for r in app.queues.requeue([message_id])] == ["refused"]
        deleted = app.queues.delete([message_id, later])
        assert [r["result"].text for r in deleted] == ["deleted", "deleted"]
        assert app.queues.messages("orders") == []


def test_publish_many(database_url):
    """QUEUES 2.3"""
    with App.open(database_url=database_url) as app:
        published = app.publish_many(
            "orders", ({"n": n} for n in range(3)), keys=["a", "b", "c"]
        )
        assert [m["id"] for m in app.queues.messages("orders")] == published
        with pytest.raises(RunError) as raised:
            app.publish_many("orders", [{"n": 9}, "x" * 1_048_576])
        assert (raised.value.code, raised.value.data["item"]) == ("payload-too-large", 1)
        assert len(app.queues.messages("orders")) == 3


def test_publishing_in_the_users_transaction(database_url):
    """QUEUES 2.4"""
    with (
        App.open([Graph.parse(ROWS)], database_url=database_url) as app,
        psycopg.connect(app.database().url) as connection,
    ):
        first = app.publish("orders", 1, transaction=connection)
        [second] = app.publish_many("orders", [2], transaction=connection)
        with app.context(transaction=connection) as context:
            third = app.run("order-placed", {"payload": 3}, context=context)
        assert app.queues.messages("orders") == []
        connection.commit()
        assert [m["id"] for m in app.queues.messages("orders")] == [first, second, third]
        app.publish("orders", 4, transaction=connection)
        connection.rollback()
        assert len(app.queues.messages("orders")) == 3


def test_a_payload_slot_that_was_narrowed_is_checked_before_anything_is_stored(database_url):
    """QUEUES 2.6"""
    graph = Graph.parse("""
        {:name :order-shape :type {:sku :text :qty :positive-int}}
        {:name :placed :parent :queue-publish
         :args {:queue "orders" :payload {:as :payload :type :order-shape}}}
        {:name :placed-many :parent :queue-publish-many
         :args {:queue "orders" :payloads {:as :payloads :type [:list :order-shape]}}}
    """)
    with App.open([graph], database_url=database_url) as app:
        for row, arguments in (
            ("placed", {"payload": {"sku": "tea", "qty": 0}}),
            ("placed", {"payload": {"sku": "tea"}}),
            ("placed-many", {"payloads": [{"sku": "tea", "qty": 1}, {"sku": 7, "qty": 1}]}),
        ):
            with pytest.raises(RunError) as raised:
                app.run(row, arguments)
            assert raised.value.code in {"argument-type", "contract-violation"}
        assert app.queues.list() == []
        app.run("placed", {"payload": {"sku": "tea", "qty": 2}})
        app.run("placed-many", {"payloads": [{"sku": "tea", "qty": 1}]})
        assert len(app.queues.messages("orders")) == 2


def test_operations_use_the_packages_rows_whatever_the_users_are_called(database_url):
    own = Graph.parse("{:name :queue-publish :parent :const :args {:value 1}}")
    with App.open([own], database_url=database_url) as app:
        assert isinstance(app.publish("orders", 1), UUID)


def test_an_operation_that_fails_points_at_no_row():
    away = App.open(database_url="postgresql://me@127.0.0.1:1/nowhere")
    with away as app, pytest.raises(RunError) as raised:
        app.publish("orders", 1)
    assert (raised.value.code, raised.value.row) == ("database-unreachable", None)


def test_work_consumes_until_stopped(database_url):
    graph = Graph.parse(ROWS)
    stop = threading.Event()
    with App.open([graph], database_url=database_url) as app, ThreadPoolExecutor() as threads:
        working = threads.submit(app.work, "worker", stop=stop)
        app.run("order-placed", {"payload": 1})
        ended = threading.Event()
        while app.queues.messages("orders"):
            assert not working.done()
            ended.wait(0.01)
        stop.set()
        assert working.result(PATIENCE) is None


def test_work_that_ends_by_itself_gives_its_value():
    with App.open([six()]) as app:
        assert app.work("six", stop=threading.Event()) == 6


def test_a_stop_that_came_before_the_work(database_url):
    stop = threading.Event()
    stop.set()
    with App.open([Graph.parse(ROWS)], database_url=database_url) as app:
        assert app.work("worker", stop=stop) is None


def test_runs_share_what_lives_in_the_app():
    graph = Graph.parse('{:name :put :parent :memory-publish :args {:queue "q" :payload 1}}')
    with App.open([graph]) as app:
        first, second = app.run("put"), app.run("put")
        listed = app.run("memory-messages", {"queue": "q"})
    assert [message["id"] for message in listed] == [first, second]


def test_migrate_and_status(database_url):
    """QUEUES 8.2"""
    with App.open(database_url=database_url) as app:
        assert {m.state.value for m in app.database_status().migrations} == {"pending"}
        assert ("graphden_postgres", 1) in [(m.package, m.number) for m in app.migrate()]
        assert app.migrate() == ()
        found = app.database_status()
        assert {m.state.value for m in found.migrations} == {"applied"}
        assert found.description.startswith("PostgreSQL ")


def test_a_project_has_a_database_of_its_own(tmp_path):
    said = []
    with App.open(project=tmp_path, progress=said.append) as app:
        message_id = app.publish("orders", 1)
        assert app.database().describe().startswith("embedded PostgreSQL ")
    assert said
    with App.open(project=tmp_path) as app:
        assert [m["id"] for m in app.queues.messages("orders")] == [message_id]


def test_a_closed_app_opens_nothing_again(database_url):
    app = App.open(database_url=database_url)
    app.publish("orders", 1)
    app.close()
    app.close()
    with pytest.raises(RunError) as raised:
        app.publish("orders", 2)
    assert raised.value.code == "resource-closed"


def test_what_cannot_be_loaded_is_told_when_it_is_opened():
    with pytest.raises(UsageError, match="there is no file or folder nowhere"):
        App.open(["nowhere.edn"])


def test_the_app_is_part_of_the_package():
    assert graphden.App is App
    assert "App" in graphden.__all__
