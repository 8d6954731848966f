"""Publishing, one at a time and in bulk, as ratios to raw SQL in the same run.

    python -m tests.benchmark.publish [SECONDS]

The raw table has the columns and indexes of ours; medians of interleaved calls.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

import psycopg

import graphden_postgres
from graphden import App
from graphden.run import Context, Resources
from graphden.store import EmbeddedServer, migrate
from graphden_postgres.publishing import publish, publish_many

TURN = 5
BULK = 1_000
PAYLOAD = {
    "order": 1_234_567,
    "sku": "green tea, loose",
    "quantity": 2,
    "paid": True,
    "by": "ada",
}
RAW_TABLE = "CREATE TABLE raw_message (LIKE graphden.queue_message INCLUDING ALL)"
RAW = """
    INSERT INTO raw_message (id, queue_id, position, payload)
    VALUES (%s, 1, nextval('graphden.queue_position'), %s::json) RETURNING id
"""
RAW_BULK = """
    INSERT INTO raw_message (id, queue_id, position, payload)
    SELECT id, 1, nextval('graphden.queue_position'), payload::json
    FROM unnest(%b::uuid[], %b::text[]) AS given (id, payload) RETURNING id
"""


def seconds_each(steps: dict[str, Callable[[], Any]], seconds: float) -> dict[str, float]:
    """The median time of each step. They take turns, a few calls each, so that what else the
    machine does meets all alike.
    """
    times: dict[str, list[float]] = {name: [] for name in steps}
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        for name, step in steps.items():
            step()
            for _ in range(TURN):
                began = time.perf_counter()
                step()
                times[name].append(time.perf_counter() - began)
    return {name: median(found) for name, found in times.items()}


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer.join(Path(folder)) as server:
        migrate(server.url, [graphden_postgres.package])
        resources = Resources()
        resources.provide("database-url", lambda: server.url)
        context = Context(resources)
        app = App.open(database_url=server.url)
        raw = psycopg.connect(server.url, autocommit=True, prepare_threshold=1)
        raw.execute(RAW_TABLE)

        def raw_bulk() -> None:
            ids = [uuid4() for _ in range(BULK)]
            texts = [json.dumps(PAYLOAD, separators=(",", ":")) for _ in range(BULK)]
            raw.execute(RAW_BULK, [ids, texts]).fetchall()

        payloads = [PAYLOAD] * BULK
        keys = (f"key-{number}" for number in range(10**9))
        one = {
            "raw": lambda: raw.execute(RAW, [uuid4(), json.dumps(PAYLOAD)]).fetchall(),
            "one": lambda: publish("one", PAYLOAD, 0, None, context),
            "one-with-key": lambda: publish("one", PAYLOAD, 0, next(keys), context),
            "app-one": lambda: app.publish("one", PAYLOAD),
        }
        bulk = {
            "raw": raw_bulk,
            "bulk": lambda: publish_many("bulk", payloads, 0, None, context),
        }
        report = {}
        for steps, messages in ((one, 1), (bulk, BULK)):
            found = seconds_each(steps, seconds)
            for name, each in found.items():
                if name != "raw":
                    report[name] = {
                        "per-second": round(messages / each),
                        "raw-per-second": round(messages / found["raw"]),
                        "ratio": round(found["raw"] / each, 2),
                    }
        print(json.dumps(report))
        app.close()
        raw.close()
        resources.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
