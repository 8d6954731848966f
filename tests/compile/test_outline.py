"""Rows that use others twice, each time with other arguments: written once, and called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest
from hypothesis import given

from graphden import Graph, RunError, engine
from graphden.check import Inference
from graphden.compile import expand, plan, write
from graphden.model.plan import Plan
from graphden.model.resolved import Program
from tests.laws.drawing import ran
from tests.oracle.making import Made
from tests.oracle.programs import programs
from tests.oracle.test_compiled_equals_oracle import parsed, randoms, shown


def doubling(levels: int, leaf: str = ":add :args {:nums [{:as :x0 :type :int} 1]}") -> str:
    """`main` uses the row below twice, with `x + n` and with `x * n`; and so on."""
    texts = [f"{{:name :l0 :parent {leaf}}}"]
    for n in range(1, levels + 1):
        given = [
            f"{{:parent :l{n - 1} :args {{:x{n - 1} "
            f"{{:parent {function} :args {{:nums [{{:as :x{n} :type :int}} {n}]}}}}}}}}"
            for function in (":add", ":mul")
        ]
        texts.append(f"{{:name :l{n} :parent :sub :args {{:nums [{' '.join(given)}]}}}}")
    return "\n".join([*texts, f"{{:name :main :parent :l{levels}}}"])


def by_hand(levels: int, x: int) -> int:
    if levels == 0:
        return x + 1
    return by_hand(levels - 1, x + levels) - by_hand(levels - 1, x * levels)


def lines(text: str) -> int:
    graph = Graph.parse(text)
    planned = plan(graph.program, "user/main", graph.inference)
    return len(write(planned, graph._checked.bodies, "<counted>").lines)


@pytest.mark.parametrize("levels", [3, 9, 14])
def test_fourteen_levels_of_double_use_give_their_value(levels):
    graph = Graph.parse(doubling(levels))
    assert graph.run("main", {f"x{levels}": 5}) == by_hand(levels, 5)


def test_the_code_of_doubling_rows_is_as_long_as_they_are_many():
    four = [lines(doubling(levels)) for levels in (14, 16, 18, 40)]
    assert four[1] - four[0] == four[2] - four[1]
    assert four[3] - four[2] == 11 * (four[1] - four[0])


def test_7_5_a_run_of_doubling_rows_can_be_ended():
    graph = Graph.parse(doubling(40))
    with pytest.raises(RunError) as caught:
        graph.run("main", {"x40": 1}, timeout_ms=50)
    assert caught.value.code == "deadline-exceeded"


@pytest.mark.parametrize("levels", [4, 12])
def test_9_2_a_failure_in_a_row_that_is_called_names_the_way_to_it(levels):
    leaf = ":div :args {:nums [6 {:parent :sub :args {:nums [{:as :x0 :type :int} 9]}}]}"
    graph = Graph.parse(doubling(levels, leaf))
    first = sum(range(1, levels + 1))  # what the first leaf's argument is more than the entry's
    with pytest.raises(RunError) as caught:
        graph.run("main", {f"x{levels}": 9 - first})
    assert caught.value.code == "division-by-zero"
    way = [(frame.row, frame.span.line) for frame in caught.value.trail]
    assert way == [
        ("main", levels + 1),
        *((f"l{n}", n) for n in range(levels, 1, -1)),
        ("l1", 2),
    ]


def test_7_1_what_a_row_that_is_called_does_not_need_is_not_evaluated():
    levels = 12
    leaf = (
        ":if :args {:test {:parent :gt :args {:nums [{:as :x0 :type :int} 0]}} "
        ":then 1 :else {:as :other :type :numeric :required true}}"
    )
    text = doubling(levels, leaf)
    text += (
        "\n{:name :r :parent :main :args {:other {:parent :div :args {:nums [1 {:as :d}]}}}}"
    )
    graph = Graph.parse(text)
    assert graph.run("r", {f"x{levels}": 1, "d": 0}) == 0
    with pytest.raises(RunError) as caught:
        graph.run("r", {f"x{levels}": -1, "d": 0})
    assert caught.value.code == "division-by-zero"


def outlined(program: Program, row: str, inference: Inference | None = None) -> Plan:
    """The plan in which every pure row that refers to others is called."""
    return expand.Expander(program, inference, outlining=True).entry(row)


@pytest.fixture(scope="module", params=[0, 1])
def outlining(request: pytest.FixtureRequest) -> Iterator[pytest.MonkeyPatch]:
    """Rows are called from their first use on, or from their second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expand, "WRITTEN", request.param)
        yield patch


@given(rows=programs, random=randoms)
def test_a_row_that_is_called_does_what_it_does_where_it_is_written(
    rows: tuple[Made, ...], random: Random, outlining: pytest.MonkeyPatch
) -> None:
    """LANGUAGE 7: results, errors, their places, and what has effects, in which order."""
    seeds = {row.name: random.randrange(2**32) for row in rows}
    found = [everything(parsed(rows), seeds)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "plan", outlined)
        found.append(everything(parsed(rows), seeds))
    assert found[0] == found[1]


def everything(graph: Graph, seeds: Mapping[str, int]) -> list[object]:
    found: list[object] = []
    for row, seed in seeds.items():
        outcome = ran(graph, row, Random(seed))
        error = outcome.error
        found += [shown(outcome), error and (error.message, error.row, error.span)]
    return found
