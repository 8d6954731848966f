"""Rows of the repository, mutated: only the product's own errors come of them.

`FUZZ_SECONDS=600 pytest -m long -s tests/fuzz`; without the seconds it is skipped. `FUZZ_SEED`
says where to begin. What fails is named with its seed, its text left in the temporary folder.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from graphden import Graph, GraphError
from graphden.edn import read_all
from graphden.edn.forms import Kind
from graphden.edn.layout import format_text
from graphden.errors import GraphdenError, Span

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
PATIENCE = 20  # seconds that one text may take


def _slice(text: str, span: Span) -> str:
    lines = text.splitlines(keepends=True)[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "".join(lines)


@cache
def sound() -> list[int]:
    """The texts that load as they are."""
    return [index for index, text in enumerate(TEXTS) if _loads(text)]


def _loads(text: str) -> bool:
    try:
        Graph.parse(text)
    except GraphError:
        return False
    return True


ROOT = Path(__file__).parents[2]
FILES = [
    path.read_text("utf-8")
    for folder in ("stdlib_graphs", "lessons", "tests", "backends")
    for path in sorted((ROOT / folder).rglob("*.edn"))
]
BLOCKS = [
    block
    for path in sorted((ROOT / "lessons").rglob("*.md"))
    for block in re.findall(r"```clojure\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
]
TEXTS = FILES + BLOCKS
ROWS = [
    [_slice(text, form.span) for form in read_all(text, "")[0] if form.kind is Kind.MAP]
    for text in TEXTS
]
PIECES = [
    *"[]{}()\"\\;:#_^~@ \n\t,'`",
    *("{:a 1}", "#{1 true}", "#_", '#inst "2026-01-31T12:00:00Z"', "#uuid", "##NaN", "nil"),
    *(
        "{:as :x}",
        "{:ref :x}",
        "{:value :x}",
        "{:append [1]}",
        ":closed true",
        ":terminal true",
    ),
    *(
        "{:type :int}",
        "[:list a]",
        "[:secret :text]",
        "[:fn {:item a} b]",
        "[:union :int :null]",
    ),
    *("1/2", "1e999", "-0.0", "1.5M", "007", "9" * 5_000, "\u2028", "\ud800", "\x00", "🐢"),
    *(":parent", ":parents", ":args", ":lambda-params []", ":return-type :int", ":name"),
    *("{:parent :add :args {:nums [1]}}", ":map", ":reduce", ":fix", ":if", ":get", ":merge"),
]


def mutated(chance: random.Random) -> str:
    """Rows of a file or of a page, or a piece of it, with a few changes."""
    file = chance.choice(sound()) if chance.random() < 0.7 else chance.randrange(len(TEXTS))
    text, rows = TEXTS[file], ROWS[file]
    if len(text) > 8_000 and rows:
        first = chance.randrange(len(rows))
        text = "\n".join(rows[first : first + chance.choice((1, 3, 10, 30))])
    if chance.random() < 0.1:
        start = chance.randrange(len(text) + 1)
        text = text[start : start + 1_000]
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        here, there = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        there = min(there, here + chance.choice((1, 1, 5, 40, 400)))
        match chance.randrange(6):
            case 0:
                text = text[:here] + text[there:]
            case 1:
                text = text[:here] + chance.choice(PIECES) + text[here:]
            case 2:
                text = text[:here] + chance.choice(PIECES) + text[there:]
            case 3:
                text = text[:here] + text[here:there] * chance.choice((2, 3, 50)) + text[there:]
            case 4:
                other = chance.choice(TEXTS)
                at = chance.randrange(len(other) + 1)
                text = text[:here] + other[at : at + 200] + text[there:]
            case 5:
                names = [word for word in text.split() if word.startswith(":")] or [":a"]
                text = text.replace(chance.choice(names), chance.choice(names), 1)
    return text


def _refused(error: GraphError) -> str:
    assert error.problems
    assert all(problem.message and problem.span for problem in error.problems)
    return "refused"


@contextmanager
def patience(text: str) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"{PATIENCE} s were not enough for {text[:200]!r}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def attempt(text: str) -> str:
    """Format, load and compile a text; what came of it."""
    try:
        formatted = format_text(text)
    except GraphdenError:
        formatted = None
    try:
        graph = Graph.parse(text)
    except GraphError as error:
        return _refused(error)
    if formatted is not None:
        assert format_text(formatted) == formatted
        assert {row.id for row in Graph.parse(formatted).rows} == {row.id for row in graph.rows}
    for row in graph.rows:
        try:
            graph._function(graph.resolved(row.id))
        except GraphdenError:
            continue
    return "loaded"


@pytest.mark.long
@pytest.mark.skipif(SECONDS == 0, reason="NOT TESTED: FUZZ_SECONDS says how long to try")
@pytest.mark.timeout(SECONDS + 120)
def test_mutated_rows_give_only_our_errors(tmp_path):
    ends = time.monotonic() + SECONDS
    seed = SEED
    found: dict[str, str] = {}
    came = {"refused": 0, "loaded": 0}
    while time.monotonic() < ends and len(found) < 20:
        text = mutated(random.Random(seed))
        try:
            with patience(text):
                came[attempt(text)] += 1
        except Exception as error:
            name = f"{type(error).__name__}: {str(error)[:200]}"
            if name not in found:
                found[name] = f"seed {seed}"
                (tmp_path / f"{seed}.edn").write_text(text, "utf-8", errors="surrogatepass")
        seed += 1
    print(f"{seed - SEED} texts: {came}; failures: {found}; texts in {tmp_path}")
    assert not found
    assert came["loaded"]
    assert came["refused"]
