"""Code that was kept does what code does that was made just now."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import event, given

from graphden import Graph, engine
from graphden.checked import check
from graphden.edn import write
from graphden.run.tracing import Trace
from tests.laws.drawing import Row, name_of, programs, ran, randoms, text_of
from tests.oracle.test_compiled_equals_oracle import shown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "cache"


def all_of(graph: Graph, row: str, seed: int) -> tuple[object, ...]:
    """What runs come to, place and way of a failure included, and what a trace tells."""
    found: list[object] = []
    for trace in (None, Trace(values=True)):
        outcome = ran(graph, row, Random(seed), trace)
        error = outcome.error
        found.append(shown(outcome))
        found.append(error and (error.message, error.row, error.span, error.trail))
        if trace is not None:
            spans = trace.spans
            found.append([(s.row, s.inline, s.function, s.place, s.error) for s in spans])
    return tuple(found)


@given(rows=programs, random=randoms)
def test_kept_code_does_the_same_and_fails_at_the_same_place(
    rows: list[Row], random: Random, folder: Path
) -> None:
    checked = check({"rows.edn": text_of(rows)})
    seeds = {name_of(row): random.randrange(2**32) for row in rows}
    plain, filling = Graph(checked), Graph(checked, cache=folder)
    expected = {row: all_of(plain, row, seed) for row, seed in seeds.items()}
    assert {row: all_of(filling, row, seed) for row, seed in seeds.items()} == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(engine, "plan")  # what is not kept cannot be run
        using = Graph(checked, cache=folder)
        assert {row: all_of(using, row, seed) for row, seed in seeds.items()} == expected


@given(rows=programs, others=programs, random=randoms)
def test_a_program_finds_only_its_own_code_among_that_of_its_like(
    rows: list[Row], others: list[Row], random: Random, folder: Path
) -> None:
    """Rows of two programs mixed, under the names that both use: most of them nearly equal."""
    mixed = {name_of(row): row for row in random.sample([*rows, *others], len(rows))}
    mixed |= {name_of(row): row for row in rows if name_of(row) not in mixed}
    for program in (rows, list(mixed.values()), rows):
        text = "\n".join(map(write, program))
        checked = check({"rows.edn": text})
        if checked.structural:
            event("refused")
            continue
        plain, kept = Graph(checked), Graph(checked, cache=folder)
        for row in map(name_of, program):
            seed = random.randrange(2**32)
            assert all_of(kept, row, seed) == all_of(plain, row, seed)
