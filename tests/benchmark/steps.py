"""Base functions that do nothing, as a package, for what a queue's step costs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from graphden import files
from graphden.checked import forget_packages
from graphden.run import Functions, Package

ROWS = """
{:namespace :bench}
{:name :bench-take   :args {:count :int}   :return-type [:list :any] :effects #{:io}}
{:name :bench-handle :args {:message :any} :return-type :any         :effects #{:io}}
{:name :bench-ack    :args {:message :any} :return-type :any         :effects #{:io}}
{:name :bench-nack   :args {:message :any} :return-type :any         :effects #{:io}}
"""

functions = Functions()
MESSAGES = [object() for _ in range(10)]


@functions.add("bench-take")
def take(count: int) -> list[object]:
    return MESSAGES[:count]


@functions.add("bench-handle")
def handle(message: object) -> object:
    return None


@functions.add("bench-ack")
def ack(message: object) -> object:
    return None


@functions.add("bench-nack")
def nack(message: object) -> object:
    return None


def by_hand() -> None:
    """The step as one writes it."""
    for message in take(10):
        try:
            handle(message)
            ack(message)
        except Exception:
            nack(message)


@contextmanager
def installed() -> Iterator[None]:
    """Graphs made in here have these functions."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bench.edn").write_text(ROWS)
        package = Package("bench", Path(folder), functions)
        with mock.patch.object(files, "installed_packages", return_value=(package,)):
            forget_packages()
            try:
                yield
            finally:
                forget_packages()
