"""The pages of `lessons/reference/codes`: each describes one code, and proves what it says.

A page has a `Wrong:` and a `Right:` block of rows, and between them a quotation of what
Graphden says of the wrong one, `…` where it is cut. A run-time error arises in a run, which a
line behind the block gives: the entry, its arguments as JSON, `{"python": …}` for a Python
callable, and perhaps how the run is disturbed (`--timeout MS`, `--cancel`, `--stop`).
`Gives:` is the value, as EDN.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphden import Graph, GraphError, Problem, RunError
from graphden.assets import folder
from graphden.edn import equal, read_all
from graphden.run import Context

# LANGUAGE 9.3
CODES = {
    "Structural problem": """
        unknown-row unknown-slot unknown-type unknown-key bad-row bad-constraint duplicate-row
        ambiguous-name private-row cycle sealed-slot list-closed name-collision different-roots
        parent-conflict ambiguous-lambda-params invalid-lambda-params signature-mismatch syntax
        """,
    "Diagnostic": """
        type-mismatch not-callable refinement-violated not-narrower argument-conflict
        missing-field effect-not-allowed secret-flow
        """,
    "Run-time error": """
        missing-argument unknown-argument argument-type row-has-diagnostics contract-violation
        division-by-zero invalid-argument malformed-json assertion-failed thrown recursion-depth
        deadline-exceeded cancelled base-function-error
        """,
}
GROUP = {code: group for group, codes in CODES.items() for code in codes.split()}

PENDING: set[str] = set()
"""Codes that the engine does not report yet."""

PAGES = folder("lessons") / "reference" / "codes"


@dataclass(frozen=True)
class Run:
    """An entry to run, its arguments, and how it is disturbed."""

    entry: str
    arguments: dict[str, object]
    disturbed: str = ""

    def of(self, graph: Graph) -> object:
        context = Context()
        timeout = None
        match self.disturbed.split():
            case ["--timeout", milliseconds]:
                timeout = float(milliseconds)
            case ["--cancel"]:
                context.cancel()
            case ["--stop"]:
                context.request_stop()
            case other:
                assert not other
        arguments = {name: given(value) for name, value in self.arguments.items()}
        return graph.run(self.entry, arguments, timeout_ms=timeout, context=context)


def given(value: object) -> object:
    """An argument of a run; a Python callable is written `{"python": SOURCE}`."""
    match value:
        case {"python": str() as source}:
            return eval(source)
    return value


@dataclass(frozen=True)
class Block:
    """Rows, and what is run of them."""

    rows: str
    run: Run | None
    gives: str | None


@dataclass(frozen=True)
class Page:
    """What a page consists of; `says` are the lines quoted of the message and the hint."""

    title: str
    sentence: str
    group: str
    wrong: Block
    says: list[str]
    right: Block
    text: str


def read(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    head, wrong, between, right, rest = text.split("```")
    opening = re.fullmatch(
        r"# (\S+)\n\n(.+)\n\n([\w -]+), rules? [^\n]+\.\n\nWrong:\n\n", head, re.DOTALL
    )
    assert opening, f"{path.name} does not begin as pages do"
    assert re.search(r"\n\nGraphden says:\n\n(> .+\n)+\nRight:\n\n$", between)
    return Page(
        title=opening[1],
        sentence=opening[2],
        group=opening[3],
        wrong=block(wrong, between),
        says=re.findall(r"^> (.+)$", between, re.MULTILINE),
        right=block(right, rest),
        text=text,
    )


def block(rows: str, below: str) -> Block:
    """The rows of a fence, and the lines below it that say what is run of them."""
    run = re.match(r"\n\nRun: (\S+) (\{.*\})(.*)\n", below)
    gives = re.search(r"^Gives: (.+)$", below, re.MULTILINE)
    return Block(
        rows.removeprefix("clojure\n"),
        run and Run(run[1], json.loads(run[2]), run[3]),
        gives and gives[1],
    )


@pytest.fixture(scope="module", params=sorted(GROUP))
def page(request: pytest.FixtureRequest) -> Page:
    return read(PAGES / f"{request.param}.md")


def reported(rows: str) -> tuple[Problem, ...]:
    """All that is wrong with rows before they run."""
    try:
        return Graph.parse(rows).diagnostics
    except GraphError as error:
        return error.problems


def failure(page: Page) -> Problem | RunError:
    """The one thing that is wrong with the wrong block."""
    if page.wrong.run is None:
        [problem] = reported(page.wrong.rows)
        return problem
    graph = Graph.parse(page.wrong.rows)
    assert bool(graph.diagnostics) == (page.title == "row-has-diagnostics")
    with pytest.raises(RunError) as caught:
        page.wrong.run.of(graph)
    return caught.value


def expected_of_engine(codes: list[str]) -> list[object]:
    mark = pytest.mark.xfail(strict=True, reason="the engine does not report it yet")
    return [pytest.param(c, marks=mark) if c in PENDING else c for c in sorted(codes)]


def test_every_code_has_a_page() -> None:
    assert {path.stem for path in PAGES.iterdir()} >= set(GROUP)


def test_a_page_tells_its_code_its_group_and_its_meaning_in_a_sentence(page: Page) -> None:
    assert page.group == GROUP[page.title]
    assert page.sentence.endswith(".")
    assert len(page.sentence) < 200


def test_a_page_is_a_screen_long(page: Page) -> None:
    assert 15 <= page.text.count("\n") <= 48
    assert max(map(len, page.text.splitlines())) <= 92


def test_run_time_errors_arise_in_a_run_and_no_others(page: Page) -> None:
    at_run_time = page.group == "Run-time error"
    assert (page.wrong.run is not None, page.right.gives is not None) == (at_run_time,) * 2


@pytest.mark.parametrize("code", expected_of_engine([*GROUP]))
def test_the_wrong_rows_give_exactly_this_code(code: str) -> None:
    found = failure(read(PAGES / f"{code}.md"))
    assert found.code == code
    if isinstance(found, Problem):
        assert found.structural == (GROUP[code] == "Structural problem")


@pytest.mark.parametrize("code", sorted(GROUP.keys() - PENDING))
def test_what_the_page_quotes_is_said(code: str) -> None:
    page = read(PAGES / f"{code}.md")
    found = failure(page)
    said = " ".join(f"{found.message} {found.hint}".split())
    quoted = [re.escape(piece.strip()) for piece in " ".join(page.says).split("…")]
    assert re.search(".*".join(quoted), said), said


NEEDS_PARENTS: set[str] = set()
"""Pages whose right rows have several parents too."""


def right_blocks() -> list[object]:
    mark = pytest.mark.xfail(strict=True, reason="several parents do not load yet")
    needing = NEEDS_PARENTS & PENDING
    return [pytest.param(c, marks=mark) if c in needing else c for c in sorted(GROUP)]


@pytest.mark.parametrize("code", right_blocks())
def test_the_right_rows_mend_it(code: str) -> None:
    page = read(PAGES / f"{code}.md")
    assert reported(page.right.rows) == ()
    if page.right.run is not None:
        value = page.right.run.of(Graph.parse(page.right.rows))
        [form], errors = read_all(page.right.gives or "", "gives")
        assert errors == []
        assert equal(value, form.value), value
