"""Names are compared with known ones a number of times that does not grow with both."""

from __future__ import annotations

import pytest

from graphden import Graph, GraphError, RunError
from graphden.read import problems
from tests.hostile.programs import PROGRAMS

BUDGET = 500

MISSPELT = [
    "many misspelt slots",
    "many rows with a misspelt slot",
    "many misspelt parameters",
    "many misspelt rows",
]


@pytest.fixture
def compared(monkeypatch) -> list[str]:
    """The names that were compared with a known one, once for each comparison."""
    found: list[str] = []
    plain = problems._distance

    def counted(one: str, other: str, most: int) -> int | None:
        found.append(one)
        return plain(one, other, most)

    monkeypatch.setattr(problems, "_distance", counted)
    monkeypatch.setattr(problems, "COMPARISONS", BUDGET)
    return found


@pytest.mark.parametrize("name", MISSPELT)
def test_misspelt_names_of_a_graph_share_a_budget(compared, name):
    n = 60
    with pytest.raises(GraphError) as raised:
        Graph.parse(PROGRAMS[name](n))
    wrong = raised.value.problems
    assert len(wrong) == n
    assert "Did you mean :" in wrong[0].hint
    assert "Did you mean" not in wrong[-1].hint
    assert BUDGET <= len(compared) < BUDGET + 10 * n
    assert len(set(compared)) < n


def test_misspelt_tags_of_a_graph_share_a_budget(compared):
    n = 60
    found = Graph.parse(PROGRAMS["many misspelt tags"](n)).diagnostics
    assert len(found) == n
    assert "did you mean :case-00000?" in found[0].message
    assert "did you mean" not in found[-1].message
    assert found[-1].hint.endswith(":case-00039 with :int and 20 more.")
    assert BUDGET <= len(compared) < BUDGET + 10 * n


def test_misspelt_arguments_of_a_run_share_a_budget(compared):
    opened = " ".join(f"{{:as :slot-{k:05}}}" for k in range(60))
    graph = Graph.parse(f"{{:name :main :parent :add :args {{:nums [{opened}]}}}}")
    given = {f"slot-{k:05}": 1 for k in range(60)} | {f"slut-{k:05}": 1 for k in range(60)}
    with pytest.raises(RunError, match=":slut-00059 is not an argument") as raised:
        graph.run("main", given)
    assert "Did you mean :slot-00000?" in raised.value.hint
    assert BUDGET <= len(compared) < BUDGET + 60


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("many misspelt slots", ":slot-00038 and 261 more."),
        ("many misspelt parameters", ":slot-00039 and 260 more."),
    ],
)
def test_a_hint_lists_the_first_of_many_names(name, last):
    with pytest.raises(GraphError) as raised:
        Graph.parse(PROGRAMS[name](300).replace(":slut-00000", ":other"))
    hint = next(each.hint for each in raised.value.problems if ":other" in each.message)
    assert hint.startswith("It has :")
    assert ":slot-00000, :slot-00001, " in hint
    assert hint.endswith(last)


def test_names_of_another_length_are_not_compared(compared):
    assert problems.nearest("quantity", ["qty", "a-quantity-of-things"]) is None
    assert compared == []
    assert problems.nearest("quantity", ["quantty", "qty"]) == "quantty"
    assert compared == ["quantity"]
