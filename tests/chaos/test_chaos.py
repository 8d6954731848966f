"""Faults done to real workers of a real queue: nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphden.chaos import Chaos
from graphden.store import scratch


def chaos(server: str, folder: Path, seconds: float, seed: int) -> None:
    with scratch(server) as database:
        ledger = Chaos(database, folder, seed=seed).run(seconds)
    assert ledger.sound, ledger
    assert ledger.published > 0
    assert sum(ledger.faults.values()) > 0


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("server", ["embedded", "system"])
def test_3_nothing_is_lost_and_each_repetition_has_its_reason(
    request: pytest.FixtureRequest, tmp_path: Path, server: str
) -> None:
    chaos(request.getfixturevalue(f"{server}_url"), tmp_path, 20, seed=1)


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.skipif("FUZZ_SECONDS" not in os.environ, reason="as long as FUZZ_SECONDS says")
def test_3_for_long(embedded_url: str, tmp_path: Path) -> None:
    chaos(embedded_url, tmp_path, float(os.environ["FUZZ_SECONDS"]), seed=os.getpid())
