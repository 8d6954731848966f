"""QUEUES 2.4, 3.4, 5.1, 5.5, 5.6 on PostgreSQL: what only a shared server can do to a queue."""

from __future__ import annotations

import os
import traceback
import warnings
from time import monotonic

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from graphden.edn import Keyword
from graphden.errors import RunError
from graphden.run import Context, Resources
from graphden_postgres.connections import Connections, connections
from graphden_postgres.publishing import publish
from graphden_postgres.statements import statement
from graphden_postgres.taking import take

MINUTE = 60_000
SOON = 5.0

UNCHECKED = """
    INSERT INTO graphden.queue_message (id, queue_id, position, payload)
    SELECT gen_random_uuid(), id, nextval('graphden.queue_position'), %s::json
    FROM graphden.queue WHERE name = %s
"""
"""What nobody's publish writes, but a database lets others write."""


def context_for(url):
    resources = Resources()
    resources.provide("database-url", lambda: url)
    return Context(resources)


def test_5_6_sessions_that_the_server_ended_are_replaced_unnoticed(postgres, queue):
    user = postgres.user()
    user.publish(queue, 1)
    postgres.end_sessions()
    user.publish(queue, 2)
    [first, second] = user.take(queue)
    postgres.end_sessions()
    assert user.ack(first) == Keyword("done")
    postgres.end_sessions()
    assert user.extend(second) == Keyword("done")
    postgres.end_sessions()
    assert user.nack(second, "give-up") == Keyword("dead")


def test_5_1_a_listener_that_was_cut_off_listens_again(postgres, queue, background):
    consumer = postgres.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    postgres.wait_until_idle(queue)
    postgres.end_sessions("%LISTEN graphden_queue%")
    published = postgres.user().publish(queue)
    assert taking.result(timeout=SOON)[0]["id"] == published


def test_5_1_lost_notifications_cost_no_more_than_the_wait(postgres, queue, background):
    consumer = postgres.user()
    before = monotonic()
    taking = background(consumer.take, queue, 1, 30_000, 700)
    postgres.wait_until_idle(queue)
    postgres.ask(
        "DELETE FROM graphden.queue_idle WHERE queue_id = "
        "(SELECT id FROM graphden.queue WHERE name = %s)",
        queue,
    )
    published = postgres.user().publish(queue)
    assert taking.result(timeout=SOON)[0]["id"] == published
    assert monotonic() - before < SOON


def test_5_2_with_nobody_idle_nothing_is_notified(postgres, queue):
    with psycopg.connect(postgres.url, autocommit=True) as ear:
        ear.execute("LISTEN graphden_queue")
        user = postgres.user()
        user.publish(queue, 1)
        user.ack(user.take_one(queue))
        user.publish(queue, 2)
        ear.execute("SELECT 1")
        assert list(ear.notifies(timeout=0)) == []


def test_5_2_who_found_work_is_no_longer_idle(postgres, queue, background):
    consumer = postgres.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    postgres.wait_until_idle(queue)
    postgres.user().publish(queue)
    taking.result(timeout=SOON)
    marks = postgres.ask(
        "SELECT FROM graphden.queue_idle WHERE queue_id = "
        "(SELECT id FROM graphden.queue WHERE name = %s)",
        queue,
    )
    assert marks == []


def test_2_4_a_message_in_the_users_transaction_is_there_when_it_commits(
    postgres, queue, background
):
    consumer = postgres.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    postgres.wait_until_idle(queue)
    with psycopg.connect(postgres.url) as connection:
        [published] = connection.execute(
            'SELECT graphden.publish(%s, \'{"sku": "A-1"}\')', [queue]
        ).fetchone()
        assert consumer.messages(queue) == []
    [message] = taking.result(timeout=SOON)
    assert (message["id"], message["payload"]) == (published, {"sku": "A-1"})


def test_2_4_and_gone_when_it_rolls_back(postgres, queue):
    with psycopg.connect(postgres.url) as connection:
        connection.execute("SELECT graphden.publish(%s, '1')", [queue])
        connection.rollback()
    assert postgres.user().messages(queue) == []


@pytest.mark.parametrize("delay", ["-1", "'NaN'", "'Infinity'", "1e30", "NULL"])
def test_2_8_sql_refuses_delays_out_of_range_too(postgres, queue, delay):
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        postgres.ask(f"SELECT graphden.publish(%s, '1', {delay})", queue)


@pytest.mark.parametrize("payload", ['{"a": 1e400}', '["\\ud800"]'])
def test_4_1_a_payload_that_nobody_can_read_is_dead_and_harms_no_other(
    postgres, queue, payload
):
    user = postgres.user()
    user.publish(queue, "first")
    postgres.ask(UNCHECKED, payload, queue)
    user.publish(queue, "last")
    assert [message["payload"] for message in user.take(queue)] == ["first", "last"]
    [dead] = user.messages(queue, "dead")
    assert dead["error"]["type"] == "invalid-payload"
    assert dead["payload"] == payload


def test_4_1_a_queue_of_only_such_a_payload_goes_on(postgres, queue):
    user = postgres.user()
    postgres.ask("SELECT graphden.queue_id(%s)", queue)
    postgres.ask(UNCHECKED, "1e400", queue)
    assert user.take(queue) == []
    assert user.counts(queue) == {"dead": 1}


