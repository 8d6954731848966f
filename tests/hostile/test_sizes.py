"""Programs of a hostile size or depth give a value, or one clear error (never a crash, a bare
Python error, or a wait that grows faster than the program).
"""

from __future__ import annotations

import pytest

from graphden import Graph, GraphError, RunError
from graphden.compile import schedule
from graphden.edn import JsonProblem, to_json, write
from tests.hostile.programs import PROGRAMS

VALUES = [
    ("chain of references", 9_000, 9_001),
    ("chain of references backwards", 1_000, 1_001),
    ("chain that takes an argument", 500, 502),
    ("chain of arms", 600, 1),
    ("chain of lazy values", 400, 1),
    ("chain of callables", 100, 2),
    ("chain of renames", 300, 1),
    ("chain of renames through references", 300, 1),
    ("chain of defaults", 300, 1),
    ("chain of type rows", 190, 191),
    ("chain of union rows", 190, 1),
    ("chain of records", 90, None),
    ("diamonds", 200, 2**200),
    ("diamonds of lists", 200, 2),
    ("diamonds with an argument", 200, 2**201),
    ("feeds that need each other twice", 200, 2**200),
    ("captured arguments", 25, 25),
    ("tries inside each other", 400, 0),
    ("many failures at the end of a chain", 200, [200] * 200),
    ("inheritance", 1_000, 1),
    ("inheritance that appends", 200, 201),
    ("inheritance that feeds", 300, 300),
    ("inline rows", 90, 1),
    ("a row used often", 20_000, 20_000),
    ("a row used by many", 500, 125_250),
    ("a row of many slots used often", 2_000, 2_000 * 1_999_000),
    ("many items", 5_000, 5_000),
    ("many alternatives", 5_000, False),
    ("many different alternatives", 500, False),
    ("many clauses", 500, None),
    ("many parents", 500, 124_750),
    ("many children", 1_000, 1),
    ("many slots", 2_000, 1_999_000),
    ("many feeds", 300, 44_850),
    ("many feeds in a chain", 300, 301),
    ("many comments", 4_000, 1),
    ("many discards", 10_000, 1),
    ("an argument through many rows", 150, 1),
    ("a wide record", 2_000, 1),
    ("two wide records", 3_000, 1),
    ("a wide union", 1_000, {"f999": 1}),
    ("two wide unions", 2_000, 1),
    ("diamonds of types", 100, 1),
    ("an enumeration", 5_000, 4_999),
    ("two enumerations", 2_000, 1),
    ("nested constraints", 190, 1),
    ("a long text", 1_000_000, 1_000_000),
    ("a long escaped text", 200_000, 200_000),
    ("a long number", 100_000, 7 * (10**100_000 - 1) // 9 + 1),
    ("a long float", 100_000, 1.7777777777777777),
    ("a long name", 100_000, 1),
    ("a wide literal", 3_000, 3_000),
    ("a list of different maps", 2_000, 2_000),
]

REFUSED = [
    # program, n, code, what the message says
    ("diamonds of chance", 30, "recursion-depth", "comes to more than 50,000 evaluations"),
    ("inline rows", 600, "bad-row", "rows stand inside each other at most 100 levels deep"),
    ("nested types", 2_000, "bad-row", "types stand inside each other at most 200 levels deep"),
    ("nested constraints", 2_000, "bad-row", "at most 200 levels deep"),
    ("chain of type rows", 2_000, "bad-row", ":t201 is nested more than 200 levels deep"),
    ("chain of union rows", 2_000, "bad-row", ":t201 is nested more than 200 levels deep"),
    ("diamonds of types", 300, "bad-row", ":t201 is nested more than 200 levels deep"),
    ("inheritance", 4_100, "bad-row", "comes from more than 4,000 rows"),
    ("nested brackets", 100_000, "syntax", "this [ opened at 1:100000 is still open"),
    ("nested rows of vectors", 20_000, "bad-row", "a row is a map, and this is [[["),
    ("nested tags", 5_000, "syntax", "#inst takes a text"),
    ("many unfinished discards", 20_000, "syntax", "`#_` has no form behind it"),
    ("many flaws", 5_000, "syntax", "ratios such as `1/2`"),
    ("many equal keys", 5_000, "syntax", "the key :a stands twice"),
    ("a long symbol", 1_000_000, "bad-row", "the symbol x"),
    ("an unknown long name", 100_000, "unknown-row", "there is no row :y"),
    ("many unknown names", 300, "unknown-row", "there is no row :unknown0"),
    ("many unknown slots", 1_000, "unknown-slot", "has no slot or free argument :slot0"),
    ("many misspelt slots", 1_000, "unknown-slot", "has :slut-00000"),
    ("many misspelt parameters", 1_000, "invalid-lambda-params", ":slut-00000 is not a free"),
    ("many misspelt rows", 1_000, "unknown-row", "there is no row :raw-00000"),
    ("many rows with a misspelt slot", 200, "unknown-slot", "has :slut-00000"),
    ("many rows with one name", 500, "duplicate-row", ":user/main is already defined"),
    ("one name in many namespaces", 100, "ambiguous-name", ":same may mean"),
    ("a long circle", 1_500, "cycle", "needs itself, through more than 1,000 rows"),
    ("a long circle of types", 1_000, "cycle", ":t0 needs itself"),
    ("many diagnostics", 200, "row-has-diagnostics", ":main is not run"),
]


@pytest.mark.parametrize(("name", "n", "value"), VALUES, ids=[case[0] for case in VALUES])
def test_gives_its_value(name, n, value):
    assert Graph.parse(PROGRAMS[name](n)).run("main") == value


def test_callables_that_use_each_other_have_a_limit(monkeypatch):
    monkeypatch.setattr(schedule, "FUNCTIONS", 20)
    assert Graph.parse(PROGRAMS["captured arguments"](20)).run("main") == 20
    with pytest.raises(RunError, match="more than 20 callables stand inside each other") as it:
        Graph.parse(PROGRAMS["captured arguments"](40)).run("main")
    assert it.value.code == "recursion-depth"


@pytest.mark.parametrize(
    ("name", "n", "code", "says"), REFUSED, ids=lambda each: str(each)[:30]
)
def test_is_refused_in_one_clear_way(name, n, code, says):
    with pytest.raises((GraphError, RunError)) as raised:
        Graph.parse(PROGRAMS[name](n)).run("main")
    assert raised.value.code == code
    assert says in raised.value.message


@pytest.mark.parametrize(
    "name", ["chain of lists", "chain of maps", "nested vectors", "nested maps"]
)
def test_deep_results_are_given_and_written(name):
    n = 600
    value = Graph.parse(PROGRAMS[name](n)).run("main")
    text = write(value)
    assert max(text.count("["), text.count("{")) in (n, n + 1)
    with pytest.raises(JsonProblem, match="500 levels"):
        to_json(value)


@pytest.mark.parametrize("name", ["diamonds of nested lists", "diamonds of maps"])
def test_results_of_equal_parts_stay_small(name):
    value = Graph.parse(PROGRAMS[name](150)).run("main")
    assert isinstance(value, list | dict)
    assert len(value) == 2
