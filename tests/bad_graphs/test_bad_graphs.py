"""Bad graphs: each file with exactly the problems that the JSON beside it lists (LANGUAGE 9).

`NAME.json` holds code, row, line and column of every problem of `NAME.edn`, in the order of the
text. A row that is named by no problem is right, whatever it needs: one mistake is one problem.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphden import Graph, GraphError
from graphden.errors import Problem

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.edn"))

REACHED = {
    *(
        "unknown-row",
        "unknown-slot",
        "unknown-type",
        "unknown-key",
        "bad-row",
        "bad-constraint",
    ),
    *("duplicate-row", "ambiguous-name", "private-row", "cycle", "sealed-slot", "list-closed"),
    *("name-collision", "ambiguous-lambda-params", "invalid-lambda-params"),
    *("signature-mismatch", "syntax", "type-mismatch", "not-callable"),
}
"""The codes of LANGUAGE 9.3 that one file of rows with one parent each can have."""


def problems_of(path: Path) -> tuple[Problem, ...]:
    try:
        return Graph.load(path).diagnostics
    except GraphError as error:
        return error.problems


def expected_of(path: Path) -> list[dict[str, object]]:
    return json.loads(path.with_suffix(".json").read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_9_1_exactly_these_problems(path):
    found = sorted(
        (
            {"code": p.code, "row": p.row, "line": p.span.line, "column": p.span.column}
            for p in problems_of(path)
            if p.span is not None
        ),
        key=lambda each: (each["line"], each["column"]),
    )
    assert found == expected_of(path)
    assert len(found) > 1
    assert all(p.span is not None and p.span.file == str(path) for p in problems_of(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_9_1_problems_are_sorted_by_place_structural_ones_first(path):
    places = [(not p.structural, p.span.line, p.span.column) for p in problems_of(path)]
    assert places == sorted(places)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_9_1_each_says_what_is_wrong_and_what_to_do(path):
    for problem in problems_of(path):
        assert len(problem.message.split()) >= 3, problem
        assert not problem.message.endswith((".", " ")), problem
        assert problem.hint, problem
        assert problem.hint.endswith((".", "?")) or problem.code == "syntax", problem
        for text in (problem.message, problem.hint):
            assert not re.search(r"None|<graphden|object at|Form\(|Span\(|\bKeyword\b", text)
            assert "'" not in re.sub(r"\w's?\b|s'", "", text), problem  # Python's quotes


def test_there_are_twenty_files_that_reach_every_code():
    codes = {each["code"] for path in FILES for each in expected_of(path)}
    assert len(FILES) >= 20
    assert codes == REACHED


def test_9_1_diagnostics_alone_do_not_refuse_the_load():
    for name in ("not_callable", "call_types"):
        assert Graph.load(HERE / f"{name}.edn").diagnostics
