"""Every code that the sources raise has a page, and the pages that show no rows quote what is
really said.
"""

from __future__ import annotations

import re

import pytest

from graphden.assets import folder
from graphden.cli import main
from tests.reference.sources import raised
from tests.reference.test_codes import GROUP

PAGES = folder("lessons") / "reference" / "codes"
RAISED = raised()
TEXTS = {
    path.relative_to(PAGES).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PAGES.rglob("*.md"))
}
PROSE = sorted(TEXTS.keys() - GROUP.keys())
"""Pages about what rows can neither cause nor mend."""


def test_every_code_that_is_raised_has_a_page() -> None:
    assert RAISED.keys() <= TEXTS.keys()


def test_no_page_is_about_a_code_that_nothing_raises() -> None:
    assert set(PROSE) <= RAISED.keys()


@pytest.mark.parametrize("code", PROSE)
def test_a_page_of_prose_tells_its_code_its_group_and_what_to_do(code: str) -> None:
    text = TEXTS[code]
    assert re.fullmatch(
        rf"# {re.escape(code)}\n\n[^\n]+\.\n\n"
        r"(Run-time error, of what surrounds a run|Usage error, of the call, the installation "
        r"or the database)\.\n\nGraphden says:\n\n(> .+\n)+\n[^>]+\.\n",
        text.replace("-> ", ""),
    )
    assert text.count("\n") <= 48
    assert max(map(len, text.splitlines())) <= 92


@pytest.mark.parametrize("code", PROSE)
def test_what_a_page_of_prose_quotes_is_said(code: str) -> None:
    quoted = " ".join(re.findall(r"^> (.+)$", TEXTS[code], re.MULTILINE))
    rest = quoted
    for said in sorted(RAISED[code], key=len, reverse=True):
        rest = rest.replace(" ".join(said.split()), "", 1)
    assert rest.strip() == "", f"of {quoted!r} this is not said: {rest!r}"


@pytest.mark.parametrize("code", ["no-such-file", "core.control/deadlock"])
def test_the_command_line_finds_a_page_of_prose(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "--code", code]) == 0
    assert capsys.readouterr().out.startswith(code)
