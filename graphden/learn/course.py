"""The lessons and exercises that an installation has, read from their folders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from graphden.assets import folder
from graphden.edn import Keyword, read
from graphden.errors import UsageError
from graphden.learn.checks import Check, check_of

_LESSON = "[0-9][0-9]-*"
_EXERCISE = "[0-9]-*"


@dataclass(frozen=True, slots=True)
class Exercise:
    """A file of rows to be mended or written.

    `name` is such as `03-slots/1-keywords`. `start` is the file as it is given, `fails` are the
    codes of what is wrong with it, `solution` passes. `others` are files of rows, by name, that
    are loaded with the learner's: rows that the exercise is about, and those of its checks.
    """

    name: str
    title: str
    start: str
    solution: str
    fails: tuple[str, ...]
    hints: tuple[str, ...]
    checks: tuple[Check, ...]
    others: dict[str, str]

    @property
    def file(self) -> str:
        """The learner's file, seen from the learner's folder."""
        return f"{self.name}.edn"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A text with its exercises. `name` is such as `03-slots`."""

    name: str
    text: str
    exercises: tuple[Exercise, ...]

    @property
    def number(self) -> int:
        """Its place in the course, from 1."""
        return int(self.name[:2])

    @property
    def title(self) -> str:
        """Its first line."""
        return self.text.partition("\n")[0].removeprefix("# ")


class Course:
    """All lessons, in their order."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @cached_property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons; each is read once."""
        return tuple(map(_lesson, sorted(self._root.glob(_LESSON))))

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of all lessons."""
        return tuple(each for lesson in self.lessons for each in lesson.exercises)

    def lesson_of(self, exercise: Exercise) -> Lesson:
        """The lesson that an exercise belongs to."""
        name = exercise.name.partition("/")[0]
        return next(each for each in self.lessons if each.name == name)

    def find(self, words: str) -> Exercise:
        """The exercise that `words` mean: a lesson's number or name for its first one, `3.2` or
        `03-slots/2-lists` for another. Raises UsageError `unknown-lesson`.
        """
        wanted = words.removesuffix(".edn").strip("/")
        for exercise in self.exercises:
            if wanted in _names(exercise):
                return exercise
        known = [name for each in self.exercises for name in _names(each)]
        close = get_close_matches(wanted, known, n=1)
        hint = f"Did you mean {close[0]}?" if close else "graphden lesson lists them."
        raise UsageError("unknown-lesson", f"there is no lesson {words}", hint=hint)


def course() -> Course:
    """The course of this installation. Raises UsageError `asset-missing`."""
    return Course(folder("lessons"))


def _names(exercise: Exercise) -> Iterator[str]:
    """What an exercise may be called; the first of a lesson goes by the lesson's name too."""
    lesson, _, own = exercise.name.partition("/")
    number, place = int(lesson[:2]), int(own[0])
    yield from (exercise.name, f"{number}.{place}", own[2:])
    if place == 1:
        yield from (lesson, lesson[3:], str(number), lesson[:2])


def _lesson(path: Path) -> Lesson:
    exercises = tuple(_exercise(each, path.name) for each in sorted(path.glob(_EXERCISE)))
    return Lesson(path.name, (path / "README.md").read_text("utf-8"), exercises)


def _exercise(path: Path, lesson: str) -> Exercise:
    own = ("start.edn", "solution.edn", "exercise.edn")
    texts = {each.name: each.read_text("utf-8") for each in sorted(path.glob("*.edn"))}
    [form] = read(texts["exercise.edn"], str(path / "exercise.edn"))
    data = form.value
    if not isinstance(data, dict):
        raise TypeError(f"{path}: exercise.edn is a map")
    return Exercise(
        name=f"{lesson}/{path.name}",
        title=data[Keyword("title")],
        start=texts["start.edn"],
        solution=texts["solution.edn"],
        fails=tuple(code.text for code in data[Keyword("fails")]),
        hints=tuple(data[Keyword("hints")]),
        checks=tuple(check_of(each) for each in data[Keyword("checks")]),
        others={name: text for name, text in texts.items() if name not in own},
    )
