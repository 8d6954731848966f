"""Whether a row can be a service."""

from __future__ import annotations

from graphden.engine import Graph
from graphden.errors import UsageError

EFFECT = "process"
"""What a row has that keeps running."""


def startable(graph: Graph, row: str) -> None:
    """Raise why the row cannot be started as a service, if it cannot: UsageError
    `service-arguments` and `not-a-service`, RunError as `Graph.verify` does.
    """
    resolved = graph.resolved(row)
    needed = [each.name for each in graph.interface(row) if each.required]
    if needed:
        names = " ".join(f":{name}" for name in needed)
        raise UsageError(
            "service-arguments",
            f":{row} needs {names}, and nobody gives arguments to a service",
            hint=f"Derive a row that binds {'it' if len(needed) == 1 else 'them'}: "
            f"{{:name :my-{resolved.row.name} :parent :{resolved.row.name} "
            f":args {{:{needed[0]} …}}}}",
        )
    if EFFECT not in resolved.effects:
        raise UsageError(
            "not-a-service",
            f":{row} does not keep running: it has not the effect :{EFFECT}",
            hint="A service is a consumer, or a row that loops until it is stopped: "
            "{:parent :loop-until-stopped :args {:body …}}",
        )
    graph.verify(row, {})