def test_3_4_one_renewal_answers_for_the_whole_take(postgres, queue, monkeypatch):
    user = postgres.user()
    for number in range(10):
        user.publish(queue, number)
    taken = user.take(queue)
    asked = []
    rows = Connections.rows

    def counted(pool, text, values, *lane):
        asked.append(text)
        return rows(pool, text, values, *lane)

    monkeypatch.setattr(Connections, "rows", counted)
    assert [user.extend(message) for message in taken] == [Keyword("done")] * 10
    assert asked == [statement("extend")]
    user.extend(taken[0])
    assert asked == [statement("extend")] * 2


def test_3_4_renewal_has_a_connection_of_its_own(postgres, queue):
    user = postgres.user()
    user.publish(queue)
    message = user.take_one(queue)
    with connections(user.context).use():
        assert user.extend(message) == Keyword("done")


def test_3_4_renewal_works_when_the_server_has_no_connection_left(postgres, queue, monkeypatch):
    user = postgres.user()
    user.publish(queue)
    message = user.take_one(queue)

    def full(_pool):
        raise psycopg.errors.TooManyConnections

    monkeypatch.setattr(Connections, "open", full)
    with connections(user.context).use():
        assert user.extend(message) == Keyword("done")


def leases(postgres, queue):
    return postgres.ask(
        "SELECT token FROM graphden.queue_lease WHERE queue_id = "
        "(SELECT id FROM graphden.queue WHERE name = %s)",
        queue,
    )


def test_a_settled_lease_is_dropped_with_the_next_take(postgres, queue):
    user = postgres.user()
    for number in range(3):
        user.publish(queue, number)
    for message in user.take(queue):
        assert len(leases(postgres, queue)) == 1
        user.ack(message)
    user.take(queue)
    assert leases(postgres, queue) == []


def test_a_lease_that_a_dead_worker_settled_is_swept_and_no_other(postgres, queue):
    user = postgres.user()
    user.publish(queue, "settled")
    settled = user.take_one(queue)
    user.ack(settled)
    user.publish(queue, "held")
    held = postgres.user().take_one(queue)
    postgres.ask("UPDATE graphden.queue_lease SET deadline = deadline - interval '1 hour'")
    connections(user.context).ask("sweep", {})
    assert leases(postgres, queue) == [(held["token"],)]
    assert user.counts(queue) == {"lapsed": 1}


def in_child(work):
    """Fork; exit code 0 of the child when `work` answers true."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            traceback.print_exc()
            os._exit(2)
    return child


def exit_code(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_5_6_a_forked_child_opens_connections_of_its_own(postgres, queue):
    user = postgres.user()
    user.publish(queue, "for the child")
    child = in_child(lambda: user.ack(user.take_one(queue, batch=1)) == Keyword("done"))
    user.publish(queue, "of the parent")
    assert exit_code(child) == 0
    assert [message["payload"] for message in user.take(queue)] == ["of the parent"]


def test_5_6_a_forked_child_listens_for_itself(postgres, queue):
    user = postgres.user()
    assert user.take(f"{queue}-parent", wait_ms=20) == []
    child = in_child(lambda: user.take(queue, wait_ms=MINUTE))
    postgres.wait_until_idle(queue)
    user.publish(queue)
    assert exit_code(child) == 0


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:s3cr3t@127.0.0.1:1/db",
        "postgresql://user:pa@s3cr3t@127.0.0.1:1/db",
        "postgresql://user:s3cr3t@127.0.0.1:s3cr3t/db",
        "postgresql://user@127.0.0.1:1/db?s3cr3t=1",
        "host=127.0.0.1 port=1 password=s3cr3t s3cr3t",
    ],
)
def test_no_error_shows_a_secret(url):
    with pytest.raises(RunError) as caught:
        publish("any", 1, 0, None, context_for(url))
    assert caught.value.code == "queue-unavailable"
    assert "s3cr3t" not in "".join(traceback.format_exception(caught.value))


def test_8_2_a_database_without_the_tables_says_what_to_do(database_url):
    context = context_for(database_url)
    for act in (
        lambda: publish("any", 1, 0, None, context),
        lambda: take("any", 1, 1_000, 0, record="all", context=context),
    ):
        with pytest.raises(RunError, match="missing") as caught:
            act()
        assert caught.value.code == "queue-not-migrated"
        assert "graphden db migrate" in caught.value.hint
    context.resources.close()


def test_5_5_a_read_only_server_refuses_and_stores_nothing(postgres, queue):
    user = postgres.user()
    user.publish(queue, 1)
    with connections(user.context).use() as connection:
        connection.execute("SET default_transaction_read_only = on")
    with pytest.raises(RunError) as caught:
        user.publish(queue, 2)
    assert caught.value.code == "queue-unavailable"
    with connections(user.context).use() as connection:
        connection.execute("SET default_transaction_read_only = off")
    assert user.counts(queue) == {"pending": 1}


def test_3_1_claims_do_not_depend_on_the_default_isolation_level(postgres):
    options = "-c default_transaction_isolation=serializable"
    pool = Connections(make_conninfo(postgres.url, options=options))
    level = pool.rows(b"SHOW transaction_isolation", {})
    pool.close()
    assert level == [("read committed",)]


def test_a_closed_app_uses_no_connection(postgres, queue):
    user = postgres.user()
    user.publish(queue)
    user.context.resources.close()
    with pytest.raises(RunError) as caught:
        user.publish(queue)
    assert caught.value.code == "resource-closed"
