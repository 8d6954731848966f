"""Lessons and what their checks found, for people and for programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from graphden.cli.output import Style, short_path
from graphden.cli.pages import Page, rendered
from graphden.cli.reporting import place, problem_record, report_problems
from graphden.learn import Course, Desk, Exercise, Lesson, Report, Wrong


def short(path: Path) -> str:
    """A path as seen from the current folder."""
    return short_path(str(path))


def overview(lessons: Course, desk: Desk) -> None:
    """Print the lessons, what is passed, and what comes next."""
    style = Style(sys.stdout)
    following = desk.next(lessons)
    width = max(len(lesson.title) for lesson in lessons.lessons)
    for lesson in lessons.lessons:
        done = sum(map(desk.passed, lesson.exercises))
        count = len(lesson.exercises)
        mark = style("green", "✓") if done == count else " "
        here = following in lesson.exercises
        name = style("bold", lesson.title) if here else lesson.title
        space = " " * (width - len(lesson.title))
        print(f"{mark} {lesson.number:2}  {name}{space}  {style('dim', f'{done}/{count}')}")
    if following is None:
        print("all exercises are passed")
    elif desk.begun:
        print(f"next: {following.name}, by graphden lesson start")
    else:
        print("graphden lesson start begins the course")


def overview_record(lessons: Course, desk: Desk) -> dict[str, Any]:
    """The lessons as data."""
    following = desk.next(lessons)
    return {
        "lessons": [
            {
                "lesson": lesson.name,
                "title": lesson.title,
                "exercises": [
                    exercise_record(each, desk.path(each), passed=desk.passed(each))
                    for each in lesson.exercises
                ],
            }
            for lesson in lessons.lessons
        ],
        "next": None if following is None else following.name,
    }


def opened(lesson: Lesson, exercise: Exercise, path: Path) -> None:
    """Print a lesson's text, and what to do now."""
    text(lesson)
    title(lesson, exercise, path)
    print("Edit the file, then: graphden lesson check")


def text(lesson: Lesson) -> None:
    """Print a lesson's text."""
    print(f"{rendered(Page(lesson.name, lesson.text), Style(sys.stdout))}\n")


def title(lesson: Lesson, exercise: Exercise, path: Path) -> None:
    """Print which exercise this is, and its file."""
    style = Style(sys.stdout)
    number = f"{lesson.number}.{exercise.name.partition('/')[2][0]}"
    print(f"{style('bold', f'Exercise {number}: {exercise.title}')}")
    print(f"  {style('cyan', short(path))}")


def exercise_record(exercise: Exercise, path: Path, *, passed: bool) -> dict[str, Any]:
    """An exercise as data."""
    return {
        "exercise": exercise.name,
        "title": exercise.title,
        "file": str(path),
        "passed": passed,
    }


def report(exercise: Exercise, found: Report, path: Path, following: Exercise | None) -> None:
    """Print what checking came to."""
    sys.stdout.flush()
    report_problems(found.problems)
    for each in found.wrong:
        _tell(each)
    sys.stderr.flush()
    style = Style(sys.stdout)
    if not found.passed:
        count = len(found.codes)
        what = "1 thing" if count == 1 else f"{count} things"
        print(f"{exercise.name}: {what} to mend in {short(path)}; graphden lesson hint helps")
        return
    print(style("green", f"{exercise.name}: solved"))
    if following is None:
        print("That was the last one. All exercises are passed.")
    else:
        print(f"next: {following.name}, by graphden lesson start")


def report_record(found: Report) -> dict[str, Any]:
    """What checking came to, as data; `passed` is whether the rows are right now."""
    return {
        "passed": found.passed,
        "problems": [problem_record(each) for each in found.problems],
        "wrong": [
            {
                "code": each.code,
                "message": each.message,
                "row": each.row or None,
                "file": None if each.span is None else each.span.file,
                "line": None if each.span is None else each.span.line,
                "column": None if each.span is None else each.span.column,
                "saw": each.saw or None,
                "expected": each.expected or None,
                "hint": each.hint or None,
            }
            for each in found.wrong
        ],
    }


def watching() -> None:
    """Say that it goes on."""
    print(Style(sys.stdout)("dim", "watching, Ctrl-C ends"), flush=True)


def _tell(wrong: Wrong) -> None:
    style = Style(sys.stderr)
    lines = [f"{style('red', 'wrong')}: {wrong.message} {style('dim', f'[{wrong.code}]')}"]
    if wrong.span is not None:
        lines.append(f"  {place(wrong.span)}{f' in :{wrong.row}' if wrong.row else ''}")
    if wrong.expected:
        lines.append(f"  {style('cyan', 'expected')}: {wrong.expected}")
        lines.append(f"  {style('cyan', 'saw')}:      {wrong.saw}")
    if wrong.hint:
        lines.append(f"  {style('cyan', 'hint')}: {wrong.hint}")
    print("\n".join(lines), file=sys.stderr)
