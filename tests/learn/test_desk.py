"""The learner's folder: files, progress, hints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphden import UsageError
from graphden.learn import Desk, course

COURSE = course()
FIRST, SECOND, *_ = COURSE.exercises


def test_opening_writes_the_start_and_keeps_what_is_there(tmp_path: Path) -> None:
    desk = Desk.find(tmp_path)
    path = desk.open(FIRST)
    assert path == tmp_path / "graphden-lessons" / FIRST.file
    assert path.read_text("utf-8") == FIRST.start

    path.write_text("; mine", encoding="utf-8")
    desk.open(FIRST)
    assert desk.text(FIRST) == "; mine"


def test_progress_is_found_again_from_the_folder_around_and_inside(tmp_path: Path) -> None:
    desk = Desk.find(tmp_path)
    desk.open(FIRST)
    desk.pass_(FIRST)
    inside = desk.path(FIRST).parent
    for start in (tmp_path, desk.folder, inside):
        again = Desk.find(start)
        assert again.folder == desk.folder
        assert again.passed(FIRST)
        assert again.current(COURSE) == FIRST
        assert again.next(COURSE) == SECOND


def test_nothing_is_written_before_an_exercise_is_opened(tmp_path: Path) -> None:
    desk = Desk.find(tmp_path)
    assert not desk.begun
    assert desk.next(COURSE) == FIRST
    with pytest.raises(UsageError) as raised:
        desk.current(COURSE)
    assert raised.value.code == "not-begun"
    assert list(tmp_path.iterdir()) == []


def test_hints_come_one_after_another_and_the_last_one_stays(tmp_path: Path) -> None:
    desk = Desk.find(tmp_path)
    desk.open(FIRST)
    given = [Desk.find(tmp_path).hint(FIRST) for _ in range(len(FIRST.hints) + 1)]
    numbered = list(enumerate(FIRST.hints, 1))
    assert given == [*numbered, numbered[-1]]


def test_a_reset_keeps_what_was_written_and_forgets_that_it_passed(tmp_path: Path) -> None:
    desk = Desk.find(tmp_path)
    path = desk.open(FIRST)
    path.write_text("; mine", encoding="utf-8")
    desk.pass_(FIRST)
    desk.hint(FIRST)
    kept = desk.reset(FIRST)
    assert kept.read_text("utf-8") == "; mine"
    assert kept.suffix == ".before"
    assert desk.text(FIRST) == FIRST.start
    assert not desk.passed(FIRST)
    assert desk.hint(FIRST)[0] == 1


def test_a_file_that_is_gone_is_written_again_by_open(tmp_path: Path) -> None:
    desk = Desk.find(tmp_path)
    desk.open(FIRST).unlink()
    with pytest.raises(UsageError) as raised:
        desk.text(FIRST)
    assert raised.value.code == "no-such-file"
    desk.open(FIRST)
    assert desk.text(FIRST) == FIRST.start


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"current": 1, "passed": 2, "hints": 3}'])
def test_a_file_of_progress_that_is_none_is_told(text: str, tmp_path: Path) -> None:
    Desk.find(tmp_path).open(FIRST)
    (tmp_path / "graphden-lessons" / "progress.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        Desk.find(tmp_path)
    assert raised.value.code == "progress-unreadable"


def test_progress_is_one_small_file(tmp_path: Path) -> None:
    desk = Desk.find(tmp_path)
    for each in COURSE.exercises:
        desk.open(each)
        desk.pass_(each)
    progress = desk.folder / "progress.json"
    assert json.loads(progress.read_text("utf-8"))["passed"] == [
        each.name for each in COURSE.exercises
    ]
    assert progress.stat().st_size < 4_000
    assert desk.next(COURSE) is None


@pytest.mark.parametrize("words", ["1", "01", "01-rows", "rows", "1.1", FIRST.name, FIRST.file])
def test_an_exercise_is_called_in_many_ways(words: str) -> None:
    assert COURSE.find(words) == FIRST


def test_a_lesson_that_there_is_not_is_told_with_a_near_one() -> None:
    with pytest.raises(UsageError) as raised:
        COURSE.find("recursoin")
    assert raised.value.code == "unknown-lesson"
    assert raised.value.hint == "Did you mean recursion?"
