"""The plans of the hot statements: beside many other rows, and with statistics that are empty,
each walks an index in order. A plan that collects, sorts or scans the backlog fails here.
"""

from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest

from graphden_postgres.statements import claim_statement, statement
from graphden_postgres.writing import uuid_array

OTHERS = 20_000

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


@pytest.fixture(scope="module", params=["empty", "fresh"])
def session(request, postgres_url):
    """A session like the backend's, in a database with a backlog; its rows never commit."""
    with psycopg.connect(postgres_url) as connection:
        connection.execute(statement("open_session"))
        connection.execute(FILL, [OTHERS])
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
