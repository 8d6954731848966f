"""LANGUAGE 7: a row comes to the same, with the same effects in the same order, however it is
compiled; and a trace of it tells what happened.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from graphden import Trace
from graphden.compile.spans import CHECKED, TRACED
from graphden.run import Context
from tests.oracle import probe
from tests.oracle.probe import Notes, notes_of
from tests.oracle.programs import program
from tests.oracle.test_compiled_equals_oracle import arguments_for, compiled, parsed, shown
from tests.oracle.variants import Tally, compare_seed

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))


@given(st.integers(0, 2**32))
def test_every_variant_equals_the_oracle(seed: int) -> None:
    tally = Tally()
    compare_seed(seed, tally)
    assert tally.differences == []
    event(f"{min(tally.spans // 20, 5) * 20} spans")


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.skipif(SECONDS == 0, reason="NOT TESTED: FUZZ_SECONDS says how long to try")
def test_every_variant_equals_the_oracle_for_long() -> None:
    ends = time.monotonic() + SECONDS
    tally = Tally()
    for seed in count(int(os.environ.get("FUZZ_SEED", "1"))):
        compare_seed(seed, tally)
        assert tally.differences == [], f"FUZZ_SEED={seed}"
        if time.monotonic() > ends:
            break
    print(tally)


@given(st.integers(0, 2**32), st.integers(1, 2))
def test_a_cancel_ends_every_variant_at_the_same_place(seed: int, effects: int) -> None:
    """LANGUAGE 7.5: at the next call of a callable, or turn of a loop."""
    rows, random = program(seed, 3 + seed % 6), Random(seed)
    graph = parsed(rows)
    for row in rows:
        resolved = graph.resolved(row.name)
        arguments = arguments_for(resolved, random)
        trace = Trace()
        with cancelled_after(effects):
            checked = compiled(graph, resolved, arguments, CHECKED)
            traced = compiled(graph, resolved, arguments, TRACED, trace)
        assert shown(traced) == shown(checked)
        assert trace.here().mark() == 0
        assert all(span.ended_ns is not None for span in trace.spans)
        code = None if checked.error is None else checked.error.code
        event("cancelled" if code == "cancelled" else "ends by itself")


@contextmanager
def cancelled_after(effects: int) -> Iterator[None]:
    """Runs in here are cancelled from outside during the effect after so many."""

    def noting(context: Context) -> Notes:
        notes = notes_of(context)
        if len(notes.made) == effects:
            context.cancel()
        return notes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probe, "notes_of", noting)
        yield
