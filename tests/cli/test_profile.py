"""`graphden profile`: the time per row, as a table and for viewers of flame graphs."""

from __future__ import annotations

import json
import signal
from numbers import Real
from pathlib import Path
from typing import Any

import pytest

from graphden.cli import opening
from graphden.cli import profile as command
from tests.cli.test_trace import ROWS

WORDS = ("profile", "with-tax", "--arg", "coll=[1, 2]")


def cells(line: str) -> list[str]:
    return [cell for cell in line.split("  ") if cell]


def test_the_table_has_each_row_with_its_calls_and_place(run, rows):
    rows(ROWS)
    result = run(*WORDS, "--repeat", "3")
    assert (result.code, result.err) == (0, "")
    first, titles, *lines = result.out.splitlines()
    assert first.startswith("3 runs: ")
    assert " in 4 rows, " in first
    assert titles.split() == ["row", "calls", "own", "%", "total", "place"]
    told = sorted((cells(line)[0], cells(line)[1].strip(), cells(line)[-1]) for line in lines)
    assert told == [
        (":scale-each", "3", "rows.edn:2:1"),
        (":scaled", "6", "rows.edn:1:1"),
        (":with-tax", "3", "rows.edn:4:1"),
        (":with-tax › add", "3", "rows.edn:4:59"),
    ]


def test_how_many_runs_are_done_is_told_when_it_takes_long(run, rows, monkeypatch):
    monkeypatch.setattr(command, "TOLD_S", 0.0)
    monkeypatch.setattr(opening, "_SLOW_SECONDS", 0.0)
    rows(ROWS)
    result = run(*WORDS, "--repeat", "3")
    assert result.err.splitlines() == ["… 1 of 3 runs", "… 2 of 3 runs", "… 3 of 3 runs"]
    assert result.out.startswith("3 runs: ")


def test_the_json_has_all_in_nanoseconds(run, rows):
    rows(ROWS)
    profile = run(*WORDS, "--json").json["profile"]
    assert profile["runs"] == 1
    by_row = {(row["row"], row["inline"]): row for row in profile["rows"]}
    entry = by_row["with-tax", False]
    assert (entry["calls"], entry["function"]) == (1, "core.arithmetic/add")
    assert entry["total_ns"] == sum(row["own_ns"] for row in profile["rows"])
    own = [row["own_ns"] for row in profile["rows"]]
    assert own == sorted(own, reverse=True)
    assert all(0 <= row["own_ns"] <= row["total_ns"] for row in profile["rows"])


def test_a_run_that_fails_is_told_of_as_far_as_it_came(run, rows, folder):
    rows(ROWS)
    words = ["profile", "share", "--args", '{"coll": [1], "factor": 1, "people": 0}']
    result = run(*words, "--flame", "flame.txt", "--repeat", "5")
    assert result.code == 1
    assert result.out.startswith("0 of 5 runs: ")
    assert ":scale-each" in result.out
    assert "[division-by-zero]" in result.err
    assert len((folder / "flame.txt").read_text().splitlines()) == 4
    answer = run(*words, "--json")
    assert answer.code == 1
    assert answer.json["error"]["code"] == "division-by-zero"
    assert len(answer.json["profile"]["rows"]) == 4


def test_a_deadline_ends_the_runs(run, rows):
    rows("{:name :long :parent :sleep :args {:ms 60000}}")
    result = run("profile", "long", "--timeout", "20")
    assert result.code == 1
    assert "[deadline-exceeded]" in result.err
    assert ":long" in result.out


def test_an_interrupt_shows_the_profile_so_far(start, rows, folder, gate):
    """Ctrl-C at a run that goes on for long."""
    rows("""
        {:name :wait :parent :pass-gate :args {:path "gate"}}
        {:name :sleeps :parent :sleep :args {:ms 600000}}
        {:name :entry :parent :do :args {:steps [:wait :sleeps]}}
    """)
    process = start("profile", "entry", "--json")
    gate()  # blocks until the run has come there
    process.signal(signal.SIGINT)
    told = json.loads(process.said())
    assert process.ended() == 1
    assert told["error"]["code"] == "cancelled"
    assert {row["row"] for row in told["profile"]["rows"]} >= {"wait", "entry"}


