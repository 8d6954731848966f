"""The page of the standard library, and its examples: rows that `graphden test` runs."""

from __future__ import annotations

import pytest

from graphden import Graph, assets
from graphden.model.rows import RowKind
from graphden.resolve.reach import reached, reference_graph
from tests.reference.library_page import (
    EXAMPLES,
    PAGE,
    TOPICS,
    examples_of,
    page,
    rows_of,
    shown_by,
)


@pytest.fixture(scope="module")
def graph():
    graph = Graph.load(EXAMPLES)
    yield graph
    graph.close()


@pytest.fixture(scope="module")
def references(graph):
    return reference_graph(graph.program)


def examples():
    return [
        f"core.{topic}.tests/{each.name}" for topic in TOPICS for each in examples_of(topic)
    ]


def test_the_page_is_what_rows_and_examples_make_of_it():
    """After a change of either: `python -m tests.reference.library_page`"""
    assert PAGE.read_text("utf-8") == page()


def test_topics_are_the_files_of_the_standard_library():
    files = {path.stem for path in assets.folder("stdlib_graphs").glob("*.edn")}

    assert set(TOPICS) == files == {path.stem for path in EXAMPLES.glob("*.edn")}


def test_the_examples_have_no_diagnostics(graph):
    assert graph.diagnostics == ()


@pytest.mark.parametrize("topic", TOPICS)
def test_every_function_and_type_has_an_example(topic, graph):
    """But for rows over other rows, such as consumers."""
    names = [row.name for row in rows_of(topic, graph)]
    rows = [row.name for row in rows_of(topic, graph) if row.kind is not RowKind.FUNCTION]

    shown = {shown_by(each.name, names) for each in examples_of(topic)}

    assert set(rows) == shown


@pytest.mark.parametrize("row", examples())
def test_an_example_reaches_what_it_is_named_after(row, graph, references):
    topic = row.split(".")[1]
    name = shown_by(row.partition("/")[2], [each.name for each in rows_of(topic, graph)])

    assert f"core.{topic}/{name}" in reached(references, row)


@pytest.mark.parametrize("row", examples())
def test_an_example_is_an_assertion_that_holds(row, graph):
    resolved = graph.resolved(row)
    assert resolved.root.name == "assert-eq"
    assert not any(parameter.required for parameter in resolved.interface.values())

    graph.run(row)


def test_rows_that_assert_nothing_are_private(graph):
    """So that whoever runs all tests of a namespace runs assertions only."""
    assert {row.id for row in graph.rows} == set(examples())
