"""Ejected modules: executed in a namespace of their own, and called as their rows are run."""

from __future__ import annotations

import inspect
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graphden import Graph
from graphden.run import Context
from tests.oracle.probe import Outcome, observe


def executed(text: str) -> dict[str, Any]:
    """The names of a module; what Python warns of in its code is an error."""
    names: dict[str, Any] = {"__name__": "ejected"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(text, "ejected.py", "exec"), names)
    return names


def public(text: str) -> Callable[..., object]:
    """The function that a module is about: the last one that it defines."""
    functions = [
        each
        for each in executed(text).values()
        if inspect.isfunction(each) and each.__code__.co_filename == "ejected.py"
    ]
    return functions[-1]


def by_python_names(
    function: Callable[..., object], graph: Graph, row: str, arguments: Mapping[str, object]
) -> dict[str, object]:
    """Arguments under the names that the function takes them by: those of the interface, in
    its order, and a context behind them.
    """
    *taken, context = inspect.signature(function).parameters
    assert context == "context"
    names = dict(zip((each.name for each in graph.interface(row)), taken, strict=True))
    return {names[name]: value for name, value in arguments.items()}


def run_ejected(graph: Graph, row: str, arguments: Mapping[str, object]) -> Outcome:
    function = public(graph.eject(row))
    given = by_python_names(function, graph, row, arguments)

    def call(context: Context) -> object:
        return function(**given, context=context)

    return observe(call)


def reformatted(text: str) -> str:
    """What ruff's formatter makes of a text, by its own defaults."""
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        [ruff, "format", "--isolated", "--stdin-filename", "ejected.py", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
