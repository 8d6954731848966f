"""The order of rows within a file and of files means nothing (LANGUAGE 1.2); nor does
layout.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import event, given, settings

from graphden import Graph, GraphError
from graphden.edn import Keyword, write
from graphden.edn.layout import format_text
from graphden.errors import Problem
from tests.laws.drawing import Row, mapped, name_of, parsed, programs, randoms, seen, text_of


def spoiled(rows: list[Row], random: Random) -> list[Row]:
    """Rows with a few mistakes: a row left out, a name that names nothing, a name twice,
    a binding too many.
    """
    made = list(rows)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(made))
        row = made[at]
        names = sorted(name_of(each) for each in made)
        match random.randrange(4):
            case 0 if len(made) > 2:
                del made[at]
            case 1:
                gone = random.choice(names)
                wrong = {
                    key: mapped(value, lambda k, g=gone: Keyword("nowhere") if k == g else k)
                    for key, value in row.items()
                    if key != "name"
                }
                made[at] = {Keyword("name"): row["name"], **wrong}
            case 2:
                arguments = row.get("args")
                assert isinstance(arguments, dict)
                made[at] = {**row, Keyword("args"): {**arguments, Keyword("oops"): 1}}
            case _:
                # May close a circle, meet a sealed slot, or a list.
                made[at] = {
                    **row,
                    Keyword("parent"): Keyword(random.choice([*names, "add", "mod"])),
                }
    # Last, so that both are alike: of two unlike ones only the first is looked into further.
    if random.random() < 0.3:
        made.append(random.choice(made))
    return made


def problems(found: Graph | tuple[Problem, ...]) -> list[tuple[str, str]]:
    """The codes and rows of all problems."""
    listed = found.diagnostics if isinstance(found, Graph) else found
    return sorted((each.code, each.row) for each in listed)


@given(programs, randoms)
def test_the_order_of_rows_changes_nothing(rows: list[Row], random: Random) -> None:
    shuffled = random.sample(rows, len(rows))
    one, other = parsed(text_of(rows)), parsed(text_of(shuffled))
    assert isinstance(one, Graph)
    assert isinstance(other, Graph)
    assert problems(one) == problems(other)
    for row in rows:
        name, seed = name_of(row), random.randrange(2**32)
        assert seen(one, name, seed) == seen(other, name, seed)


@given(programs, randoms)
def test_the_order_of_rows_changes_no_set_of_problems(rows: list[Row], random: Random) -> None:
    rows = spoiled(rows, random)
    one = parsed(text_of(rows))
    other = parsed(text_of(random.sample(rows, len(rows))))
    assert problems(one) == problems(other)
    event(", ".join(sorted({code for code, _ in problems(one)})) or "sound")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@settings(max_examples=max(settings().max_examples // 2, 10))
@given(rows=programs, random=randoms)
def test_how_rows_are_spread_over_files_changes_nothing(
    rows: list[Row], random: Random, folder: Path
) -> None:
    if random.random() < 0.5:
        rows = spoiled(rows, random)
    paths = [folder / name for name in ("a.edn", "b.edn", "c.edn")]
    parts: list[list[Row]] = [[], [], []]
    for row in rows:
        random.choice(parts).append(row)
    for path, part in zip(paths, parts, strict=True):
        path.write_text(text_of(part))
    try:
        loaded: Graph | tuple[Problem, ...] = Graph.load(*random.sample(paths, 3))
    except GraphError as error:
        loaded = error.problems
    one = parsed(text_of(rows))
    assert problems(loaded) == problems(one)
    if isinstance(loaded, Graph):
        assert isinstance(one, Graph)
        for row in rows:
            name, seed = name_of(row), random.randrange(2**32)
            assert seen(one, name, seed) == seen(loaded, name, seed)


@given(programs, randoms)
def test_the_layout_changes_nothing(rows: list[Row], random: Random) -> None:
    text = "".join(
        write(row).replace(" ", random.choice([" ", "\n  ", " , "]))
        + random.choice(["", "\n", " ; a comment\n", " #_{:name :left-out}\n"])
        for row in rows
    )
    laid_out = format_text(text)
    one, other, plain = parsed(text), parsed(laid_out), parsed(text_of(rows))
    assert problems(one) == problems(other) == problems(plain)
    for row in rows[-3:]:
        name, seed = name_of(row), random.randrange(2**32)
        found = seen(plain, name, seed)
        assert seen(one, name, seed) == found
        assert seen(other, name, seed) == found
