"""The graph of the tutorial, as it stands: a retry after five seconds, dead after five runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from graphden import Graph
from graphden.files import packages
from graphden.run import Context, Resources
from graphden.store import migrate

ROWS = """
{:name :tutorial-queue-publish :parent :queue-publish :args {:queue "QUEUE" :delay-ms 0}}
{:name :tutorial-queue-handler :parent :parse-json :args {:string "TEXT" :keywordize true}}
{:name :tutorial-queue-worker :parent :pg-queue-consumer
 :args {:queue "QUEUE" :handler :tutorial-queue-handler}}
"""


class Story:
    """One telling of it, on a database of its own."""

    def __init__(self, url: str) -> None:
        self.resources = Resources()
        self.resources.provide("database-url", lambda: url)
        self.queue = f"tutorial-39-{uuid4()}"
        self.seen: list[tuple[str, int]] = []

    def rows(self, text: str) -> Graph:
        rows = ROWS.replace("QUEUE", self.queue).replace("TEXT", text)
        return Graph.parse(rows, file="tutorial.edn")

    def messages(self) -> list[dict[str, Any]]:
        context = Context(resources=self.resources)
        found = Graph.parse("").run("queue-messages", {"queue": self.queue}, context=context)
        return list(found)  # type: ignore[call-overload]

    def until(self, condition: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        end = time.monotonic() + 40
        while not condition(found := self.messages()):
            assert time.monotonic() < end, found
            time.sleep(0.02)
        return found

    def tell(self) -> None:
        broken = self.rows("not JSON")
        context = Context(resources=self.resources)
        known = broken.run("tutorial-queue-publish", {"payload": {"n": 1}}, context=context)
        [waiting] = self.messages()
        assert (waiting["id"], waiting["state"], waiting["attempts"]) == (known, "pending", 0)

        stop = Context(resources=self.resources)
        worker = threading.Thread(
            target=lambda: broken.run("tutorial-queue-worker", context=stop)
        )
        worker.start()
        [tried] = self.until(lambda found: found[0]["state"] == "delayed")
        assert tried["attempts"] == 1
        until_due = (tried["due"] - datetime.now(UTC)).total_seconds()
        assert 3 < until_due <= 5.1
        [dead] = self.until(lambda found: found[0]["state"] == "dead")
        assert dead["attempts"] == 5
        assert dead["error"]["type"] == "malformed-json"
        assert dead["error"]["place"] == "tutorial-queue-handler tutorial.edn:3"
        stop.request_stop()
        worker.join(10)
        assert not worker.is_alive()

        broken.run("queue-requeue", {"ids": [known]}, context=context)
        [again] = self.messages()
        assert (again["id"], again["state"], again["attempts"]) == (known, "pending", 0)
        assert again["error"] is None

        stop = Context(resources=self.resources)
        mended = self.rows("{}")
        worker = threading.Thread(
            target=lambda: mended.run("tutorial-queue-worker", context=stop)
        )
        worker.start()
        self.until(lambda found: not found)
        stop.request_stop()
        worker.join(10)
        assert not worker.is_alive()
        self.resources.close()


def test_the_tutorial_on_both_servers_at_once(
    fresh_database: Callable[[str], str], request: pytest.FixtureRequest
) -> None:
    stories = []
    for server in ("embedded", "system"):
        url = fresh_database(server)
        migrate(url, packages())
        stories.append(Story(url))
    failures: list[BaseException] = []

    def tell(story: Story) -> None:
        try:
            story.tell()
        except BaseException as error:
            failures.append(error)

    tellers = [threading.Thread(target=tell, args=(story,)) for story in stories]
    for teller in tellers:
        teller.start()
    for teller in tellers:
        teller.join()
    assert failures == []
