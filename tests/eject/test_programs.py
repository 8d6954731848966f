"""An ejected module does what its row does: results, codes of errors, effects in order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import event, given

from graphden import RunError
from tests.eject.ejecting import reformatted, run_ejected
from tests.oracle import probe
from tests.oracle.making import Made
from tests.oracle.programs import programs
from tests.oracle.test_compiled_equals_oracle import (
    arguments_for,
    checked,
    parsed,
    randoms,
    shown,
)


@pytest.fixture(scope="module", autouse=True)
def _probe_package() -> Iterator[None]:
    with probe.installed():
        yield


@given(programs, randoms)
def test_what_is_ejected_does_what_the_row_does(rows: tuple[Made, ...], random: Random) -> None:
    graph = parsed(rows)
    for row in rows:
        resolved = graph.resolved(row.name)
        arguments = arguments_for(resolved, random)
        found = checked(graph, resolved, arguments)
        if found.error is not None and found.error.code == "row-has-diagnostics":
            with pytest.raises(RunError) as refused:
                graph.eject(row.name)
            assert refused.value.code == "row-has-diagnostics"
            continue
        assert shown(run_ejected(graph, row.name, arguments)) == shown(found)
        event("fails" if found.error else "succeeds")
        event(f"{min(found.count, 4)} effects")


@given(programs)
def test_what_is_ejected_is_formatted(rows: tuple[Made, ...]) -> None:
    graph = parsed(rows)
    for row in reversed(rows):
        if not graph.diagnostics_of(graph.resolved(row.name).id):
            text = graph.eject(row.name)
            assert reformatted(text) == text
            return
