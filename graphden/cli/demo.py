"""`graphden demo`: a worker that fails, is repaired, and finishes, against a real database.

Every sentence that claims something is printed after the queue itself was asked.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from graphden.app import App
from graphden.assets import folder as assets
from graphden.cli.opening import Progress
from graphden.cli.output import Style
from graphden.cli.parsing import add_database
from graphden.cli.worker_process import PATIENCE, WorkerProcess, worker
from graphden.errors import RunError

EXAMPLE = "  graphden demo"

_ORDERS = ({"sku": "tea", "qty": 2}, {"sku": "cocoa", "qty": 1}, {"sku": "coffee", "qty": 5})
_FAILING = _ORDERS[1]
_BROKEN = '{"tea" 4, "coffee" 7}'
_REPAIRED = '{"tea" 4, "coffee" 7, "cocoa" 9}'
_ATTEMPTS = 3
_LOOK_SECONDS = 0.05
_EMBEDDED_QUEUE = "orders"
_SHARED_QUEUE = "graphden-demo"
"""In a database that is not the demo's own, it keeps to this queue."""
_LOG_TIME = re.compile(r"^\S+ \S+ [A-Z]+ ")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the demo; 0 only when all it says was true."""
    url = arguments.database_url or os.environ.get("GRAPHDEN_DATABASE_URL") or None
    began = time.monotonic()
    with _ended_by_sigterm(), tempfile.TemporaryDirectory(prefix="graphden-demo-") as name:
        stage = _prepare(Path(name), url)
        with _opened(stage) as app:
            _play(stage, app)
    tell = Narrator()
    tell.fact(f"cleaned up; {time.monotonic() - began:.1f} s in all")
    tell.say("\nEverything above was checked against the queue itself. The rows are in")
    tell.say(f"{assets('lessons') / 'demo' / 'orders.edn'}: copy them and go on.")
    return 0


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """While inside, SIGTERM ends it as Ctrl-C does: in order, with everything cleaned up."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Narrator:
    """Tells the story line by line, in colours where they are wanted."""

    def __init__(self) -> None:
        self._style = Style(sys.stdout)
        self._step = 0

    def step(self, text: str) -> None:
        """Begin a numbered part."""
        self._step += 1
        self.say(f"\n{self._style('bold', f'{self._step}. {text}')}")

    def fact(self, text: str) -> None:
        """Say something that was verified."""
        self.say(f"   {self._style('green', '✓')} {text}")

    def news(self, text: str) -> None:
        """Say something that happens now."""
        self.say(f"   {text}")

    def command(self, text: str) -> None:
        """Show what one would type."""
        self.say(f"   {self._style('cyan', f'$ {text}')}")

    def worker(self, line: str) -> None:
        """Repeat what the worker logged."""
        self.say(f"   {self._style('dim', 'worker │')} {_LOG_TIME.sub('', line)}")

    def text(self, lines: list[str]) -> None:
        """Show a file."""
        for line in lines:
            self.say(self._style("dim", f"   │ {line}".rstrip()))

    def difference(self, number: int, before: str, after: str) -> None:
        """Show one changed line."""
        self.say(self._style("red", f"   {number:3} - {before}"))
        self.say(self._style("green", f"   {number:3} + {after}"))

    def say(self, text: str) -> None:
        """Print at once: it is told live, also through a pipe."""
        print(text, flush=True)


@dataclass(slots=True)
class Stage:
    """Where the demo plays: its folder with the rows, its database, its queue."""

    folder: Path
    url: str | None
    queue: str
    tell: Narrator = field(default_factory=Narrator)
    ids: dict[UUID, str] = field(default_factory=dict)
    """The published messages, by what they order."""

    @property
    def rows(self) -> Path:
        return self.folder / "orders.edn"


def _prepare(folder: Path, url: str | None) -> Stage:
    stage = Stage(folder, url, _EMBEDDED_QUEUE if url is None else _SHARED_QUEUE)
    text = (assets("lessons") / "demo" / "orders.edn").read_text("utf-8")
    stage.rows.write_text(text.replace(f'"{_EMBEDDED_QUEUE}"', f'"{stage.queue}"'), "utf-8")
    stage.tell.step("The rows: an order, a handler, a worker.")
    stage.tell.news(str(stage.rows))
    stage.tell.text(stage.rows.read_text("utf-8").splitlines())
    return stage


@contextmanager
def _opened(stage: Stage) -> Iterator[App]:
    stage.tell.step("A database.")
    project = stage.folder if stage.url is None else None
    with App.open(
        [stage.rows], database_url=stage.url, project=project, progress=Progress()
    ) as app:
        stage.tell.fact(app.database().describe())
        _sweep(stage, app)
        try:
            yield app
        finally:
            if stage.ids:
                app.queues.delete(stage.ids)


def _sweep(stage: Stage, app: App) -> None:
    """Remove what a demo that was cut off has left in the queue."""
    left = [message["id"] for message in app.queues.messages(stage.queue)]
    if left:
        results = {each["result"].text for each in app.queues.delete(left)}
        _verify("refused" not in results, f"another demo is using the queue {stage.queue}")


def _play(stage: Stage, app: App) -> None:
    _publish(stage, app)
    with _working(stage) as process:
        _see_it_fail(stage, app, process)
    failed = _look_at_the_dead(stage, app)
    _repair(stage)
    _requeue(stage, app, failed)
    with _working(stage) as process:
        _see_it_finish(stage, app, process, failed)


