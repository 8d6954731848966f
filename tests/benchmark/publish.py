"""Publishing, one at a time and in bulk, as ratios to raw SQL in the same run.

    python -m tests.benchmark.publish [SECONDS]

The raw table has the columns and indexes of ours. Rounds are interleaved; medians are reported.
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

ROUNDS = 5
BULK = 1_000
PAYLOAD = {
    "order": 1_234_567,
    "sku": "green tea, loose",
    "quantity": 2,
    "paid": True,
    "by": "ada",
}
TEXT = json.dumps(PAYLOAD, separators=(",", ":"))
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


def rate(step: Callable[[], Any], seconds: float, messages: int = 1) -> float:
    """Messages per second."""
    began = now = time.perf_counter()
    count = 0
    while now - began < seconds:
        step()
        count += messages
        now = time.perf_counter()
    return count / (now - began)


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
        steps: dict[str, tuple[Callable[[], Any], int]] = {
            "raw": (lambda: raw.execute(RAW, [uuid4(), json.dumps(PAYLOAD)]).fetchall(), 1),
            "one": (lambda: publish("one", PAYLOAD, 0, None, context), 1),
            "one-with-key": (lambda: publish("one", PAYLOAD, 0, next(keys), context), 1),
            "app-one": (lambda: app.publish("one", PAYLOAD), 1),
            "raw-bulk": (raw_bulk, BULK),
            "bulk": (lambda: publish_many("bulk", payloads, 0, None, context), BULK),
        }
        rates: dict[str, list[float]] = {name: [] for name in steps}
        for _ in range(ROUNDS):
            for name, (step, messages) in steps.items():
                step()
                rates[name].append(rate(step, seconds, messages))
        medians = {name: median(found) for name, found in rates.items()}
        print(
            json.dumps(
                {
                    "per-second": {name: round(found) for name, found in medians.items()},
                    "ratio": {
                        name: round(medians[name] / medians[base], 2)
                        for name, base in (
                            ("one", "raw"),
                            ("one-with-key", "raw"),
                            ("app-one", "raw"),
                            ("bulk", "raw-bulk"),
                        )
                    },
                }
            )
        )
        app.close()
        raw.close()
        resources.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
