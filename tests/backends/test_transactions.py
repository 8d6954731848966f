"""QUEUES 2.4: publishing as part of the user's own transaction, from Python and from SQL."""

from __future__ import annotations

import json
from contextlib import closing

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from graphden.edn import payload_text
from graphden.errors import RunError
from graphden_contract import payload_of

MINUTE = 60_000
SOON = 5.0


@pytest.fixture
def connection(postgres):
    """The user's own connection, with habits of its own."""
    with closing(psycopg.connect(postgres.url, row_factory=dict_row)) as opened:
        opened.execute("CREATE TEMPORARY TABLE orders (id int)")
        opened.commit()
        yield opened


@pytest.fixture
def within(postgres, connection):
    """A user whose runs belong to that transaction."""
    user = postgres.user()
    user.context.transaction = connection
    return user


def test_2_4_messages_are_there_when_it_commits_and_not_before(
    postgres, connection, within, queue
):
    other = postgres.user()
    one = within.publish(queue, {"n": 1})
    many = within.publish_many(queue, [2, 3])
    assert other.messages(queue) == []
    connection.commit()
    assert [message["id"] for message in other.messages(queue)] == [one, *many]


def test_2_4_and_gone_when_it_rolls_back(postgres, connection, within, queue):
    within.publish(queue, 1, key="k")
    within.publish_many(queue, [2, 3])
    connection.rollback()
    assert postgres.user().messages(queue) == []
    assert postgres.user().publish(queue, "other payload", key="k")


@pytest.mark.parametrize("sender", ["python", "sql"])
def test_2_4_the_commit_wakes_a_waiting_consumer(postgres, within, queue, background, sender):
    consumer = postgres.user()
    taking = background(consumer.take, queue, 1, 30_000, MINUTE)
    postgres.wait_until_idle(queue)
    connection = within.context.transaction
    if sender == "python":
        within.publish(queue, "work")
    else:
        connection.execute("SELECT graphden.publish(%s, '\"work\"')", [queue])
    connection.commit()
    assert taking.result(timeout=SOON)[0]["payload"] == "work"


def test_2_4_what_is_refused_leaves_the_transaction_usable(postgres, connection, within, queue):
    first = within.publish(queue, 1, key="k")
    connection.execute("INSERT INTO orders VALUES (7)")
    with pytest.raises(RunError) as caught:
        within.publish(queue, 2, key="k")
    assert (caught.value.code, caught.value.data) == ("key-conflict", {"id": first})
    with pytest.raises(RunError) as caught:
        within.publish_many(queue, [3, 4], keys=["l", "k"])
    assert caught.value.data == {"item": 1, "id": first}
    assert connection.execute("SELECT id FROM orders").fetchall() == [{"id": 7}]
    connection.commit()
    assert postgres.user().counts(queue) == {"pending": 1}


def test_2_4_a_connection_in_autocommit_commits_at_once(postgres, queue):
    user = postgres.user()
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        user.context.transaction = connection
        user.publish(queue, 1)
        assert postgres.user().counts(queue) == {"pending": 1}
        with connection.transaction(force_rollback=True):
            user.publish(queue, 2)
    assert postgres.user().counts(queue) == {"pending": 1}


def test_2_4_a_new_queue_named_in_a_long_transaction_makes_nobody_wait(
    postgres, within, queue, background
):
    within.publish(queue, 1)
    published = background(postgres.user().publish, queue, 2)
    assert published.result(timeout=SOON)


def test_2_4_python_and_sql_in_one_transaction_name_one_queue(
    postgres, connection, within, queue
):
    connection.execute("SELECT graphden.publish(%s, '1')", [queue])
    within.publish(queue, 2)
    connection.commit()
    assert [message["payload"] for message in postgres.user().take(queue)] == [1, 2]


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_2_4_strict_transactions_publish_to_queues_younger_than_they_are(
    postgres, connection, within, queue, level
):
    connection.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
    connection.execute("SELECT 1")
    postgres.user().publish(queue, 1)
    within.publish(queue, 2)
    connection.commit()
    assert postgres.user().counts(queue) == {"pending": 2}


def test_2_4_a_transaction_that_failed_says_so(connection, within, queue):
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute("SELECT 1 / 0")
    with pytest.raises(RunError) as caught:
        within.publish(queue, 1)
    assert (caught.value.code, caught.value.data) == ("queue-refused", {"sqlstate": "25P02"})


def test_2_4_a_connection_that_broke_says_so_and_stored_nothing(
    postgres, connection, within, queue
):
    within.publish(queue, 1)
    [pid] = connection.execute("SELECT pg_backend_pid()").fetchone().values()
    postgres.ask("SELECT pg_terminate_backend(%s, 5000)", pid)
    with pytest.raises(RunError) as caught:
        within.publish(queue, 2)
    assert caught.value.code == "queue-unavailable"
    assert postgres.user().messages(queue) == []


