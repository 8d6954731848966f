"""The packages' rows as a snapshot has them: the same as they are when they are read."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphden import Graph, checked, snapshot
from graphden.checked import Checked, forget_packages
from tests.check.test_edits import shown
from tests.laws.drawing import data as data_of
from tests.laws.drawing import name_of, parsed, seen, text_of
from tests.oracle import probe
from tests.oracle.programs import program


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the snapshot of this test lies; there is none yet."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    forget_packages()
    yield snapshot.place()
    forget_packages()


def packages_anew() -> Checked:
    """The packages' rows as a process has them that starts now."""
    forget_packages()
    return checked.packages_alone()


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A note for each time that the packages' rows are read."""
    found: list[str] = []
    read = checked.package_files

    def noting() -> object:
        found.append("read")
        return read()

    monkeypatch.setattr(checked, "package_files", noting)
    return found


def test_the_second_process_knows_what_the_first_has_read_and_checked(place, reading):
    first = packages_anew()
    assert reading == ["read"]
    second = packages_anew()
    assert reading == ["read"]
    assert second is not first
    assert shown(second) == shown(first)
    assert second.inference.found == first.inference.found
    assert stat.S_IMODE(place.stat().st_mode) == 0o644


def test_rows_are_in_a_graph_with_the_snapshot_as_they_are_without():
    with probe.installed():
        programs = [[data_of(row) for row in program(seed, 5)] for seed in range(0, 3_000, 100)]

        def found() -> list[object]:
            forget_packages()
            graphs = [parsed(text_of(rows)) for rows in programs]
            assert all(isinstance(graph, Graph) for graph in graphs)
            return [
                (graph.diagnostics, [seen(graph, name_of(row), 7) for row in rows])
                for graph, rows in zip(graphs, programs, strict=True)
                if isinstance(graph, Graph)
            ]

        assert found() == found()


def test_an_edit_shares_the_rows_of_the_snapshot(reading):
    packages_anew()
    forget_packages()
    graph = Graph.parse("{:name :r :parent :add :args {:nums [1 2]}}", file="r.edn")
    edited = graph.edited({"r.edn": "{:name :r :parent :add :args {:nums [1 3]}}"})
    assert (graph.run("r"), edited.run("r")) == (3, 4)
    assert edited._checked.resolution.fresh == {"user/r"}
    assert reading == ["read"]


@pytest.mark.parametrize("length", [0, 1, 40, 10_000, -1])
def test_a_spoilt_snapshot_is_written_anew(place, reading, length):
    packages_anew()
    place.write_bytes(place.read_bytes()[:length])
    for _ in range(2):
        packages_anew()
    assert reading == ["read", "read"]


def test_packages_with_other_rows_have_another_snapshot(reading):
    for _ in range(2):
        packages_anew()
    with probe.installed():
        assert "probe/tick" in packages_anew().program.rows
    assert "probe/tick" not in packages_anew().program.rows
    assert reading == ["read"] * 3


def test_a_row_that_its_function_does_not_fit_any_more_is_told(monkeypatch):
    from graphden.stdlib import package

    packages_anew()
    monkeypatch.delitem(package.functions._bodies, "str-len")
    [problem] = packages_anew().problems
    assert problem.code == "signature-mismatch"
    assert problem.row == "str-len"


@pytest.mark.parametrize("what", ["bytecode", "writable folder"])
def test_without_a_place_for_it_there_is_no_snapshot_and_all_is_well(
    place, reading, monkeypatch, tmp_path, what
):
    if what == "bytecode":
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
    else:
        (tmp_path / "file").write_text("")
        monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "file"))
    for _ in range(2):
        assert packages_anew().problems == ()
    assert reading == ["read", "read"]
    assert not place.exists()