def valid(file: Any) -> None:
    """By the types of speedscope's file format, and what it says of their values."""

    def has(value: Any, needed: dict[str, type], optional: dict[str, type]) -> None:
        assert isinstance(value, dict)
        assert set(needed) <= set(value) <= set(needed) | set(optional)
        for key, kind in {**needed, **optional}.items():
            if key in value:
                assert isinstance(value[key], kind), key
                assert not isinstance(value[key], bool), key

    has(
        file,
        {"$schema": str, "shared": dict, "profiles": list},
        {"name": str, "activeProfileIndex": int, "exporter": str},
    )
    assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert 0 <= file["activeProfileIndex"] < len(file["profiles"])
    has(file["shared"], {"frames": list}, {})
    frames = file["shared"]["frames"]
    for frame in frames:
        has(frame, {"name": str}, {"file": str, "line": int, "col": int})
    for profile in file["profiles"]:
        values = {"startValue": Real, "endValue": Real, "samples": list, "weights": list}
        has(profile, {"type": str, "name": str, "unit": str, **values}, {})
        assert profile["type"] == "sampled"
        assert profile["unit"] in {
            "none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes",
        }  # fmt: skip
        assert len(profile["samples"]) == len(profile["weights"])
        assert all(isinstance(each, Real) and each >= 0 for each in profile["weights"])
        for stack in profile["samples"]:
            assert stack
            assert all(type(index) is int and 0 <= index < len(frames) for index in stack)
        taken = profile["endValue"] - profile["startValue"]
        assert taken == sum(profile["weights"])


@pytest.mark.parametrize("name", ["flame.json", "flame.speedscope.json"])
def test_speedscope_opens_the_file(run, rows, folder, name):
    rows(ROWS)
    assert run(*WORDS, "--flame", name).code == 0
    file = json.loads((folder / name).read_text())
    valid(file)
    frames = file["shared"]["frames"]
    [profile] = file["profiles"]
    stacks = [[frames[index]["name"] for index in stack] for stack in profile["samples"]]
    assert [":with-tax", ":scale-each", ":scaled", ":with-tax › add"] in stacks
    assert frames[0] == {"name": ":with-tax", "file": "rows.edn", "line": 4, "col": 1}


@pytest.mark.parametrize("name", ["flame.folded", "flame.txt"])
def test_folded_stacks_are_lines_of_rows_and_a_number(run, rows, folder, name):
    rows(ROWS)
    assert run(*WORDS, "--flame", name).code == 0
    lines = (folder / name).read_text().splitlines()
    stacks = {}
    for line in lines:
        stack, _, number = line.rpartition(" ")
        stacks[tuple(stack.split(";"))] = int(number)
    assert set(stacks) == {
        (":with-tax (rows.edn:4)",),
        (":with-tax (rows.edn:4)", ":scale-each (rows.edn:2)"),
        (":with-tax (rows.edn:4)", ":scale-each (rows.edn:2)", ":scaled (rows.edn:1)"),
        (
            ":with-tax (rows.edn:4)",
            ":scale-each (rows.edn:2)",
            ":scaled (rows.edn:1)",
            ":with-tax › add (rows.edn:4)",
        ),
    }
    assert all(number > 0 for number in stacks.values())


def test_a_name_of_a_file_breaks_no_stack(run, rows, folder):
    rows("{:name :one :parent :const :args {:value 1}}", "a;b\nc.edn")
    assert run("profile", "one", "a;b\nc.edn", "--flame", "f.txt").code == 0
    [line] = (folder / "f.txt").read_text().splitlines()
    assert line.startswith(":one (a b c.edn:1) ")


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (["--flame", "flame.svg"], "wrong-use", "ends in none of .json"),
        (["--repeat", "0"], "wrong-use", "from 1"),
        (["--repeat", "many"], "wrong-use", "from 1"),
        (["--flame", "nowhere/flame.json"], "unwritable-file", "cannot be written"),
    ],
)
def test_wrong_use_is_told_before_anything_runs(run, rows, words, code, hint):
    rows(ROWS)
    result = run(*WORDS, *words)
    assert (result.code, result.out) == (2, "")
    assert f"[{code}]" in result.err
    assert hint in result.err


def test_what_a_profile_writes_holds_no_value(run, rows, folder):
    """LANGUAGE 8.7"""
    rows("{:name :kept :parent :identity :args {:value {:as :key :type [:secret :text]}}}")
    words = ["profile", "kept", "--arg", 'key="correct-horse"']
    told = [run(*words, "--flame", "f.json").out, run(*words, "--json").out]
    told.append(Path("f.json").read_text())
    assert "correct-horse" not in "".join(told)


def test_only_the_first_rows_of_many_are_shown(run, rows):
    many = [f"{{:name :r{n} :parent :const :args {{:value {n}}}}}" for n in range(80)]
    items = " ".join(f":r{n}" for n in range(80))
    rows("\n".join([*many, f"{{:name :all :parent :list :args {{:items [{items}]}}}}"]))
    lines = run("profile", "all").out.splitlines()
    assert len(lines) == 2 + 50 + 1
    assert lines[-1].startswith("… and 31 rows more, ")
