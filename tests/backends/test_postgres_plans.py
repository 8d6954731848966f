"""The plans of the hot statements: beside many other rows, and with statistics that are empty,
each walks an index in order. A plan that collects, sorts or scans the backlog fails here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest

from graphden_postgres.statements import claim_statement, statement
from graphden_postgres.writing import uuid_array

OTHERS = 20_000
MANY_OTHERS = 1_000_000

HOT = {
    "claim": claim_statement(10),
    **{
        name: statement(name)
        for name in (
            "promote",
            "claim_lapsed",
            "read_claim",
            "settle",
            "ack",
            "fail",
            "extend",
        )
    },
}
VALUES = {
    "queue": "busy",
    "id": uuid4(),
    "token": uuid4(),
    "visibility_ms": 1_000.0,
    "delay_ms": 1_000.0,
    "max_attempts": 5,
    "error": "{}",
    "consumer": "test",
    "finished": uuid_array([uuid4()]),
    "settled_ids": uuid_array([uuid4() for _ in range(10)]),
    "settled_tokens": uuid_array([uuid4()] * 10),
    "handlings": None,
    "record_died": True,
    "operator": "somebody@somewhere:1",
}
FILL = """
    INSERT INTO graphden.queue_message (id, queue_id, position, due_at, died_at, payload)
    SELECT
        gen_random_uuid(),
        graphden.queue_id(CASE WHEN mod(number, 4) < 3 THEN 'busy' ELSE 'other' END),
        CASE WHEN mod(number, 4) IN (0, 3) THEN nextval('graphden.queue_position') END,
        CASE WHEN mod(number, 4) = 1 THEN now() + interval '1 day' END,
        CASE WHEN mod(number, 4) = 2 THEN now() END,
        '{}'
    FROM generate_series(1, %s) AS number
"""


@pytest.fixture(
    scope="module",
    params=["empty", "fresh", pytest.param("many", marks=[pytest.mark.slow])],
)
def session(request, postgres_url):
    """A session like the backend's, in a database with a backlog; its rows never commit."""
    with psycopg.connect(postgres_url) as connection:
        connection.execute(statement("open_session"))
        connection.execute(FILL, [MANY_OTHERS if request.param == "many" else OTHERS])
        if request.param == "fresh":
            connection.execute("ANALYZE graphden.queue_message")
        yield connection
        connection.rollback()


def steps(node):
    """A plan node and all below it."""
    yield node
    for inner in node.get("Plans", []):
        yield from steps(inner)


def inputs(node):
    """A plan node and what it reads, without the statements planned beside it."""
    yield node
    for inner in node.get("Plans", []):
        if "Subplan Name" not in inner:
            yield from inputs(inner)


@pytest.mark.parametrize("name", HOT)
def test_a_hot_statement_walks_an_index(session, name):
    [[plans]] = session.execute(b"EXPLAIN (FORMAT json) " + HOT[name], VALUES).fetchall()
    on_messages = [
        (step["Node Type"], step.get("Index Name"))
        for step in steps(plans[0]["Plan"])
        if step.get("Relation Name") == "queue_message" and "Scan" in step["Node Type"]
    ]
    assert on_messages
    assert {kind for kind, _ in on_messages} <= {"Index Scan", "Index Only Scan"}


@pytest.mark.parametrize("name", ["claim", "promote"])
def test_a_backlog_is_not_sorted(session, name):
    [[plans]] = session.execute(b"EXPLAIN (FORMAT json) " + HOT[name], VALUES).fetchall()
    sorted_scans = [
        below["Node Type"]
        for step in steps(plans[0]["Plan"])
        if step["Node Type"] == "Sort"
        for below in inputs(step)
        if below.get("Relation Name") == "queue_message"
    ]
    assert sorted_scans == []


@pytest.mark.parametrize(
    ("name", "index"), [("claim", "queue_message_ready"), ("promote", "queue_message_delayed")]
)
def test_it_is_the_index_of_its_lane(session, name, index):
    [[plans]] = session.execute(b"EXPLAIN (FORMAT json) " + HOT[name], VALUES).fetchall()
    used = {step.get("Index Name") for step in steps(plans[0]["Plan"])}
    assert index in used


LATE = datetime(2100, 1, 1, tzinfo=UTC)
FEW_PAGES = 200
"""More than any of these needs for a few messages, and less than the table has."""
SEVERAL = {
    "ids": [uuid4() for _ in range(5)],
    "payloads": ["{}"] * 5,
    "keys": ["a", "b", "c", "d", "e"],
    "digests": [b"x"] * 5,
    "operator": "somebody@somewhere:1",
}
ACTS = {
    "publish": {"id": uuid4(), "payload": "{}", "trace_id": None},
    "publish_many": {**SEVERAL, "keys": None, "digests": None},
    "publish_many with keys": SEVERAL,
    "find_messages": SEVERAL,
    "requeue": SEVERAL,
    "delete": SEVERAL,
    **{
        f"list_messages {state}": {"state": state, "limit": 5}
        for state in (None, "pending", "delayed", "claimed", "lapsed", "dead")
    },
    **{
        f"purge {state}": {**SEVERAL, "state": state, "limit": 5, "until": LATE, "force": True}
        for state in (None, "claimed")
    },
    "count_held": {"until": datetime.now(UTC)},
    "note_activity": {"queues": ["busy"], "taken": [7]},
    "pause": {},
    "resume": {},
    "retain": {"dead_ms": 60_000.0},
}
COMMON = {
    "queue": "busy",
    "consumer": "test",
    "delay_ms": 0.0,
    "trace_id": None,
    "parent_execution_id": None,
    "key_lifetime_ms": 1_000.0,
}


@pytest.mark.parametrize("act", ACTS)
def test_what_publishers_and_operators_do_reads_few_pages_beside_a_backlog(session, act):
    """Pages are counted as they are read, those of functions that are called included."""
    text = b"EXPLAIN (ANALYZE, BUFFERS, FORMAT json) " + statement(act.partition(" ")[0])
    for _first_reads_the_catalog_too in range(2):
        with session.transaction(force_rollback=True):
            [[plans]] = session.execute(text, COMMON | ACTS[act]).fetchall()
    plan = plans[0]["Plan"]
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < FEW_PAGES


def test_a_whole_table_has_more_pages_than_that(session):
    [[pages]] = session.execute(
        "SELECT pg_relation_size('graphden.queue_message') / 8192"
    ).fetchall()
    assert pages > FEW_PAGES
