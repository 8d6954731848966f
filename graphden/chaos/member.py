"""The processes of a run of chaos: `python -m graphden.chaos.member worker|publisher LOG SEED`,
with the database's URL in GRAPHDEN_DATABASE_URL. They end at SIGTERM, or with their parent.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

from graphden.app import App
from graphden.chaos.log import Log
from graphden.edn import Keyword
from graphden.engine import Graph
from graphden.errors import GraphdenError

QUEUE = "chaos"
CLAIM_MS = 2_000
RETRY_MS = 50

ROWS = f"""
{{:name :take :parent :queue-take
 :args {{:queue "{QUEUE}" :batch 10 :visibility-ms {CLAIM_MS} :wait-ms 1000}}}}
{{:name :nack :parent :queue-nack :args {{:retry-ms {RETRY_MS} :max-attempts 1000}}}}
{{:name :extend :parent :queue-extend :args {{:visibility-ms {CLAIM_MS}}}}}
{{:name :worker :parent :queue-consumer
 :args {{:take :take :ack :queue-ack :nack :nack :extend :extend}}}}
"""

FAILING = 0.03
"""The share of handlings that fail."""

PAUSE_S = 0.2
"""A publisher's pause after an error."""


def work(log: Log, chance: random.Random, stop: threading.Event) -> None:
    """Handle messages until asked to stop, whatever happens to the database."""

    def handle(message: dict[object, object]) -> None:
        payload = message[Keyword("payload")]
        number = payload["number"]  # type: ignore[index]
        log.write("begun", number)
        if chance.random() < 0.1:
            time.sleep(chance.random() * 0.01)
        if chance.random() < FAILING:
            log.write("failed", number)
            raise RuntimeError("a handling that was to fail")
        log.write("done", number)

    with App.open([Graph.parse(ROWS)]) as app:
        while not stop.is_set():
            try:
                app.work("worker", stop=stop, args={"handler": handle})
            except GraphdenError as error:
                sys.stderr.write(f"worker {os.getpid()}: {error.code}: {error.message}\n")
                stop.wait(PAUSE_S)


def publish(log: Log, chance: random.Random, stop: threading.Event, rate: float) -> None:
    """Publish numbered messages, one by one and in bulk, `rate` a second."""
    numbers = itertools.count(os.getpid() << 32)
    began, sent = time.monotonic(), 0
    with App.open() as app:
        while not stop.is_set():
            count = 1 if chance.random() < 0.5 else chance.randint(2, 100)
            batch = list(itertools.islice(numbers, count))
            payloads = [{"number": number} for number in batch]
            delay_ms = chance.choice([0, 0, 0, 100])
            log.write_all("sent", batch)
            try:
                if count == 1:
                    app.publish(QUEUE, payloads[0], delay_ms=delay_ms)
                else:
                    app.publish_many(QUEUE, payloads, delay_ms=delay_ms)
                log.write_all("stored", batch)
            except GraphdenError as error:
                known = error.code != "publish-unknown"
                log.write_all("refused" if known else "unknown", batch)
                stop.wait(PAUSE_S)
            sent += count
            ahead = sent / rate - (time.monotonic() - began)
            if ahead > 0:
                stop.wait(ahead)


def main() -> None:
    """Be one of the processes."""
    kind, path, seed, rate = sys.argv[1:]
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow_parent() -> None:
        os.read(0, 1)
        stop.set()

    threading.Thread(target=follow_parent, daemon=True).start()
    log, chance = Log(Path(path)), random.Random(seed)
    if kind == "worker":
        work(log, chance, stop)
    else:
        publish(log, chance, stop, float(rate))


if __name__ == "__main__":
    main()
