"""What is called with the wrong kind of value says what it takes."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from graphden import Graph, UsageError

GRAPH = Graph.parse("{:name :double :parent :mul :args {:nums [{:as :item} 2]}}")


@pytest.mark.parametrize(
    ("call", "takes"),
    [
        (lambda: GRAPH.run("double", [2]), "arguments by name, not [2]"),
        (lambda: GRAPH.verify("double", [2]), "arguments by name, not [2]"),
        (lambda: GRAPH.run(5), "a row's name, not 5"),
        (lambda: GRAPH.interface(5), "a row's name, not 5"),
        (lambda: Graph.load(["a.edn"]), "paths, not ['a.edn']"),
        (lambda: Graph.parse(5), "the text of rows, not 5"),
        (lambda: GRAPH.edited({"x.edn": 5}), "texts, or None, not 5"),
        (lambda: GRAPH.edited("x.edn"), "texts by file, not 'x.edn'"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_with_what_is_taken(call, takes):
    with pytest.raises(UsageError) as raised:
        call()
    assert raised.value.code == "wrong-use"
    assert raised.value.message.endswith(takes)
    assert raised.value.hint.startswith("Write ")


def test_arguments_may_be_any_mapping():
    assert GRAPH.run("double", MappingProxyType({"item": 2})) == 4
