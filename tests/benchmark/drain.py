"""How fast a consumer made of rows empties a queue, against the bare loop over psycopg.

    python -m tests.benchmark.drain [MESSAGES]

Prints JSON: messages a second of each, and the consumer's share of the bare loop's rate in the
same round, the median of the rounds. Both take and settle ten, then a hundred, at a time, one
statement and one commit a batch, on one embedded PostgreSQL with its usual durability. The bare
loop keeps no leases, fences nothing, repeats nothing and hands its messages to nobody.
`recording` is the consumer with an execution recorded for every handling.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import psycopg
from psycopg import sql

from graphden import Graph
from graphden.files import packages
from graphden.run import Context, Resources
from graphden.store import EmbeddedServer, migrate
from graphden_postgres.listening import Listener

ROUNDS = 3
BATCHES = (10, 100)
PAYLOAD = {
    "order": "A-1047",
    "items": [{"sku": "tea", "qty": 2}],
    "note": "leave it at the door",
}

ROWS = """
{{:name :take   :parent :queue-take
 :args {{:queue "drain" :batch {batch} :visibility-ms 30000 :wait-ms 60000
         :record "{record}"}}}}
{{:name :nack   :parent :queue-nack   :args {{:retry-ms 500 :max-attempts 3}}}}
{{:name :extend :parent :queue-extend :args {{:visibility-ms 30000}}}}
{{:name :look :parent :get
 :args {{:coll {{:as :message}} :key {{:value :payload}} :default nil}}}}
{{:name :worker :parent :queue-consumer
 :args {{:take :take :ack :queue-ack :nack :nack :extend :extend :handler :look}}}}
"""

SETUP = """
    CREATE TABLE bare (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        queue_id integer NOT NULL,
        claimed_until timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        payload json NOT NULL
    );
    CREATE INDEX bare_ready ON bare (queue_id, id) WHERE claimed_until IS NULL;
"""
FILL_BARE = "INSERT INTO bare (queue_id, payload) SELECT 1, %s FROM generate_series(1, %s)"
FILL = """
    INSERT INTO graphden.queue_message (id, queue_id, position, payload)
    SELECT gen_random_uuid(), graphden.queue_id('drain'), nextval('graphden.queue_position'), %s
    FROM generate_series(1, %s)
"""
BARE = """
    WITH done AS (DELETE FROM bare WHERE id = ANY(%(done)s)),
    picked AS (
        SELECT id FROM bare WHERE queue_id = 1 AND claimed_until IS NULL
        ORDER BY id LIMIT {batch} FOR UPDATE SKIP LOCKED
    )
    UPDATE bare SET claimed_until = now() + interval '30 s', attempts = attempts + 1
    FROM picked WHERE bare.id = picked.id
    RETURNING bare.id, bare.payload
"""


def drain_bare(url: str, batch: int, messages: int) -> float:
    """Messages a second of the bare loop."""
    text = sql.SQL(BARE).format(batch=sql.Literal(batch))
    with psycopg.connect(url, autocommit=True, prepare_threshold=1) as connection:
        connection.execute("SET enable_seqscan = off")
        connection.execute("SET enable_bitmapscan = off")
        connection.execute("SET jit = off")
        done: list[int] = []
        began = time.perf_counter()
        while rows := connection.execute(text, {"done": done}).fetchall():
            done = [row[0] for row in rows]
        return messages / (time.perf_counter() - began)


class Idle:
    """Tells when a take of this process begins to wait."""

    def __init__(self) -> None:
        self.event = threading.Event()
        subscribed = Listener.subscribed

        def telling(listener: Listener, queue_id: int, waiter: object) -> object:
            self.event.set()
            return subscribed(listener, queue_id, waiter)  # type: ignore[arg-type]

        Listener.subscribed = telling  # type: ignore[assignment, method-assign]


def drain_consumer(url: str, batch: int, record: str, messages: int, idle: Idle) -> float:
    """Messages a second of the consumer, until it waits for more."""
    graph = Graph.parse(ROWS.format(batch=batch, record=record))
    resources = Resources()
    resources.provide("database-url", lambda: url)
    context = Context(resources=resources)
    idle.event.clear()
    worker = threading.Thread(target=graph.run, args=("worker",), kwargs={"context": context})
    began = time.perf_counter()
    worker.start()
    if not idle.event.wait(60):
        raise TimeoutError
    rate = messages / (time.perf_counter() - began)
    context.request_stop()
    worker.join()
    resources.close()
    return rate


def measure(url: str, messages: int) -> dict[str, object]:
    """The rates of all by batch, the rounds taking turns."""
    idle = Idle()
    result: dict[str, object] = {}
    for batch in BATCHES:
        rates: dict[str, list[float]] = {"bare": [], "none": [], "all": []}
        for _ in range(ROUNDS):
            fill(url, messages)
            rates["bare"].append(drain_bare(url, batch, messages))
            for record in ("none", "all"):
                fill(url, messages)
                rates[record].append(drain_consumer(url, batch, record, messages, idle))
        result[f"batch {batch}"] = {
            "bare": round(statistics.median(rates["bare"])),
            "consumer": round(statistics.median(rates["none"])),
            "recording": round(statistics.median(rates["all"])),
            "share": share(rates["none"], rates["bare"]),
            "recording share of the consumer": share(rates["all"], rates["none"]),
        }
    return result


def share(rates: list[float], of: list[float]) -> float:
    """The median of what each rate is of the other one in its round."""
    return round(statistics.median(one / two for one, two in zip(rates, of, strict=True)), 3)


def fill(url: str, messages: int) -> None:
    """Both tables anew, with statistics."""
    text = json.dumps(PAYLOAD)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("TRUNCATE bare, graphden.queue_message, graphden.queue_lease")
        connection.execute(FILL_BARE, [text, messages])
        connection.execute(FILL, [text, messages])
        connection.execute("VACUUM ANALYZE")


def main() -> None:
    """Measure, and print."""
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedServer.join(Path(folder)) as server,
    ):
        migrate(server.url, packages())
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(SETUP)
        print(json.dumps({"messages": messages, **measure(server.url, messages)}, indent=2))


if __name__ == "__main__":
    main()
