"""Values that are nested deeply meet types that are nested endlessly."""

from __future__ import annotations

import threading

import pytest

from graphden import Graph, RunError


def lists(levels: int) -> object:
    value: object = []
    for _ in range(levels):
        value = [value]
    return value


def maps(levels: int) -> object:
    value: object = {"a": None}
    for _ in range(levels):
        value = {"a": value}
    return value


def tagged(levels: int) -> object:
    value: object = ["b", 1]
    for _ in range(levels):
        value = ["a", value]
    return value


TREES = [
    (":list :tree", lists),
    (":union [:int [:list :tree]]", lists),
    (":type {:a [:union :null :tree]}", maps),
    (":union [:null :int {:a :tree}]", maps),
    (":variant [:a :tree :b :int]", tagged),
]


def outcome(type_: str, value: object) -> object:
    """What a row that takes a tree makes of a value; on a thread, whose stack is smaller."""
    graph = Graph.parse(
        f"{{:name :tree {type_}}}"
        "{:name :main :parent :count :args {:coll {:as :x}}}"
        "{:name :checked :parent :some? :args {:value {:as :x :type :tree}}}"
    )
    found: list[object] = []

    def run() -> None:
        try:
            found.append(graph.run("checked", {"x": value}))
        except RunError as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize(("type_", "make"), TREES)
def test_two_hundred_levels_of_a_recursive_type_are_looked_at(type_, make):
    assert outcome(type_, make(190)) is True


@pytest.mark.parametrize("levels", [300, 2_000, 50_000])
@pytest.mark.parametrize(("type_", "make"), TREES)
def test_deeper_ones_are_taken_or_refused(type_, make, levels):
    came = outcome(type_, make(levels))
    if came is not True:
        assert isinstance(came, RunError)
        assert came.code == "argument-type"
        assert "nesting of at most 200 levels" in came.message


@pytest.mark.parametrize(
    "type_",
    [
        ":union [:null {:a :tree :x :int} {:a :tree :y :int}]",
        ":union [:null {:a :tree :x :int} {:a :other :y :int}]",
        ":union [:null [:union {:a :tree :x :int} {:a :other :y :int}] {:a :tree :z :int}]",
    ],
)
def test_alternatives_do_not_look_into_one_part_again_and_again(type_):
    """2 to the 100 times: the innermost fits none of them."""
    value: object = {"a": 1, "x": 1, "y": 1}
    for _ in range(100):
        value = {"a": value, "x": 1, "y": 1}
    came = outcome(f"{type_}}} {{:name :other :union [:null :tree]", value)
    assert isinstance(came, RunError)
    assert came.code == "argument-type"


@pytest.mark.parametrize("type_", ["[:list {}]", "{{:a {}}}", "[:map :text {}]", "[:tuple {}]"])
def test_a_type_as_deep_as_may_be_takes_its_values(type_):
    written, right, wrong = ":int", 1, "one"
    for _ in range(190):
        written = type_.format(written)
        right, wrong = (
            [inner] if "list" in type_ or "tuple" in type_ else {"a": inner}
            for inner in (right, wrong)
        )
    graph = Graph.parse(
        f"{{:name :main :parent :some? :args {{:value {{:as :x :type {written}}}}}}}"
    )
    assert graph.run("main", {"x": right}) is True
    with pytest.raises(RunError, match="expected :int, got"):
        graph.run("main", {"x": wrong})


def test_a_value_inside_itself_is_refused():
    value: list[object] = []
    value.append(value)
    error = outcome(":list :tree", value)
    assert isinstance(error, RunError)
    assert error.code == "argument-type"


def test_a_long_enumeration_is_not_shown_whole():
    values = " ".join(f'"{k}"' for k in range(10_000))
    graph = Graph.parse(
        f"{{:name :one-of :refine {{:base :text :constraint [:in [{values}]]}}}}"
        "{:name :main :parent :identity :args {:value {:as :x :type :one-of}}}"
    )
    with pytest.raises(RunError) as raised:
        graph.run("main", {"x": "none"})
    assert raised.value.code == "argument-type"
    assert len(raised.value.message) < 1_000
