"""The learner's folder: the files that are worked on, and how far the learner has come."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from graphden.errors import UsageError
from graphden.learn.course import Course, Exercise

FOLDER = "graphden-lessons"
PROGRESS = "progress.json"


@dataclass(slots=True)
class _Progress:
    """`passed` and `hints` are by names of exercises; `current` is the one opened last."""

    current: str = ""
    passed: list[str] = field(default_factory=list)
    hints: dict[str, int] = field(default_factory=dict)


class Desk:
    """The folder of one learner."""

    def __init__(self, folder: Path) -> None:
        """Opens the folder, which need not be there yet.

        Raises UsageError `progress-unreadable` for a file of progress that is none.
        """
        self.folder = folder
        self._file = folder / PROGRESS
        self._progress = _read(self._file)

    @classmethod
    def find(cls, start: Path) -> Desk:
        """The desk at `start` or above it; without one, that to be made in `start`."""
        for folder in (start, *start.parents):
            if folder.name == FOLDER and (folder / PROGRESS).is_file():
                return cls(folder)
            if (folder / FOLDER / PROGRESS).is_file():
                return cls(folder / FOLDER)
        return cls(start / FOLDER)

    @property
    def begun(self) -> bool:
        """Whether an exercise was ever opened."""
        return bool(self._progress.current)

    def current(self, course: Course) -> Exercise:
        """The exercise that was opened last. Raises UsageError `not-begun`."""
        if not self.begun:
            raise UsageError(
                "not-begun",
                f"there is no folder {FOLDER} with lessons here",
                hint="graphden lesson start makes it.",
            )
        return course.find(self._progress.current)

    def next(self, course: Course) -> Exercise | None:
        """The first exercise that is not passed; None when all are."""
        return next((each for each in course.exercises if not self.passed(each)), None)

    def passed(self, exercise: Exercise) -> bool:
        """Whether the learner has solved it, once."""
        return exercise.name in self._progress.passed

    def path(self, exercise: Exercise) -> Path:
        """The learner's file for an exercise."""
        return self.folder / exercise.file

    def open(self, exercise: Exercise) -> Path:
        """Go to an exercise; its file is written when it is not there."""
        path = self.path(exercise)
        if not path.exists():
            _write(path, exercise.start)
        self._progress.current = exercise.name
        self._save()
        return path

    def text(self, exercise: Exercise) -> str:
        """What the learner has written. Raises UsageError `no-such-file`, or
        `unreadable-file` for what is no text.
        """
        path = self.path(exercise)
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise UsageError(
                "no-such-file",
                f"there is no file or folder {path}",
                hint=f"graphden lesson open {exercise.name} writes it.",
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                "unreadable-file", f"{path} cannot be read: {error}", hint="Save it as UTF-8."
            ) from None

    def pass_(self, exercise: Exercise) -> None:
        """Note that an exercise is solved."""
        if not self.passed(exercise):
            self._progress.passed.append(exercise.name)
            self._save()

    def hint(self, exercise: Exercise) -> tuple[int, str]:
        """The number, from 1, and text of the next hint; after the last one, that again."""
        number = min(self._progress.hints.get(exercise.name, 0) + 1, len(exercise.hints))
        self._progress.hints[exercise.name] = number
        self._save()
        return number, exercise.hints[number - 1]

    def reset(self, exercise: Exercise) -> Path:
        """Give the file back as it was at the start; what stood in it stays beside it, in a
        file that ends in `.edn.before`. Returns that, or the file itself when there was none.
        """
        path = self.path(exercise)
        kept = path.with_name(f"{path.name}.before") if path.exists() else path
        if path.exists():
            path.replace(kept)
        _write(path, exercise.start)
        if self.passed(exercise):
            self._progress.passed.remove(exercise.name)
        self._progress.hints.pop(exercise.name, None)
        self._save()
        return kept

    def _save(self) -> None:
        _write(self._file, json.dumps(asdict(self._progress), indent=1) + "\n")


def _write(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise UsageError(
            "unwritable-file",
            f"{path} cannot be written: {error.strerror}",
            hint="Learn in a folder that you may write to.",
        ) from None


def _read(path: Path) -> _Progress:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return _Progress(
            str(found["current"]), [*map(str, found["passed"])], {**found["hints"]}
        )
    except FileNotFoundError:
        return _Progress()
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            "progress-unreadable",
            f"{path} is no file of progress",
            hint="Delete it to begin anew; the exercises' files stay.",
        ) from None
