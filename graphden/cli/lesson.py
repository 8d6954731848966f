"""`graphden lesson`: the course, one exercise after another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from graphden.cli import lesson_showing as showing
from graphden.cli.check import CLEAR
from graphden.cli.output import print_json
from graphden.cli.parsing import Parser, actions, add_json
from graphden.cli.watching import changes
from graphden.errors import UsageError
from graphden.learn import Course, Desk, Exercise, check, course

EXAMPLE = """\
  graphden lesson start
  graphden lesson check
  graphden lesson hint
  graphden lesson open 3.2"""


def configure(parser: Parser) -> None:
    """Add the arguments of the command."""
    add_json(parser)
    chosen = actions(parser)
    for name, (_, summary) in _ACTIONS.items():
        action = chosen.add_parser(name, help=summary)
        if name not in ("list", "start"):
            action.add_argument(
                "lesson",
                metavar="LESSON",
                nargs="?",
                help="such as 3, 3.2 or 03-slots/2-lists; by default the one opened last",
            )
        if name == "solution":
            action.add_argument(
                "--peek", action="store_true", help="show it before the exercise is passed"
            )
        if name != "watch":
            add_json(action, inherited=True)


def run(arguments: argparse.Namespace) -> int:
    """Do the action, by default `list`; `check` gives 1 until the rows are right."""
    action, _ = _ACTIONS[arguments.action or "list"]
    return action(arguments, course(), Desk.find(Path.cwd()))


def _list(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    if arguments.json:
        print_json(showing.overview_record(lessons, desk))
    else:
        showing.overview(lessons, desk)
    return 0


def _start(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    exercise = desk.next(lessons)
    if exercise is None:
        return _list(arguments, lessons, desk)
    return _opened(arguments, lessons, desk, exercise)


def _open(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    return _opened(arguments, lessons, desk, _meant(arguments, lessons, desk))


def _opened(
    arguments: argparse.Namespace, lessons: Course, desk: Desk, exercise: Exercise
) -> int:
    path = desk.open(exercise)
    lesson = lessons.lesson_of(exercise)
    if arguments.json:
        record = showing.exercise_record(exercise, path, passed=desk.passed(exercise))
        print_json({**record, "text": lesson.text})
    else:
        showing.opened(lesson, exercise, path)
    return 0


def _check(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    exercise = _meant(arguments, lessons, desk)
    return 0 if _checked(exercise, lessons, desk, as_json=arguments.json) else 1


def _checked(exercise: Exercise, lessons: Course, desk: Desk, *, as_json: bool) -> bool:
    path = desk.path(exercise)
    report = check(exercise, desk.text(exercise), file=str(path))
    if report.passed:
        desk.pass_(exercise)
    following = desk.next(lessons)
    if as_json:
        record = showing.exercise_record(exercise, path, passed=desk.passed(exercise))
        record |= showing.report_record(report)
        print_json({**record, "next": None if following is None else following.name})
    else:
        showing.report(exercise, report, path, following)
    return report.passed


def _hint(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    exercise = _meant(arguments, lessons, desk)
    number, text = desk.hint(exercise)
    count = len(exercise.hints)
    if arguments.json:
        print_json({"exercise": exercise.name, "number": number, "of": count, "hint": text})
    else:
        print(f"hint {number} of {count}: {text}")
    return 0


def _reset(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    exercise = _meant(arguments, lessons, desk)
    path, kept = desk.path(exercise), desk.reset(exercise)
    before = None if kept == path else str(kept)
    if arguments.json:
        print_json({"exercise": exercise.name, "file": str(path), "before": before})
    else:
        note = f"; what you wrote is in {showing.short(kept)}" if before else ""
        print(f"{showing.short(path)} is as it was at the start{note}")
    return 0


def _solution(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    exercise = _meant(arguments, lessons, desk)
    if not arguments.peek and not desk.passed(exercise):
        raise UsageError(
            "not-passed",
            f"{exercise.name} is not passed yet",
            hint="graphden lesson hint says a little; --peek shows the solution all the same.",
        )
    if arguments.json:
        print_json({"exercise": exercise.name, "solution": exercise.solution})
    else:
        print(exercise.solution, end="")
    return 0


def _watch(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> int:
    """Check on each save, and go on to the next exercise when one is passed."""
    exercise: Exercise | None = _meant(arguments, lessons, desk)
    try:
        while exercise is not None:
            desk.open(exercise)
            exercise = _watched(exercise, lessons, desk)
            if exercise is not None and exercise in _first_ones(lessons):
                showing.text(lessons.lesson_of(exercise))
    except KeyboardInterrupt:
        pass
    return 0


def _first_ones(lessons: Course) -> list[Exercise]:
    """The first exercise of each lesson."""
    return [lesson.exercises[0] for lesson in lessons.lessons]


def _watched(exercise: Exercise, lessons: Course, desk: Desk) -> Exercise | None:
    """Check until the exercise is passed; the next one."""
    path = desk.path(exercise)
    for number, _ in enumerate(changes(lambda: [str(path)])):
        if number and sys.stdout.isatty():
            print(CLEAR, end="", flush=True)
        showing.title(lessons.lesson_of(exercise), exercise, path)
        try:
            passed = _checked(exercise, lessons, desk, as_json=False)
        except UsageError as error:  # the file is away for a moment while it is saved
            print(error.message, flush=True)
            continue
        if passed:
            return desk.next(lessons)
        showing.watching()
    return None


def _meant(arguments: argparse.Namespace, lessons: Course, desk: Desk) -> Exercise:
    return lessons.find(arguments.lesson) if arguments.lesson else desk.current(lessons)


_ACTIONS: dict[str, tuple[Callable[[argparse.Namespace, Course, Desk], int], str]] = {
    "list": (_list, "list the lessons and how far you are"),
    "start": (_start, "go to the first exercise that is not passed; begin the course"),
    "open": (_open, "show a lesson's text and write its exercise's file"),
    "check": (_check, "say whether the exercise is solved, and what is wrong"),
    "hint": (_hint, "show the next hint"),
    "watch": (_watch, "check on every save, and go on when it is solved"),
    "reset": (_reset, "give the exercise's file back as it was at the start"),
    "solution": (_solution, "show a solution, when yours has passed"),
}
