"""QUEUES 2: what is published is kept exactly, or refused with nothing stored."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphden.edn import Keyword
from graphden.errors import RunError

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
PAYLOADS = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def exactly(value: object) -> str:
    """Tells apart what Python takes for equal: 1, 1.0 and True, 0.0 and -0.0."""
    return repr(value)


def test_2_1_a_published_message_is_there_for_others(backend, queue):
    published = backend.user().publish(queue, {"sku": "A-1"})
    message = backend.user().take_one(queue)
    assert (message["id"], message["queue"], message["payload"], message["attempts"]) == (
        published,
        queue,
        {"sku": "A-1"},
        1,
    )


def test_1_5_a_message_carries_the_trace_of_the_run_that_published_it(queues, queue):
    queues.context.trace_id, queues.context.execution_id = uuid4(), uuid4()
    queues.publish(queue)
    message = queues.take_one(queue)
    assert message["trace-id"] == queues.context.trace_id
    assert message["parent-execution-id"] == queues.context.execution_id


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payload=PAYLOADS)
def test_2_5_a_payload_comes_back_as_it_went(queues, queue, payload):
    queues.publish(queue, payload)
    message = queues.take_one(queue)
    queues.ack(message)
    assert exactly(message["payload"]) == exactly(payload)


@pytest.mark.parametrize("number", [1e22, -0.0, 10**29 + 7, 5e-324, 1.7976931348623157e308])
def test_2_5_numbers_keep_every_digit(queues, queue, number):
    queues.publish(queue, [number])
    assert exactly(queues.take_one(queue)["payload"]) == exactly([number])


def test_2_5_values_that_json_has_no_type_for_follow_the_one_mapping(queues, queue):
    instant = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    name = UUID(int=7)
    queues.publish(queue, {Keyword("a"): Keyword("b"), "id": name, "at": instant})
    payload = queues.take_one(queue)["payload"]
    assert payload["a"] == "b"
    assert not isinstance(payload["a"], Keyword)
    assert payload["id"] == str(name)
    assert datetime.fromisoformat(payload["at"]) == instant


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        ({"a": ["\0"]}, ["a", 0]),
        ({"a": "\ud800"}, ["a"]),
        ([1, math.nan], [1]),
        ([math.inf], [0]),
        ({"a": {1: 2}}, ["a"]),
        ({"a": frozenset()}, ["a"]),
        ({"a": b"bytes"}, ["a"]),
        ({"a": Decimal("NaN")}, ["a"]),
        ({"a": print}, ["a"]),
    ],
)
def test_2_5_a_payload_that_cannot_be_kept_is_refused_with_its_path(
    queues, queue, payload, path
):
    queues.publish(queue, "before")
    with pytest.raises(RunError) as caught:
        queues.publish(queue, payload)
    assert (caught.value.code, caught.value.data["path"]) == ("invalid-payload", path)
    assert queues.counts(queue) == {"pending": 1}


def test_2_5_a_payload_of_the_greatest_size_is_kept(queues, queue):
    queues.publish(queue, "x" * (1_048_576 - 2))
    assert len(queues.take_one(queue)["payload"]) == 1_048_574


def test_2_5_a_larger_payload_is_refused_with_size_and_limit(queues, queue):
    with pytest.raises(RunError) as caught:
        queues.publish(queue, "ä" * 524_288)
    assert caught.value.code == "payload-too-large"
    assert caught.value.data == {"size": 1_048_578, "limit": 1_048_576}


@pytest.mark.parametrize(
    "name",
    [" ", "Orders", "'; DROP TABLE x; --", '"%s {limit} $1', "a\nb\t", "é", "e\u0301", "🐘"],
)
def test_2_7_a_queue_name_is_plain_data(queues, queue, name):
    unique = f"{name}{queue}"
    queues.publish(unique, 1)
    assert queues.take_one(unique)["queue"] == unique


def test_2_7_names_are_never_folded(queues, queue):
    queues.publish(queue.upper(), 1)
    assert queues.take(queue) == []
    assert queues.take(f"{queue.upper()} ") == []
    assert len(queues.take(queue.upper())) == 1


def test_2_7_the_length_of_a_name_counts_characters(queues):
    name = "🐘" * 200
    queues.publish(name, 1)
    queues.ack(queues.take_one(name))
    with pytest.raises(RunError, match="1 to 200 characters, not 201"):
        queues.publish(name + "!", 1)


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", None, 7, Keyword("orders")])
def test_2_7_other_names_are_refused(queues, name):
    for refused in (lambda: queues.publish(name), lambda: queues.take(name)):
        with pytest.raises(RunError) as caught:
            refused()
        assert (caught.value.code, caught.value.data) == ("invalid-argument", {"slot": "queue"})


BAD_TIMES = [-1, -0.5, math.nan, math.inf, -math.inf, Decimal("NaN"), 10**30, True, "5", None]


@pytest.mark.parametrize("bad", BAD_TIMES)
@pytest.mark.parametrize(
    ("slot", "call"),
    [
        ("delay-ms", lambda queues, bad, _: queues.publish("any", 1, delay_ms=bad)),
        ("visibility-ms", lambda queues, bad, _: queues.take("any", visibility_ms=bad)),
        ("wait-ms", lambda queues, bad, _: queues.take("any", wait_ms=bad)),
        ("visibility-ms", lambda queues, bad, held: queues.extend(held, bad)),
        ("retry-ms", lambda queues, bad, held: queues.nack(held, retry_ms=bad)),
    ],
    ids=["publish", "take-visibility", "take-wait", "extend", "nack"],
)
def test_2_8_times_out_of_range_are_refused(queues, queue, slot, call, bad):
    queues.publish(queue)
    held = queues.take_one(queue)
    with pytest.raises(RunError) as caught:
        call(queues, bad, held)
    assert (caught.value.code, caught.value.data) == ("invalid-argument", {"slot": slot})
    assert queues.ack(held) == "done"


@pytest.mark.parametrize("bad", [0, -1, 1_001, 10**30, 1.0, True, "5", None])
def test_2_8_batches_out_of_range_are_refused(queues, queue, bad):
    with pytest.raises(RunError) as caught:
        queues.take(queue, batch=bad)
    assert (caught.value.code, caught.value.data) == ("invalid-argument", {"slot": "batch"})


@pytest.mark.parametrize("bad", [0, -1, 1_000_001, 1.5, True, None])
def test_2_8_attempts_out_of_range_are_refused(queues, queue, bad):
    queues.publish(queue)
    held = queues.take_one(queue)
    with pytest.raises(RunError) as caught:
        queues.nack(held, max_attempts=bad)
    assert (caught.value.code, caught.value.data) == (
        "invalid-argument",
        {"slot": "max-attempts"},
    )


def test_2_8_a_claim_of_no_time_is_refused(queues, queue):
    with pytest.raises(RunError, match="1 to 604,800,000 ms, not 0"):
        queues.take(queue, visibility_ms=0)


@pytest.mark.parametrize("number", [250, 250.5, Decimal("250.5")])
def test_2_8_every_kind_of_number_is_a_time(queues, queue, number):
    queues.publish(queue, 1, delay_ms=number)
    assert queues.counts(queue) == {"delayed": 1}