@pytest.mark.parametrize("wrong", ["postgresql://", 7])
def test_2_4_only_a_connection_is_a_transaction(postgres, queue, wrong):
    user = postgres.user()
    user.context.transaction = wrong
    with pytest.raises(RunError, match=r"must be a psycopg\.Connection"):
        user.publish(queue, 1)


# From SQL


def sql_publish(postgres, *arguments):
    marks = ", ".join(["%s", "%s::json", "%s", "%s"][: len(arguments)])
    return postgres.ask(f"SELECT graphden.publish({marks})", *arguments)[0][0]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("", "1"), "queue must have 1 to 200 characters"),
        (("x" * 201, "1"), "queue must have 1 to 200 characters"),
        ((None, "1"), "queue must have 1 to 200 characters"),
        (("q", None), "must not be NULL"),
        (("q", '"\\u0000"'), "NUL character"),
        (("q", '{"a\\u0000": 1}'), "NUL character"),
        (("q", '["\\ud800"]'), "surrogate"),
        (("q", '["\\udc00\\ud800"]'), "surrogate"),
        (("q", '["\\ud800\\\\udc00"]'), "surrogate"),
        (("q", "[1e400]"), "does not fit a float"),
        (("q", '{"a": [-1e309]}'), "does not fit a float"),
        (("q", "1" * 310 + ".5"), "does not fit a float"),
        (("q", "[" * 501 + "]" * 501), "nested deeper than 500"),
        (
            ("q", '"' + "x" * 1_048_576 + '"'),
            "1048578 bytes; a message carries at most 1048576",
        ),
        (("q", '"' + "ä" * 524_288 + '"'), "1048578 bytes"),
        (("q", "1", None), "delay_ms must be 0 to 315576000000"),
        (("q", "1", -1), "delay_ms must be 0 to 315576000000"),
        (("q", "1", 0, ""), "key must have 1 to 200 characters"),
        (("q", "1", 0, "x" * 201), "key must have 1 to 200 characters"),
    ],
)
def test_2_4_sql_has_the_same_limits_and_refusals(postgres, arguments, problem):
    with pytest.raises(psycopg.errors.InvalidParameterValue, match=problem):
        sql_publish(postgres, *arguments)


@pytest.mark.parametrize(
    "payload",
    [
        '"\\\\u0000 \\\\\\\\ud800"',
        '"\\ud83d\\udc18"',
        '{"[[": "1e400"}',
        "[1e308, 5e-324, -0.0, 1e22, " + "9" * 400 + "]",
        "[" * 500 + "]" * 500,
        '"' + "x" * 1_048_574 + '"',
        " null ",
    ],
)
def test_2_4_what_python_would_take_sql_takes_too(postgres, queue, payload):
    sql_publish(postgres, queue, payload)
    taken = postgres.user().take_one(queue)["payload"]
    assert repr(taken) == repr(json.loads(payload))


def test_2_2_keys_are_the_same_for_python_and_sql(postgres, queue):
    user = postgres.user()
    first = user.publish(queue, {"a": 1, "b": [1.5, None]}, key="k")
    assert sql_publish(postgres, queue, '{"b": [1.50, null], "a": 1}', 0, "k") == first
    second = sql_publish(postgres, queue, '{"a": 2, "a": 1}', 0, "l")
    assert user.publish(queue, {"a": 1}, key="l") == second
    with pytest.raises(psycopg.Error) as caught:
        sql_publish(postgres, queue, "1", 0, "k")
    assert (caught.value.sqlstate, caught.value.diag.message_detail) == ("GD001", str(first))
    assert user.counts(queue) == {"pending": 2}


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
PAYLOADS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payload=PAYLOADS)
def test_2_2_both_compute_the_same_digest(postgres, payload):
    text = payload_text(payload)
    [[digest, flaw]] = postgres.ask(
        "SELECT graphden.queue_payload_digest(%s::json), graphden.queue_payload_flaw(%s::json)",
        text,
        text,
    )
    assert (digest, flaw) == (payload_of(payload).digest(), None)


def test_2_4_a_session_with_old_settings_is_checked_alike(postgres, queue):
    with psycopg.connect(postgres.url) as connection:
        connection.execute("SET standard_conforming_strings = off")
        with pytest.raises(psycopg.errors.InvalidParameterValue, match="NUL"):
            connection.execute("SELECT graphden.publish(%s, %s)", [queue, '"\\u0000"'])


def test_2_4_jsonb_is_published_by_a_cast(postgres, queue):
    with psycopg.connect(postgres.url) as connection:
        connection.execute(
            "SELECT graphden.publish(%s, %s::json)", [queue, Jsonb({"sku": "tea"})]
        )
    assert postgres.user().take_one(queue)["payload"] == {"sku": "tea"}
