"""Many failures that are handled cost no more than their number: ways to rows are followed for
those that are looked at.
"""

from __future__ import annotations

import pickle

import pytest

from graphden import Graph, RunError
from graphden.errors import Frame
from graphden.model.plan import Trail
from graphden.run import lines
from tests.hostile.programs import PROGRAMS


class Counts:
    """Python frames looked at, ways followed to rows."""

    frames = 0
    ways = 0


@pytest.fixture
def counts(monkeypatch) -> Counts:
    found = Counts()
    plain_trail, plain_frames = lines._trail, Trail.frames

    def trail(code, line):
        found.frames += 1
        return plain_trail(code, line)

    def frames(self):
        found.ways += 1
        return plain_frames(self)

    monkeypatch.setattr(lines, "_trail", trail)
    monkeypatch.setattr(Trail, "frames", frames)
    return found


def test_failures_inside_each_other_look_at_a_bounded_part_of_the_stack(monkeypatch, counts):
    monkeypatch.setattr(lines, "MOST", 10)
    looked_at = []
    for n in (40, 80):
        graph = Graph.parse(PROGRAMS["tries inside each other"](n))
        counts.frames = 0
        assert graph.run("main") in (0, 1)
        looked_at.append(counts.frames)
    assert 0 < looked_at[0] <= 20 * 40
    assert looked_at[1] <= 2 * looked_at[0] + 20
    assert counts.ways == 0


def test_no_way_is_followed_for_a_failure_that_is_handled(counts):
    n = 200
    graph = Graph.parse(PROGRAMS["many failures at the end of a chain"](n))
    assert graph.run("main") == [n] * n
    assert counts.frames > n
    assert counts.ways == 0


def test_the_way_is_there_when_it_is_asked_for(counts):
    graph = Graph.parse(
        "{:name :main :parent :map :args {:func :step :coll [1]}}"
        "{:name :step :parent :div :args {:nums [{:as :item} 0]}}"
    )
    with pytest.raises(RunError) as raised:
        graph.run("main")
    error = raised.value
    assert (error.row, counts.ways) == ("step", 0)
    assert [frame.row for frame in error.trail] == ["main", "step"]
    assert error.trail[-1] == Frame("step", error.span)
    followed = counts.ways
    assert pickle.loads(pickle.dumps(error)).trail == error.trail
    assert counts.ways == followed > 0


def test_a_failure_that_nobody_looked_at_is_pickled_with_its_way():
    with pytest.raises(RunError) as raised:
        Graph.parse("{:name :main :parent :div :args {:nums [1 0]}}").run("main")
    copied = pickle.loads(pickle.dumps(raised.value))
    assert [frame.row for frame in copied.trail] == ["main"]


def test_of_a_deep_stack_the_innermost_rows_are_told(monkeypatch):
    monkeypatch.setattr(lines, "MOST", 2)
    text = "{:name :r0 :parent :div :args {:nums [{:as :item} 0]}}" + "".join(
        f"{{:name :r{k} :parent :map :args {{:func :r{k - 1} :coll [{{:as :item}}]}}}}"
        for k in range(1, 9)
    )
    with pytest.raises(RunError) as raised:
        Graph.parse(text).run("r8", {"item": 1})
    assert raised.value.row == "r0"
    rows = [frame.row for frame in raised.value.trail]
    assert rows[-1] == "r0"
    assert rows == sorted(rows, reverse=True)
