"""Graphden composes programs from rows of EDN and runs them at the speed of Python.

>>> import graphden
>>> graph = graphden.Graph.parse("{:name :six :parent :mul :args {:nums [2 3]}}")
>>> graph.run("six")
6
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import is most of what `import graphden` would cost
if TYPE_CHECKING:
    from graphden.app import App
    from graphden.engine import Graph
    from graphden.errors import GraphdenError, GraphError, Problem, RunError, Span, UsageError
    from graphden.run.tracing import Trace

__version__ = "0.1.0"
__all__ = [
    "App",
    "Graph",
    "GraphError",
    "GraphdenError",
    "Problem",
    "RunError",
    "Span",
    "Trace",
    "UsageError",
    "__version__",
]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    # `graphden --version` and a caller who only wants the errors do not pay for the engine.
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    home = {"App": "app", "Graph": "engine", "Trace": "run.tracing"}.get(name, "errors")
    found: object = getattr(import_module(f"graphden.{home}"), name)
    globals()[name] = found
    return found
