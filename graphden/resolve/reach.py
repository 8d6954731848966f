"""Who reaches whom: the reference graph, and what it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphden.model.resolved import Open, Program, ResolvedRow, Sequence, Source, Use, Wrap

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


def names_drawn(bound: Source, rows: Mapping[str, ResolvedRow]) -> list[str]:
    """The names of its row that a source draws on, in a fixed order; `rows` are those of the
    program.
    """
    found: dict[str, None] = {}
    waiting: list[Source] = [bound]
    while waiting:
        match waiting.pop():
            case Open(name=name, default=default):
                found[name] = None
                if default is not None:
                    waiting.append(default)
            case Sequence(items=items):
                waiting.extend(reversed(items))
            case (Use() | Wrap()) as ref:
                received = ref.receivers if isinstance(ref, Wrap) else ()
                renamed: list[Source] = []
                for name in rows[ref.target].interface:
                    opened = ref.renamed.get(name)
                    if name in received:
                        continue
                    if opened is None:
                        found[name] = None
                    else:
                        renamed.append(opened)
                waiting.extend(reversed(renamed))
            case _:
                pass
    return list(found)
