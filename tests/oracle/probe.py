"""A package whose base functions leave a trace: `Notes`, a resource of the run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphden import Graph, files
from graphden.checked import forget_packages
from graphden.errors import RunError
from graphden.run import Context, Functions, Package, Resources, as_run_error

functions = Functions()
package = Package(name="probe", rows=Path(__file__).parent / "rows", functions=functions)


class Notes:
    """What ran, in order."""

    def __init__(self) -> None:
        self.made: list[tuple[str, object]] = []
        self._lock = threading.Lock()

    def add(self, function: str, tag: object) -> int:
        with self._lock:
            self.made.append((function, tag))
            return len(self.made)

    @property
    def tags(self) -> list[Any]:
        return [tag for _, tag in self.made]


def notes_of(context: Context) -> Notes:
    notes = context.resources.get("probe.notes", Notes)
    assert isinstance(notes, Notes)
    return notes


@functions.add("tick")
def tick(tag: object, *, context: Context) -> int:
    return notes_of(context).add("tick", tag)


@functions.add("boom")
def boom(tag: object, *, context: Context) -> object:
    notes_of(context).add("boom", tag)
    raise ValueError("boom")


@functions.add("leave")
def leave(tag: object, *, context: Context) -> object:
    notes_of(context).add("leave", tag)
    raise SystemExit("leave")


@functions.add("clock")
def clock(*, context: Context) -> int:
    return notes_of(context).add("clock", None)


@functions.add("roll")
def roll(tag: object, *, context: Context) -> int:
    return notes_of(context).add("roll", tag)


@functions.add("pair")
def pair(left: object, right: object) -> list[object]:
    return [left, right]


@functions.add("twice")
def twice(value: Callable[[], object]) -> list[object]:
    return [value(), value()]


@functions.add("in-thread")
def in_thread(body: Callable[[], object]) -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(body).result()


@functions.add("in-threads")
def in_threads(func: Callable[[object], object], coll: Sequence[object]) -> list[object]:
    together = threading.Barrier(max(len(coll), 1))

    def call(item: object) -> object:
        together.wait()
        return func(item)

    with ThreadPoolExecutor(max(len(coll), 1)) as pool:
        return list(pool.map(call, coll))


@functions.add("hold")
def hold(func: Callable[[object], object]) -> Callable[[object], object]:
    return func


@contextmanager
def installed() -> Iterator[None]:
    """Graphs made in here have this package, and the standard library, and nothing else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "installed_packages", lambda: (package,))
        forget_packages()
        try:
            yield
        finally:
            forget_packages()


@dataclass(frozen=True)
class Outcome:
    """What a run came to: its value, or the error it ended in; and what it noted."""

    value: Any
    error: RunError | None
    notes: list[tuple[str, object]]

    @property
    def tags(self) -> list[Any]:
        return [tag for _, tag in self.notes]

    @property
    def count(self) -> int:
        return len(self.notes)


def observe(run: Callable[[Context], object]) -> Outcome:
    """Call `run` with a context of its own, and tell what it came to."""
    context = Context(resources=Resources())
    notes = notes_of(context)
    value: object = None
    error: RunError | None = None
    try:
        value = run(context)
    except BaseException as raised:
        error = as_run_error(raised)
    finally:
        context.resources.close()
    return Outcome(value, error, notes.made)


def run(text: str, entry: str, **arguments: object) -> Outcome:
    """Run a row of a text, compiled."""
    graph = Graph.parse(text, file="rows.edn")
    assert graph.diagnostics == ()
    return observe(lambda context: graph.run(entry, arguments, context=context))
