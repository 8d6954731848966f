"""DESIGN decision 6: the project folder is the nearest ancestor that has `.graphden/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphden.project import project_folder


def test_the_nearest_ancestor_with_the_marker_wins(tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner"
    (tmp_path / ".graphden").mkdir()
    (tmp_path / "outer" / ".graphden").mkdir(parents=True)
    inner.mkdir()
    assert project_folder(inner) == tmp_path / "outer"


def test_a_folder_with_the_marker_is_its_own_project(tmp_path: Path) -> None:
    (tmp_path / ".graphden").mkdir()
    assert project_folder(tmp_path) == tmp_path


def test_without_a_marker_the_start_is_the_project(tmp_path: Path) -> None:
    assert project_folder(tmp_path) == tmp_path


def test_a_file_of_that_name_is_no_marker(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / ".graphden").touch()
    assert project_folder(inner) == inner


def test_the_current_folder_is_where_the_search_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "inner"
    (tmp_path / ".graphden").mkdir()
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert project_folder() == tmp_path
