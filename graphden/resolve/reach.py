"""Who reaches whom: the reference graph, and what it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphden.model.resolved import Program

if TYPE_CHECKING:
    import networkx as nx


def reference_graph(program: Program) -> nx.DiGraph[str]:
    """An edge from each row to its parent and to every row that it refers to."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for row_id, row in program.resolved.items():
        graph.add_node(row_id)
        graph.add_edges_from((row_id, needed) for needed in (*row.parents, *row.targets))
    return graph


def reached(graph: nx.DiGraph[str], row: str) -> set[str]:
    """All rows that `row` needs, itself included."""
    import networkx as nx

    return {row, *nx.descendants(graph, row)}
