"""`publish`, `queues` and `db` on both servers (QUEUES 8.1)."""

from __future__ import annotations

import io
import json
from uuid import UUID, uuid4

import pytest

from graphden.errors import RunError


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


def messages(run, state):
    """The messages of `orders` in a state."""
    return run("queues", "messages", "orders", "--state", state, "--json").json["messages"]


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
    [message] = run("queues", "messages", "orders", "--json").json["messages"]
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
    [message] = run("queues", "messages", "orders", "--state", "delayed", "--json").json[
        "messages"
    ]
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
        "QUEUE", "PENDING", "DELAYED", "CLAIMED", "LAPSED", "DEAD", "OLDEST", "RATE",
    ]  # fmt: skip
    assert out[1].split()[:6] == ["orders", "1", "1", "0", "0", "0"]
    [queue] = run("queues", "list", "--json").json["queues"]
    assert queue.pop("oldest-ms") >= 0
    assert queue == {
        "queue": "orders", "pending": 1, "delayed": 1, "claimed": 0, "lapsed": 0, "dead": 0,
        "rate": 0, "paused": False, "keep-dead-ms": None,
    }  # fmt: skip


def test_a_dead_message_shows_its_error(run, dead):
    """QUEUES 4.1"""
    [message] = run("queues", "messages", "orders", "--state", "dead", "--json").json[
        "messages"
    ]
    assert (message["id"], message["attempts"]) == (dead, 1)
    assert message["error"] == {
        "outcome": "failed", "type": "thrown",
        "message": "no stock", "place": "ship rows.edn:3",
    }  # fmt: skip
    assert "thrown: no stock (ship rows.edn:3)" in run("queues", "messages", "orders").out


def test_requeue_gives_a_new_life(run, dead):
    """QUEUES 4.3"""
    result = run("queues", "requeue", dead)
    assert (result.code, result.out) == (0, f"{dead}  requeued\n")
    [message] = run("queues", "messages", "orders", "--json").json["messages"]
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
    assert run("queues", "messages", "orders").out == "no messages in orders\n"


def test_ids_go_from_one_action_to_another(run, dead, monkeypatch):
    """QUEUES 4.3"""
    listed = run("queues", "messages", "orders", "--state", "dead", "--ids")
    assert listed.out == f"{dead}\n"
    assert run("queues", "messages", "orders", "--ids", "--json").json == {"ids": [dead]}
    monkeypatch.setattr("sys.stdin", io.StringIO(listed.out))
    assert run("queues", "requeue", "-").out == f"{dead}  requeued\n"


def test_purge(run, dead):
    """QUEUES 8.1"""
    run("publish", "orders", "1")
    run("publish", "orders", "2", "--delay-ms", "60000")
    assert run("queues", "purge", "orders", "--state", "delayed").out == "orders: 1 purged\n"
    assert run("queues", "purge", "orders", "--json").json == {
        "queue": "orders", "purged": 2, "held": 0,
    }  # fmt: skip
    assert run("queues", "messages", "orders").out == "no messages in orders\n"
    refused = run("queues", "purge", "orders", "--state", "claimed")
    assert refused.code == 1
    assert "claimed is purged only with force" in refused.err
    assert run("queues", "purge", "orders", "--state", "claimed", "--force").code == 0


def test_pause_and_resume(run):
    """QUEUES 8.1"""
    run("publish", "orders", "1")
    assert run("queues", "pause", "orders").out == "orders: paused\n"
    assert run("queues").out.splitlines()[1].endswith("0/min  paused")
    taken = run("run", "queue-take", "--args", '{"queue": "orders", "wait-ms": 0}')
    assert taken.out == "[]\n"
    resumed = run("queues", "resume", "orders", "--json").json["queue"]
    assert (resumed["queue"], resumed["paused"]) == ("orders", False)


def test_retain(run):
    """QUEUES 4.3"""
    assert run("queues", "retain", "orders", "60000").out == (
        "orders: dead messages stay 60,000 ms\n"
    )
    assert run("queues", "list", "--json").json["queues"][0]["keep-dead-ms"] == 60_000
    assert run("queues", "retain", "orders", "for-ever").out == (
        "orders: dead messages stay for ever\n"
    )
    assert run("queues", "list", "--json").json["queues"][0]["keep-dead-ms"] is None
    assert run("queues", "retain", "orders", "soon").code == 2


def test_top_prints_tables_one_after_another(run):
    """QUEUES 8.1"""
    run("publish", "orders", "1")
    out = run("queues", "top", "--every-ms", "1", "--times", "2").out
    assert out.count("QUEUE  ") == out.count("orders  ") == 2
    assert "\x1b" not in out
    lines = run("queues", "top", "--every-ms", "1", "--times", "3", "--json").out.splitlines()
    assert [json.loads(line)["queues"][0]["pending"] for line in lines] == [1, 1, 1]


def test_top_ends_with_ctrl_c_and_without_complaint(run, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("graphden.queues.Queues.list", interrupted)
    result = run("queues", "top")
    assert (result.code, result.out, result.err) == (0, "", "")


def test_top_waits_for_a_database_that_went_away(run, monkeypatch):
    answers = iter([[], RunError("queue-unavailable", "it is away"), []])

    def listed(_queues):
        answer = next(answers)
        if isinstance(answer, RunError):
            raise answer
        return answer

    monkeypatch.setattr("graphden.queues.Queues.list", listed)
    result = run("queues", "top", "--every-ms", "1", "--times", "3")
    assert (result.code, result.err) == (0, "error: it is away\n")
    assert result.out.count("no queues") == 2


@pytest.mark.parametrize(
    "action",
    ["list", "messages", "requeue", "delete", "purge", "pause", "resume", "retain", "top"],
)
def test_each_action_has_help_with_an_example(run, action, capsys):
    with pytest.raises(SystemExit) as ended:
        run("queues", action, "--help")
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert f"example:\n  graphden queues {action}" in said or "\n  graphden queues" in said
    assert {"--json", "--database-url"} <= set(said.replace(",", " ").split())


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
    assert run("db", "migrate", "--post", "--json").json == {"applied": []}


def test_db_status_as_a_table(run):
    out = run("db", "status").out.splitlines()
    assert out[0].startswith(("PostgreSQL ", "embedded"))
    assert out[1].split() == ["PACKAGE", "NUMBER", "NAME", "STATE"]
    listed = [line.split() for line in out[2:]]
    assert ["graphden_postgres", "0001", "queues", "pending"] in listed


def test_db_alone_is_wrong_use(run):
    assert run("db").code == 2


def test_the_option_wins_over_the_environment(run, monkeypatch, database):
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nowhere")
    assert run("publish", "orders", "1", "--database-url", database).code == 0
    assert run("queues", "--database-url", database, "list").code == 0
    assert run("queues", "list", "--database-url", database).code == 0
