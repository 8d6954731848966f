"""`publish`, `queues` and `db` on both servers (QUEUES 8.1)."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest


@pytest.fixture(autouse=True)
def database(database_url, monkeypatch):
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", database_url)
    return database_url


# A worker that stops by itself: its only handler run fails, the message is dead at once.
FAIL_ONCE = """
{:name :turn :parent :do
 :args {:steps [{:parent :queue-nack :args {:message :taken :error :why :max-attempts 1}}]}}
{:name :taken :parent :assert-some :args {:value :first-taken}}
{:name :first-taken :parent :first :args {:coll {:parent :queue-take :args {:queue "orders"}}}}
{:name :why :parent :handling-error
 :args {:outcome {:value :failed} :type "thrown" :message "no stock" :place "ship rows.edn:3"
        :delay-ms nil}}
"""


@pytest.fixture
def dead(run, rows):
    """The id of a dead message in `orders`."""
    message_id = run("publish", "orders", '{"sku": "tea"}').out.strip()
    path = rows(FAIL_ONCE)
    assert run("run", "turn").out == ":dead\n"
    path.unlink()
    return message_id


def test_publish_prints_the_id_of_a_message_that_waits(run):
    """QUEUES 1.6"""
    result = run("publish", "orders", '{"sku": "tea"}')
    message_id = str(UUID(result.out.strip()))
    assert (result.code, result.err) == (0, "")
    [message] = run("queues", "show", "orders", "--json").json["messages"]
    assert (message["id"], message["state"], message["attempts"], message["payload"]) == (
        message_id,
        "pending",
        0,
        {"sku": "tea"},
    )


def test_publish_as_json(run):
    UUID(run("publish", "orders", "1", "--json").json["id"])


def test_a_delayed_message(run):
    run("publish", "orders", "1", "--delay-ms", "60000")
    [message] = run("queues", "show", "orders", "--state", "delayed", "--json").json["messages"]
    assert message["due"]


def test_a_key_stores_once(run):
    """QUEUES 2.2"""
    first = run("publish", "orders", "1", "--key", "k")
    assert run("publish", "orders", "1", "--key", "k").out == first.out
    conflict = run("publish", "orders", "2", "--key", "k", "--json")
    assert (conflict.code, conflict.json["error"]["code"]) == (1, "key-conflict")


def test_a_message_that_is_not_json_is_wrong_use(run):
    result = run("publish", "orders", "tea")
    assert result.code == 2
    assert "the message is not JSON" in result.err


def test_queues_without_an_action_lists(run):
    assert run("queues").out == "no queues\n"
    run("publish", "orders", "1")
    run("publish", "orders", "2", "--delay-ms", "60000")
    out = run("queues").out.splitlines()
    assert out[0].split() == [
        "QUEUE", "PENDING", "DELAYED", "CLAIMED", "LAPSED", "DEAD", "OLDEST",
    ]  # fmt: skip
    assert out[1].split()[:6] == ["orders", "1", "1", "0", "0", "0"]
    [queue] = run("queues", "list", "--json").json["queues"]
    assert queue.pop("oldest-ms") >= 0
    assert queue == {
        "queue": "orders", "pending": 1, "delayed": 1, "claimed": 0, "lapsed": 0, "dead": 0,
    }  # fmt: skip


def test_a_dead_message_shows_its_error(run, dead):
    """QUEUES 4.1"""
    [message] = run("queues", "show", "orders", "--state", "dead", "--json").json["messages"]
    assert (message["id"], message["attempts"]) == (dead, 1)
    assert message["error"] == {
        "outcome": "failed", "type": "thrown",
        "message": "no stock", "place": "ship rows.edn:3",
    }  # fmt: skip
    assert "thrown: no stock (ship rows.edn:3)" in run("queues", "show", "orders").out


def test_requeue_gives_a_new_life(run, dead):
    """QUEUES 4.3"""
    result = run("queues", "requeue", dead)
    assert (result.code, result.out) == (0, f"{dead}  requeued\n")
    [message] = run("queues", "show", "orders", "--json").json["messages"]
    assert (message["id"], message["state"], message["attempts"], message["error"]) == (
        dead,
        "pending",
        0,
        None,
    )


def test_requeue_of_what_is_not_dead_is_refused(run):
    """QUEUES 4.3"""
    waiting, nobody = run("publish", "orders", "1").out.strip(), str(uuid4())
    result = run("queues", "requeue", waiting, nobody, "--json")
    assert result.code == 1
    assert result.json["results"] == [
        {
            "id": waiting,
            "result": "refused",
            "reason": "it is not dead: it waits to be taken",
        },
        {"id": nobody, "result": "missing", "reason": "there is no such message"},
    ]


def test_delete(run, dead):
    assert run("queues", "delete", dead).out == f"{dead}  deleted\n"
    assert run("queues", "show", "orders").out == "no messages in orders\n"


def test_an_id_that_is_none_is_wrong_use(run):
    result = run("queues", "requeue", "dead")
    assert result.code == 2
    assert "'dead' is not the id of a message" in result.err


def test_db_migrate_and_status(run):
    """QUEUES 8.2"""
    before = run("db", "status", "--json")
    assert before.code == 1
    assert {m["state"] for m in before.json["migrations"]} == {"pending"}
    migrated = run("db", "migrate", "--json")
    assert migrated.code == 0
    assert {
        "package": "graphden_postgres", "number": 1, "name": "queues",
    } in migrated.json["applied"]  # fmt: skip
    after = run("db", "status", "--json")
    assert after.code == 0
    assert {m["state"] for m in after.json["migrations"]} == {"applied"}
    assert run("db", "migrate", "--json").json == {"applied": []}


def test_db_status_as_a_table(run):
    out = run("db", "status").out.splitlines()
    assert out[0].startswith(("PostgreSQL ", "embedded"))
    assert out[1].split() == ["PACKAGE", "NUMBER", "NAME", "STATE"]
    assert out[2].split() == ["graphden_postgres", "0001", "queues", "pending"]


def test_db_alone_is_wrong_use(run):
    assert run("db").code == 2


def test_the_option_wins_over_the_environment(run, monkeypatch, database):
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nowhere")
    assert run("publish", "orders", "1", "--database-url", database).code == 0
    assert run("queues", "--database-url", database, "list").code == 0
    assert run("queues", "list", "--database-url", database).code == 0
