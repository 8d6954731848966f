"""A gallery of wrong graphs, each with all that the command line says of it.

`NN-name.txt` is what `graphden check NN-name.edn` prints, or the command in the file's first
line (`; $ graphden …`, where FILE stands for the file). `NN-name.fixed.edn` is the same after
its author did what the hints say; nothing is wrong with that. After a message has changed,
write them anew, and read what has become of each:

    GALLERY=write .venv/bin/pytest tests/gallery && git diff tests/gallery

Lines of the packages' own rows are shown without their numbers, which move.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from graphden.cli import main

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.glob("*.edn") if path.suffixes == [".edn"])
WRITES = os.environ.get("GALLERY") == "write"

CODES = {
    *("unknown-row", "unknown-slot", "unknown-type", "unknown-key", "bad-row"),
    *("bad-constraint", "duplicate-row", "ambiguous-name", "private-row", "cycle"),
    *("sealed-slot", "list-closed", "name-collision", "different-roots", "parent-conflict"),
    *("ambiguous-lambda-params", "invalid-lambda-params", "signature-mismatch", "syntax"),
    *("type-mismatch", "not-callable", "refinement-violated", "not-narrower"),
    *("argument-conflict", "missing-field", "effect-not-allowed", "secret-flow"),
    *("missing-argument", "unknown-argument", "argument-type", "row-has-diagnostics"),
    *("contract-violation", "division-by-zero", "invalid-argument", "malformed-json"),
    *("assertion-failed", "thrown", "recursion-depth", "deadline-exceeded"),
}
"""The codes of LANGUAGE 9.3 but `cancelled`, which needs somebody who cancels, and
`base-function-error`, which needs a base function that is wrong.
"""

_LIBRARY = re.compile(
    r"(?P<place>(?:stdlib_graphs|graphden_\w+)/[\w/-]+\.edn):\d+:\d+\n"
    r" \d+ \| (?P<line>.*)\n +\|"
)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are named as seen from this folder, in plain text."""
    monkeypatch.chdir(HERE)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("GRAPHDEN_DATABASE_URL", raising=False)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_that_is_said(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """LANGUAGE 9.1, 9.2"""
    words = command(path)
    code = main(words[1:])
    out, err = capsys.readouterr()
    said = f"$ {shlex.join(words)}\n{_LIBRARY.sub(_without_numbers, err)}{out}"
    golden = path.with_suffix(".txt")
    if WRITES:
        golden.write_text(said, encoding="utf-8")
    assert said == golden.read_text(encoding="utf-8")
    assert code == 1


def test_every_code_of_a_graph_is_in_the_gallery() -> None:
    said = "".join(path.with_suffix(".txt").read_text(encoding="utf-8") for path in FILES)
    assert set(re.findall(r"\[([a-z-]+)\]$", said, re.MULTILINE)) == CODES
    assert len(FILES) == 52


MENDED = sorted(HERE.glob("*.fixed.edn"))


@pytest.mark.parametrize("path", MENDED, ids=lambda path: path.name.partition(".")[0])
def test_what_the_hints_say_mends_it(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", path.name]) == 0, capsys.readouterr().err


def test_most_graphs_have_a_mended_version() -> None:
    mended = {path.name.partition(".")[0] for path in MENDED}
    assert mended <= {path.stem for path in FILES}
    assert len(mended) > 35


def command(path: Path) -> list[str]:
    """The words of the command whose output is shown."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    written = first.removeprefix("; $ ") if first.startswith("; $ ") else "graphden check FILE"
    return [path.name if word == "FILE" else word for word in shlex.split(written)]


def _without_numbers(found: re.Match[str]) -> str:
    return f"{found['place']}\n    | {found['line']}\n    |"
