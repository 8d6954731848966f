"""`graphden lesson`: the course as a learner meets it."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from graphden.cli import main
from graphden.learn import course

COURSE = course()
FIRST, SECOND, *_ = COURSE.exercises
FILE = Path("graphden-lessons") / FIRST.file


def test_the_lessons_are_listed_and_the_first_step_is_named(run):
    done = run("lesson")

    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split() for line in lines[:-1]] == [
        [str(lesson.number), *lesson.title.split(), f"0/{len(lesson.exercises)}"]
        for lesson in COURSE.lessons
    ]
    assert lines[-1] == "graphden lesson start begins the course"
    assert not Path("graphden-lessons").exists()


def test_start_shows_the_text_and_writes_the_file(run):
    done = run("lesson", "start")

    assert done.code == 0
    assert done.out.startswith("Rows and base functions\n")
    assert done.out.splitlines()[-3:] == [
        f"Exercise 1.1: {FIRST.title}",
        f"  {FILE}",
        "Edit the file, then: graphden lesson check",
    ]
    assert FILE.read_text("utf-8") == FIRST.start


def test_a_learner_goes_from_a_mistake_to_the_next_exercise(run):
    run("lesson", "start")

    wrong = run("lesson", "check")
    assert wrong.code == 1
    assert "there is no row :mull [unknown-row]" in wrong.err
    assert f"{FILE}:3:25" in wrong.err
    assert "Did you mean :mul?" in wrong.err
    assert wrong.out == f"{FIRST.name}: 1 thing to mend in {FILE}; graphden lesson hint helps\n"

    FILE.write_text(FIRST.start.replace(":mull", ":add"), encoding="utf-8")
    value = run("lesson", "check")
    assert value.code == 1
    assert value.err.splitlines() == [
        "wrong: :minutes gives another value [wrong-value]",
        "  expected: 1440",
        "  saw:      84",
    ]

    FILE.write_text(FIRST.solution, encoding="utf-8")
    right = run("lesson", "check")
    assert (right.code, right.err) == (0, "")
    assert right.out.splitlines() == [
        f"{FIRST.name}: solved",
        f"next: {SECOND.name}, by graphden lesson start",
    ]
    assert "1/2" in run("lesson", "list").out
    assert f"Exercise 1.2: {SECOND.title}" in run("lesson", "start").out


def test_hints_come_one_by_one(run):
    run("lesson", "open", "rows")

    count = len(FIRST.hints)
    assert run("lesson", "hint").out == f"hint 1 of {count}: {FIRST.hints[0]}\n"
    assert run("lesson", "hint").out == f"hint 2 of {count}: {FIRST.hints[1]}\n"


def test_a_solution_is_shown_when_the_exercise_is_passed_or_to_who_peeks(run):
    run("lesson", "start")

    refused = run("lesson", "solution", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "not-passed")
    assert run("lesson", "solution", "--peek").out == FIRST.solution
    FILE.write_text(FIRST.solution, encoding="utf-8")
    run("lesson", "check")
    assert run("lesson", "solution").out == FIRST.solution


def test_a_reset_gives_the_start_back(run):
    run("lesson", "start")
    FILE.write_text("; mine\n", encoding="utf-8")

    done = run("lesson", "reset")

    kept = f"{FILE}.before"
    assert done.out == f"{FILE} is as it was at the start; what you wrote is in {kept}\n"
    assert FILE.read_text("utf-8") == FIRST.start
    assert Path(kept).read_text("utf-8") == "; mine\n"


def test_json_is_for_programs(run):
    started = run("lesson", "start", "--json").json
    assert started["exercise"] == FIRST.name
    assert started["text"] == COURSE.lessons[0].text
    checked = run("lesson", "check", "--json")
    assert checked.code == 1
    assert checked.json["passed"] is False
    assert [problem["code"] for problem in checked.json["problems"]] == ["unknown-row"]
    FILE.write_text(FIRST.start.replace(":mull", ":add"), encoding="utf-8")
    [wrong] = run("lesson", "check", "--json").json["wrong"]
    assert (wrong["code"], wrong["saw"], wrong["expected"]) == ("wrong-value", "84", "1440")
    listed = run("lesson", "list", "--json").json
    assert listed == run("lesson", "--json").json
    assert listed["next"] == FIRST.name
    assert sum(len(each["exercises"]) for each in listed["lessons"]) == len(COURSE.exercises)
    assert run("lesson", "hint", "--json").json["hint"] == FIRST.hints[0]
    assert run("lesson", "reset", "--json").json["before"] == f"{Path.cwd() / FILE}.before"
    peeked = run("lesson", "solution", "--peek", "--json").json
    assert peeked["solution"] == FIRST.solution


@pytest.mark.parametrize(
    ("words", "code"),
    [(["check"], "not-begun"), (["hint"], "not-begun"), (["open", "99"], "unknown-lesson")],
)
def test_what_cannot_be_done_is_told(run, words: list[str], code: str):
    done = run("lesson", *words, "--json")
    assert (done.code, done.json["error"]["code"]) == (2, code)


def test_the_whole_course_is_passed_with_the_solutions(run):
    for exercise in COURSE.exercises:
        assert run("lesson", "start", "--json").json["exercise"] == exercise.name
        path = Path("graphden-lessons") / exercise.file
        path.write_text(exercise.solution, encoding="utf-8")
        assert run("lesson", "check").code == 0
    assert run("lesson").out.splitlines()[-1] == "all exercises are passed"


def test_what_is_saved_is_checked_and_the_next_exercise_follows(start, folder: Path):
    assert main(["lesson", "start"]) == 0
    process = start("lesson", "watch")
    assert process.said() == f"Exercise 1.1: {FIRST.title}"
    assert "[unknown-row]" in process.logged("[unknown-row]")
    while process.said() != "watching, Ctrl-C ends":
        pass
    half = folder / "half"
    half.write_text(FIRST.solution, encoding="utf-8")
    half.replace(FILE)
    while process.said() != f"{FIRST.name}: solved":
        pass
    while process.said() != f"Exercise 1.2: {SECOND.title}":
        pass
    while process.said() != "watching, Ctrl-C ends":
        pass
    assert (folder / "graphden-lessons" / SECOND.file).read_text("utf-8") == SECOND.start
    process.signal(signal.SIGINT)
    assert process.ended() == 0
