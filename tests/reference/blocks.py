"""Blocks of code in Markdown pages, and what the comments in a block of rows claim.

A comment stands behind the row it speaks of, on its last line or on lines of its own:

    ; => VALUE                      the row's value
    ; with {:n 3} => VALUE          its value with these arguments
    ; fails: CODE                   the error of its run; `with {…}` may stand before it
    ; problem: CODE …               what is wrong with it: the block has these and no others
    ; open: :a (:b)                 its free arguments in order; those in () may be left out
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphden import Graph, GraphError, Problem, RunError
from graphden.edn import Form, Keyword, equal, read, read_all, write

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|(;[^\n]*)', re.DOTALL)
_CLAIM = re.compile(
    r";+\s*(?:with (?P<arguments>\{.*\})\s+)?(?P<kind>=>|fails:|problem:|open:)\s*(?P<said>.+)"
)
_MEANT = re.compile(r";+\s*(?:with \{|=>|\w+:(?:\s|$))|;.*=>")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `line` is that of its first line in the page, from 1."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a comment says of `row`, the one that it stands behind ("" without one)."""

    row: str
    kind: str
    said: str
    arguments: str | None = None

    def __str__(self) -> str:
        return f":{self.row} {self.kind} {self.said}"


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page in order."""
    text = page.read_text("utf-8")
    return [
        Block(page.name, text.count("\n", 0, found.start()) + 2, found[1], found[2])
        for found in _FENCE.finditer(text)
    ]


def prose_of(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


def rows_of(text: str) -> list[Form]:
    """The maps of a text of rows."""
    forms, _ = read_all(text, "block")
    if len(forms) == 1 and forms[0].items:
        forms = list(forms[0].items)
    return [form for form in forms if form.get("name") is not None]


def claims_of(text: str) -> list[Claim]:
    """What the comments claim. Raises ValueError for a comment that nearly is a claim."""
    starts = [((row.span.line, row.span.column), row) for row in rows_of(text)]
    claims = []
    for found in _COMMENT.finditer(text):
        comment = found[1]
        if comment is None or not _MEANT.match(comment):
            continue
        match = _CLAIM.fullmatch(comment.strip())
        if match is None:
            raise ValueError(f"this comment is nearly a claim: {comment}")
        line = text.count("\n", 0, found.start()) + 1
        place = (line, found.start() - text.rfind("\n", 0, found.start()))
        before = [row for start, row in starts if start < place]
        claims.append(
            Claim(
                _name(before[-1]) if before else "",
                match["kind"],
                match["said"].strip(),
                match["arguments"],
            )
        )
    return claims


def _name(row: Form) -> str:
    name = row.get("name")
    return name.value.text if name is not None and isinstance(name.value, Keyword) else ""


def mistakes(block: Block) -> list[str]:
    """Every claim of a block of rows that does not hold, and every problem it does not name."""
    claims = claims_of(block.text)
    try:
        graph = Graph.parse(block.text, file=str(block))
        problems: tuple[Problem, ...] = graph.diagnostics
    except GraphError as error:
        graph, problems = None, error.problems
    found = list(_unexpected(claims, problems))
    for claim in claims:
        if claim.kind != "problem:":
            found.extend(["does not load"] if graph is None else _untrue(graph, claim))
    return found


def _unexpected(claims: list[Claim], problems: tuple[Problem, ...]) -> Iterator[str]:
    claimed = Counter(
        ("" if code == "syntax" else claim.row, code)
        for claim in claims
        if claim.kind == "problem:"
        for code in claim.said.split()
    )
    actual = Counter((problem.row, problem.code) for problem in problems)
    for row, code in (claimed - actual).elements():
        yield f":{row} has no problem {code}"
    for row, code in (actual - claimed).elements():
        said = next(p for p in problems if (p.row, p.code) == (row, code))
        yield f":{row} has the problem {code}: {said.message}"


def _untrue(graph: Graph, claim: Claim) -> Iterator[str]:
    row = next((row.id for row in graph.rows if row.name == claim.row), claim.row)
    if claim.kind == "open:":
        shown = " ".join(
            f":{p.name}" if p.required else f"(:{p.name})" for p in graph.interface(row)
        )
        if shown != claim.said:
            yield f"{claim}, but {shown or 'nothing'} is open"
        return
    given = {} if claim.arguments is None else _value(claim.arguments)
    assert isinstance(given, dict)
    try:
        value = graph.run(row, {name.text: each for name, each in given.items()})
    except RunError as error:
        if (claim.kind, claim.said) != ("fails:", error.code):
            yield f"{claim}, but it fails: {error.code}, {error.message}"
        return
    if claim.kind == "fails:" or not _same(value, _value(claim.said)):
        yield f"{claim}, but it gives {write(value, lossy=True)}"


def _same(value: object, expected: object) -> bool:
    """Equal, and of the same kind and order throughout: 1 is not 1.0 here."""
    shown = write(value, lossy=True) == write(expected, lossy=True)
    return shown and equal(value, expected)


def _value(text: str) -> object:
    (form,) = read(text, "claim")
    return form.value
