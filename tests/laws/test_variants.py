"""LANGUAGE 7: a row comes to the same, with the same effects in the same order, however it is
compiled; and a trace of it tells what happened.
"""

from __future__ import annotations

import os
import time
from itertools import count

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

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
