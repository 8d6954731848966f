"""The course: starts fail with exactly their problem, solutions pass, the prose is true."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from graphden import assets
from graphden.cli import COMMANDS, main
from graphden.edn import Keyword, read_all
from graphden.edn.layout import format_text
from graphden.files import package_files
from graphden.learn import Exercise, Lesson, check, course
from graphden.read.keys import ALL_KEYS, BINDING_ONLY
from tests.reference.blocks import Block, blocks_of, mistakes, prose_of

LESSONS = course().lessons
EXERCISES = course().exercises
CODES = assets.folder("lessons") / "reference" / "codes"
OF_CHECKS = {"wrong-value", "wrong-shape", "no-failure", "no-tests", "nothing-caught"}


def _page(lesson: Lesson) -> Path:
    return assets.folder("lessons") / lesson.name / "README.md"


def _blocks(language: str) -> list[Block]:
    return [
        Block(lesson.name, block.line, block.language, block.text)
        for lesson in LESSONS
        for block in blocks_of(_page(lesson))
        if block.language == language
    ]


def test_the_lessons_are_numbered_without_a_gap() -> None:
    assert [lesson.number for lesson in LESSONS] == list(range(1, len(LESSONS) + 1))
    for lesson in LESSONS:
        numbers = [int(each.name.partition("/")[2][0]) for each in lesson.exercises]
        assert numbers == list(range(1, len(numbers) + 1))
        assert 1 <= len(numbers) <= 4


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.name)
def test_the_start_fails_with_exactly_its_problem(exercise: Exercise) -> None:
    assert check(exercise, exercise.start).codes == exercise.fails


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.name)
def test_the_solution_passes(exercise: Exercise) -> None:
    report = check(exercise, exercise.solution)
    assert report.codes == ()
    assert report.passed


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.name)
def test_an_exercise_says_what_to_do_and_hints_at_it(exercise: Exercise) -> None:
    assert exercise.start.startswith("; ")
    assert 1 <= len(exercise.hints) <= 4
    assert exercise.checks
    assert all(code in OF_CHECKS or (CODES / f"{code}.md").is_file() for code in exercise.fails)
    for text in (exercise.start, exercise.solution, *exercise.others.values()):
        assert format_text(text) == text
        assert max(map(len, text.splitlines())) <= 96


@pytest.mark.parametrize("block", _blocks("clojure"), ids=str)
def test_what_the_blocks_of_a_lesson_say_is_true(block: Block) -> None:
    assert mistakes(block) == []


@pytest.mark.parametrize("block", _blocks("console"), ids=str)
def test_a_command_that_is_shown_prints_what_is_shown(
    block: Block,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It sees, in `rows.edn`, the block of rows before it."""
    monkeypatch.chdir(tmp_path)
    rows = [b for b in _blocks("clojure") if b.page == block.page and b.line < block.line]
    (tmp_path / "rows.edn").write_text(rows[-1].text, encoding="utf-8")
    shown = re.split(r"^\$ graphden (.+)\n", block.text, flags=re.MULTILINE)
    assert shown[0] == ""
    assert len(shown) > 2
    for command, expected in zip(shown[1::2], shown[2::2], strict=True):
        assert main(shlex.split(command)) == 0
        pattern = re.escape(expected).replace("…", ".*")
        assert re.fullmatch(pattern, capsys.readouterr().out)


def _known(lesson: Lesson) -> set[str]:
    """The names that the prose of a lesson may mention: rows and slots of packages, keys of
    rows, and all keywords of the lesson's own rows.
    """
    rows = [row for file in package_files() for row in file.rows]
    names = {row.name for row in rows} | {slot.name for row in rows for slot in row.slots}
    texts = [block.text for block in blocks_of(_page(lesson)) if block.language == "clojure"]
    for each in lesson.exercises:
        texts += [each.start, each.solution]
    for text in texts:
        names.update(_keywords([form.value for form in read_all(text, lesson.name)[0]]))
    return names | {*ALL_KEYS, *BINDING_ONLY}


def _keywords(value: object) -> set[str]:
    match value:
        case Keyword():
            return {value.text}
        case dict():
            return _keywords([*value, *value.values()])
        case list() | frozenset():
            return {name for each in value for name in _keywords(each)}
    return set()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: each.name)
def test_the_names_commands_and_links_of_the_prose_exist(lesson: Lesson) -> None:
    prose = prose_of(_page(lesson))
    mentioned = set(re.findall(r"`:([^`\s\]}]+)`", prose))
    mentioned |= {name for code in re.findall(r"`\{[^`]+`", prose) for name in _names(code)}
    assert mentioned <= _known(lesson)
    for command in re.findall(r"`graphden ([^`]+)`", prose):
        assert command.split()[0] in COMMANDS
    for link in re.findall(r"\]\(([^)]+)\)", prose):
        assert (_page(lesson).parent / link).exists()


def _names(code: str) -> set[str]:
    return _keywords([form.value for form in read_all(code.strip("`"), "prose")[0]])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: each.name)
def test_a_lesson_is_short(lesson: Lesson) -> None:
    text = _page(lesson).read_text("utf-8")
    assert text.startswith("# ")
    assert text.count("\n") <= 60
    assert max(map(len, text.splitlines())) <= 96
    first = len(" ".join(prose_of(_page(lesson)).split()).split())
    assert first <= 300
