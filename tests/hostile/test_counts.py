"""What is made of a program grows with it, and no faster: nodes of plans, lines of code."""

from __future__ import annotations

import ast

import pytest

from graphden import Graph
from graphden.compile import plan
from graphden.compile.emit import emit
from tests.hostile.programs import PROGRAMS

SMALL = 30

LINEAR = [
    "chain of references",
    "chain that takes an argument",
    "chain of arms",
    "chain of lazy values",
    "chain of callables",
    "chain of defaults",
    "diamonds",
    "diamonds of lists",
    "diamonds with an argument",
    "diamonds of parents",
    "feeds that need each other twice",
    "many different alternatives",
    "many clauses",
]


def sizes(name: str, n: int) -> tuple[int, int, int]:
    """Nodes of the plan of `main`, lines of its code, and how deep its statements nest."""
    graph = Graph.parse(PROGRAMS[name](n))
    planned = plan(graph.program, "user/main")
    made = emit(planned, graph._checked.bodies, graph._checked.contracts.guard, "<counted>")
    return sum(1 for _ in planned.nodes()), len(made.lines), depth(made.source)


def depth(tree: ast.AST) -> int:
    """How many statements stand inside each other at most."""
    deepest = 0
    waiting = [(tree, 0)]
    while waiting:
        node, level = waiting.pop()
        level += isinstance(node, ast.stmt)
        deepest = max(deepest, level)
        waiting.extend((child, level) for child in ast.iter_child_nodes(node))
    return deepest


@pytest.mark.parametrize("name", LINEAR)
def test_a_program_twice_as_large_has_twice_the_nodes_and_lines(name):
    one, two, three = (sizes(name, times * SMALL) for times in (1, 2, 3))
    for counted in (0, 1):
        assert three[counted] - two[counted] == two[counted] - one[counted]


@pytest.mark.parametrize("name", ["chain of arms", "chain of lazy values", "many clauses"])
def test_statements_nest_to_a_depth_that_python_compiles(name):
    assert sizes(name, 400)[2] == sizes(name, 200)[2] < 60
