"""The tests of the contract say: these rows, then this value, or this code at this place.

`rows` puts many rows into one graph, one test for each; `graph` makes each text's graph once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from graphden import Graph, RunError
from tests.oracle.probe import Outcome, observe
from tests.read.reports import report

__all__ = ["Fails", "exact", "fails", "graph", "noted", "report", "rows", "value"]


@dataclass(frozen=True)
class Fails:
    """The run ends in this code."""

    code: str


@lru_cache(maxsize=256)
def graph(text: str) -> Graph:
    return Graph.parse(text, file="rows.edn")


def value(text: str, row: str = "r", /, **arguments: object) -> object:
    """What a row gives, or `Fails`; `delay_ms` stands for `:delay-ms`."""
    given = {name.replace("_", "-"): each for name, each in arguments.items()}
    try:
        return graph(text).run(row, given)
    except RunError as error:
        return Fails(error.code)


def fails(text: str, row: str = "r", /, **arguments: object) -> RunError:
    given = {name.replace("_", "-"): each for name, each in arguments.items()}
    with pytest.raises(RunError) as caught:
        graph(text).run(row, given)
    return caught.value


def noted(text: str, row: str = "r", /, **arguments: object) -> Outcome:
    """What a row came to, and which effects ran, in order (with the package `probe`)."""
    return observe(lambda context: graph(text).run(row, arguments, context=context))


def exact(found: object) -> object:
    """Such that == tells 1 from 1.0 and from true, and a keyword from a text."""
    match found:
        case Mapping():
            return {(type(key).__name__, key): exact(each) for key, each in found.items()}
        case list() | tuple():
            return [exact(each) for each in found]
    return type(found).__name__, found


def rows(prelude: str, cases: Mapping[str, Any]) -> pytest.MarkDecorator:
    """One test for each case: what a row is made of, and what it gives.

    All rows are in one graph, behind those of `prelude`. The test gets `text`, `row` and
    `expected`.
    """
    text = prelude + "\n".join(
        f"{{:name :case-{number} {body}}}" for number, body in enumerate(cases)
    )
    return pytest.mark.parametrize(
        ("text", "row", "expected"),
        [
            pytest.param(text, f"case-{number}", expected, id=body)
            for number, (body, expected) in enumerate(cases.items())
        ],
    )
