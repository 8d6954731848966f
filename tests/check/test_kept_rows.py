"""Checking begun from what a cache keeps: the same as from the start, and little work."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from graphden import Graph, RunError, kept_rows
from graphden.checked import Checked, check
from graphden.kept_rows import check_from
from tests.benchmark.shop import texts
from tests.check.test_edits import programs, shown

SHOP = texts(6)
EDITED = {**SHOP, "shop003.edn": SHOP["shop003.edn"].replace("{:limit 100}", "{:limit 101}", 1)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def checked_from(files: Mapping[str, str], folder: Path) -> Checked:
    return check_from(files, (), folder)


def again(checked: Checked) -> set[str]:
    """The rows written at top level that were resolved and checked."""
    return set(checked.resolution.names.written) & checked.resolution.fresh


def test_the_next_process_checks_nothing_again(folder):
    first = checked_from(SHOP, folder)
    assert len(again(first)) == sum(len(file.rows) for file in first.files.values())
    second = checked_from(SHOP, folder)
    assert again(second) == set()
    assert shown(second) == shown(first) == shown(check(SHOP))


def test_9_1_after_an_edit_it_checks_what_that_reaches(folder):
    checked_from(SHOP, folder)
    [file] = [path for path in folder.iterdir() if path.name != ".gitignore"]
    before = file.read_bytes()
    found = checked_from(EDITED, folder)
    assert again(found) == again(check(EDITED, before=check(SHOP)))
    assert 0 < len(again(found)) < 10
    assert shown(found) == shown(check(EDITED))
    assert file.read_bytes() == before  # near enough to begin from


def test_after_many_changes_it_is_kept_anew(folder):
    checked_from(SHOP, folder)
    moved = {name: f"\n{text}" for name, text in SHOP.items()}
    assert len(again(checked_from(moved, folder))) > 100
    assert again(checked_from(moved, folder)) == set()


def test_graphs_run_what_is_kept_and_fail_in_the_same_place(tmp_path, folder):
    bad = "{:name :bad :parent :div :args {:nums [{:as :n :type :int} 0]}}"
    files = {**SHOP, "bad.edn": bad}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = []
    for _ in range(2):
        graph = Graph.load(tmp_path, cache=folder)
        with pytest.raises(RunError) as caught:
            graph.run("bad", {"n": 1})
        found.append((caught.value.code, caught.value.span, caught.value.trail))
    assert again(graph._checked) == set()
    assert found[0] == found[1]
    assert found[0][0] == "division-by-zero"


def test_problems_are_told_as_from_the_start_and_not_kept(folder):
    torn = {**SHOP, "shop003.edn": SHOP["shop003.edn"] + "{:name :x :parent :nothing}"}
    for _ in range(2):
        assert checked_from(torn, folder).problems == check(torn).problems
    assert not folder.exists()
    checked_from(SHOP, folder)
    assert checked_from(torn, folder).problems == check(torn).problems
    assert again(checked_from(SHOP, folder)) == set()


def test_8_7_rows_with_a_secret_in_them_are_not_written(folder):
    secret = (
        "{:name :_open :parent :const :args {:value {:as :key :type [:secret :text]}}}\n"
        '{:name :safe :parent :_open :args {:key "hunter2-hunter2"}}'
    )
    checked_from({**SHOP, "secret.edn": secret}, folder)
    assert not folder.exists()


def test_few_rows_and_rows_with_deep_data_are_not_kept(folder):
    checked_from({"few.edn": "{:name :r :parent :const :args {:value 1}}"}, folder)
    deep = "[" * 300 + "]" * 300
    data = f"{{:name :r :parent :const :args {{:value {{:value {deep}}}}}}}"
    checked_from({**SHOP, "deep.edn": data}, folder)
    assert not folder.exists()


@pytest.mark.parametrize("length", [0, 40, -1])
def test_a_spoilt_file_is_written_anew(folder, length):
    checked_from(SHOP, folder)
    [file] = [path for path in folder.iterdir() if path.name != ".gitignore"]
    file.write_bytes(file.read_bytes()[:length])
    assert len(again(checked_from(SHOP, folder))) > 100
    assert again(checked_from(SHOP, folder)) == set()


@given(st.lists(programs(), min_size=2, max_size=5))
def test_9_1_whatever_was_kept_all_is_known_that_would_be_from_the_start(
    tmp_path_factory, versions
):
    folder = tmp_path_factory.mktemp("kept") / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_rows, "LEAST", 0)
        for files in versions:
            note(files)
            assert shown(checked_from(files, folder)) == shown(check(files))