def _publish(stage: Stage, app: App) -> None:
    stage.tell.step("Three orders are published. Nobody works yet, so they wait.")
    for order in _ORDERS:
        message_id = cast("UUID", app.run("order-placed", {"payload": order}))
        stage.ids[message_id] = str(order["sku"])
        stage.tell.news(f"{_short(message_id)}  {order['qty']} {order['sku']}")
    found = {each["id"]: each for each in app.queues.messages(stage.queue)}
    _verify(found.keys() == stage.ids.keys(), "the queue does not hold the three orders")
    waiting = all(m["state"] == "pending" and m["attempts"] == 0 for m in found.values())
    _verify(waiting, "the orders do not wait")
    stage.tell.fact("3 messages are pending, 0 attempts each")


@contextmanager
def _working(stage: Stage) -> Iterator[WorkerProcess]:
    """A worker while inside; then it must have stopped in order."""
    stage.tell.step("A worker starts, a process of its own.")
    stage.tell.command("graphden work orders-worker orders.edn")
    with worker("orders-worker", stage.folder, stage.url) as process:
        process.wait_for("consuming")
        stage.tell.news(f"process {process.pid} is consuming")
        yield process
        code = process.stop()
        _verify(code == 0, f"the worker's exit code is {code}")
        stage.tell.fact("SIGTERM: the worker stopped in order, exit code 0")


def _see_it_fail(stage: Stage, app: App, process: WorkerProcess) -> None:
    seen: list[tuple[str, int]] = []

    def look(found: dict[UUID, dict[str, Any]]) -> bool:
        failing = [m for m in found.values() if m["payload"] == _FAILING]
        _verify(len(failing) == 1, "the failing order is not in the queue")
        state, attempts = failing[0]["state"].text, failing[0]["attempts"]
        if (state, attempts) not in seen:
            seen.append((state, attempts))
            if state == "delayed":
                stage.tell.news(f"{_FAILING['sku']}: attempt {attempts} failed, to be retried")
            elif state == "dead":
                stage.tell.news(f"{_FAILING['sku']}: attempt {attempts} failed, the last one")
        return state == "dead" and len(found) == 1

    _watch(stage, app, process, look)
    retried = [("delayed", attempt) for attempt in range(1, _ATTEMPTS)]
    _verify(
        [step for step in seen if step[0] in {"delayed", "dead"}]
        == [*retried, ("dead", _ATTEMPTS)],
        f"the order went another way: {seen}",
    )
    stage.tell.fact("two orders are shipped, acknowledged and gone; one is dead")


def _look_at_the_dead(stage: Stage, app: App) -> UUID:
    stage.tell.step("The dead message keeps its error.")
    stage.tell.command(f"graphden queues messages {stage.queue} --state dead")
    [dead] = app.queues.messages(stage.queue, state="dead")
    error = dead["error"]
    _verify(dead["attempts"] == _ATTEMPTS, f"it has {dead['attempts']} attempts")
    _verify(error["type"] == "assertion-failed", f"its error is {error['type']}")
    stage.tell.news(f"{_short(dead['id'])}  dead after {dead['attempts']} attempts")
    stage.tell.news(f"{error['type']}: {error['message']}")
    stage.tell.news(f"at {error['place']}")
    return cast("UUID", dead["id"])


def _repair(stage: Stage) -> None:
    stage.tell.step("The handler did not know where the cocoa is: one literal is repaired.")
    lines = stage.rows.read_text("utf-8").splitlines()
    [index] = [number for number, line in enumerate(lines) if _BROKEN in line]
    before, lines[index] = lines[index], lines[index].replace(_BROKEN, _REPAIRED)
    stage.rows.write_text("\n".join(lines) + "\n", "utf-8")
    stage.tell.difference(index + 1, before, lines[index])


def _requeue(stage: Stage, app: App, failed: UUID) -> None:
    stage.tell.step("The same message gets a new life.")
    stage.tell.command(f"graphden queues requeue {failed}")
    [result] = app.queues.requeue([failed])
    _verify(result["result"] == "requeued", f"it was {result['result'].text}")
    [message] = app.queues.messages(stage.queue)
    fresh = (message["id"], message["state"], message["attempts"], message["error"])
    _verify(fresh == (failed, "pending", 0, None), f"it is {fresh}")
    stage.tell.fact(f"{_short(failed)} is pending, 0 attempts, the same id")


def _see_it_finish(stage: Stage, app: App, process: WorkerProcess, failed: UUID) -> None:
    _watch(stage, app, process, lambda found: not found)
    [counts] = [each for each in app.queues.list() if each["queue"] == stage.queue]
    states = ("pending", "delayed", "claimed", "lapsed", "dead")
    _verify(not any(counts[state] for state in states), f"the queue holds {counts}")
    stage.tell.fact(f"{_short(failed)} is shipped, acknowledged and gone; the queue is empty")


def _watch(
    stage: Stage,
    app: App,
    process: WorkerProcess,
    done: Callable[[dict[UUID, dict[str, Any]]], bool],
) -> None:
    """Look at the demo's messages, and repeat what the worker logs, until `done` with them."""
    ends = time.monotonic() + PATIENCE
    over = False
    while not over:
        found = {m["id"]: m for m in app.queues.messages(stage.queue) if m["id"] in stage.ids}
        over = done(found)
        while line := process.line(_LOOK_SECONDS):
            stage.tell.worker(line)
        _verify(time.monotonic() < ends, f"nothing more happened for {PATIENCE:g} s")


def _short(message_id: UUID) -> str:
    return str(message_id)[:8]


def _verify(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RunError("demo-failed", f"the demo did not go as it should: {otherwise}")
