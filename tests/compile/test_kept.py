"""Compiled code that a cache keeps: found where nothing of what it is made of has changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from graphden import App, Graph, RunError, cache, engine
from graphden.checked import check
from graphden.run import Context

SHOP = """
{:name :amount :refine {:base :int :constraint [:>= 0]}}
{:name :order :type {:price :amount :count :int}}
{:name :price :parent :get :args {:coll {:as :order :type :order} :key {:value :price}}}
{:name :total :parent :mul :args {:nums [:price :_factor]}}
{:name :_factor :parent :const :args {:value 3}}
{:name :share :parent :div :args {:nums [:total {:as :parts :type :int}]}}
{:name :bystander :parent :str :args {:parts ["by" "stander"]}}
{:name :sizes :parent :map
 :args {:coll {:value [{:length 1.5M} {:length 2.5M}]}
        :func {:parent :get :args {:coll {:as :item} :key {:value :length}}}}}
"""
ORDER = {"price": 5, "count": 1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that were compiled, rather than taken from the cache."""
    rows: list[str] = []
    plan = engine.plan

    def noting(program: object, row: str, *others: object) -> object:
        rows.append(row.removeprefix("user/"))
        return plan(program, row, *others)

    monkeypatch.setattr(engine, "plan", noting)
    return rows


def graph_of(text: str, folder: Path | None, file: str = "shop.edn") -> Graph:
    return Graph(check({file: text}), cache=folder)


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name != ".gitignore"]


def test_another_graph_of_the_same_rows_compiles_nothing(folder, planned):
    assert graph_of(SHOP, folder).run("total", {"order": ORDER}) == 15
    assert planned == ["total"]
    assert graph_of(SHOP, folder).run("total", {"order": ORDER}) == 15
    assert planned == ["total"]


def test_without_a_folder_nothing_is_kept(folder, planned):
    for _ in range(2):
        assert graph_of(SHOP, None).run("total", {"order": ORDER}) == 15
    assert planned == ["total", "total"]
    assert not folder.exists()


def test_each_variant_is_kept_apart(folder, planned):
    for _ in range(2):
        graph = graph_of(SHOP, folder)
        assert graph.run("total", {"order": ORDER}) == 15
        assert graph.run("total", {"order": ORDER}, context=Context()) == 15
    assert planned == ["total", "total"]


EDITS: Mapping[str, tuple[str, str, int, list[str]]] = {
    "the row itself": (":nums [:price :_factor]", ":nums [:price :_factor 2]", 30, ["total"]),
    "a row that it needs": (":value 3", ":value 4", 20, ["total"]),
    "a type that it needs": (":base :int", ":base :any", 15, ["total"]),
    "another row": ('"stander"', '"standing"', 15, ["bystander"]),
    "where rows stand": ("\n{:name :amount", "\n\n{:name :amount", 15, ["total", "bystander"]),
    "what comes after": ("{:name :sizes", "\n{:name :sizes", 15, []),
    "a row more": ("\n{:name :sizes", "\n{:name :n :parent :const}\n{:name :sizes", 15, []),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_compiles_what_it_reaches(folder, planned, edit):
    old, new, value, compiled = EDITS[edit]
    graph = graph_of(SHOP, folder)
    graph.run("total", {"order": ORDER})
    graph.run("bystander")
    planned.clear()
    assert SHOP.count(old) == 1
    edited = graph_of(SHOP.replace(old, new), folder)
    assert edited.run("total", {"order": ORDER}) == value
    edited.run("bystander")
    assert planned == compiled


def test_1_3_a_name_that_means_another_row_is_other_code(folder, planned):
    mine = "{:namespace :mine}\n{:name :r :parent :add :args {:nums [:n 1]}}\n"
    own = "{:name :n :parent :const :args {:value 1}}"
    other = "{:namespace :other} {:name :n :parent :const :args {:value 10}}"
    for text, value in ((mine + own, 2), (mine, 11), (mine + own, 2), (mine, 11)):
        graph = Graph(check({"mine.edn": text, "other.edn": other}), cache=folder)
        assert graph.run("mine/r") == value
    assert planned == ["mine/r", "mine/r"]


def test_the_same_text_in_another_file_is_other_code_for_errors_name_the_file(folder, planned):
    for file in ("a.edn", "b.edn", "a.edn"):
        with pytest.raises(RunError) as caught:
            graph_of(SHOP, folder, file).run("share", {"order": ORDER, "parts": 0})
        assert caught.value.span.file == file
    assert planned == ["share", "share"]


def test_an_error_has_the_place_and_the_trail_that_it_has_without_the_cache(folder, planned):
    found = []
    for place in (None, folder, folder):
        with pytest.raises(RunError) as caught:
            graph_of(SHOP, place).run("share", {"order": ORDER, "parts": 0})
        error = caught.value
        found.append((error.code, error.message, error.row, error.span, error.trail))
    assert planned == ["share", "share"]
    assert found[0] == found[1] == found[2]
    assert found[0][0] == "division-by-zero"
    assert [frame.row for frame in found[0][4]] == ["share"]


def test_literals_that_python_has_no_code_for_are_the_same_values(folder, planned):
    first, second = (graph_of(SHOP, folder).run("sizes") for _ in range(2))
    assert planned == ["sizes"]
    assert first == second
    assert [type(each) for each in first] == [type(each) for each in second]
    assert str(second) == "[Decimal('1.5'), Decimal('2.5')]"


def test_a_checked_value_is_checked_in_code_that_was_kept(folder, planned):
    text = """
        {:name :age :refine {:base :int :constraint [:>= 0]}}
        {:name :grown :parent :const :args {:value {:as :n :type :age}}}
        {:name :r :parent :grown
         :args {:n {:parent :get :args {:coll {:as :m :type [:map :text :any]}
                                        :key "n"}}}}
    """
    for _ in range(2):
        graph = graph_of(text, folder)
        assert graph.run("r", {"m": {"n": 1}}) == 1
        with pytest.raises(RunError) as caught:
            graph.run("r", {"m": {"n": -1}})
        assert caught.value.code == "contract-violation"
    assert planned == ["r"]


MISMATCHES: Mapping[str, Callable[[pytest.MonkeyPatch], None]] = {
    "Python": lambda patch: patch.setattr(cache, "MAGIC_NUMBER", b"\0\0\r\n"),
    "engine": lambda patch: patch.setattr(cache, "_modules", lambda root: []),
}


@pytest.mark.parametrize("what", MISMATCHES)
def test_code_of_another_python_or_engine_is_not_run(folder, planned, monkeypatch, what):
    graph_of(SHOP, folder).run("bystander")
    cache.engine_digest.cache_clear()
    with monkeypatch.context() as patch:
        MISMATCHES[what](patch)
        assert graph_of(SHOP, folder).run("bystander") == "bystander"
    cache.engine_digest.cache_clear()
    assert planned == ["bystander", "bystander"]
    assert len(files_in(folder)) == 2


def test_a_base_function_that_is_written_otherwise_is_other_code(folder, planned):
    before = check({"shop.edn": SHOP})
    Graph(before, cache=folder).run("total", {"order": ORDER})
    bodies = dict(before.bodies)
    mul = next(row for row in bodies if row.endswith("/mul"))
    bodies[mul] = replace(bodies[mul], template=None, function=lambda nums: "called")
    after = Graph(replace(before, bodies=bodies), cache=folder)
    assert after.run("total", {"order": ORDER}) == "called"
    assert planned == ["total", "total"]


@pytest.mark.parametrize("length", [0, 1, 60, -1])
def test_a_spoilt_file_is_written_anew(folder, planned, length):
    graph_of(SHOP, folder).run("bystander")
    [file] = files_in(folder)
    whole = file.read_bytes()
    file.write_bytes(whole[:length])
    for _ in range(2):
        assert graph_of(SHOP, folder).run("bystander") == "bystander"
    assert planned == ["bystander", "bystander"]


SECRETS = [
    '{:name :r :parent :_open :args {:key "hunter2-hunter2"}}',
    "{:name :r :parent :const :args {:value :_k}}\n"
    '{:name :_k :parent :_open :args {:key {:as :k :type [:secret :text] :value "hunter2"}}}',
    '{:name :r :parent :identity :args {:value {:parent :_open :args {:key "hunter2"}}}}',
]


@pytest.mark.parametrize("row", SECRETS)
def test_8_7_code_with_a_secret_in_it_is_not_written(folder, planned, row):
    opens = "{:name :_open :parent :const :args {:value {:as :key :type [:secret :text]}}}\n"
    for _ in range(2):
        graph = graph_of(opens + row, folder)
        assert graph.diagnostics == ()
        assert graph.run("r") == "‹secret›"
    assert planned == ["r", "r"]
    assert not folder.exists()


def test_8_7_code_that_is_given_its_secrets_is_kept(folder, planned):
    text = "{:name :r :parent :const :args {:value {:as :key :type [:secret :text]}}}"
    for _ in range(2):
        assert graph_of(text, folder).run("r", {"key": "hunter2-hunter2"}) == "‹secret›"
    assert planned == ["r"]
    [file] = files_in(folder)
    assert b"hunter2" not in file.read_bytes()


def test_an_edited_graph_uses_the_cache_of_the_one_before(folder, planned):
    text = SHOP.replace(":value 3", ":value 4")
    graph_of(text, folder).run("total", {"order": ORDER})
    edited = graph_of(SHOP, folder).edited({"shop.edn": text})
    assert edited.run("total", {"order": ORDER}) == 20
    assert planned == ["total"]


def test_files_are_loaded_with_a_cache_and_an_app_has_that_of_its_project(
    tmp_path, planned, monkeypatch
):
    rows = tmp_path / "shop.edn"
    rows.write_text(SHOP)

    def run() -> None:
        with App.open(rows, project=tmp_path) as app:
            assert app.run("bystander") == "bystander"

    run()
    assert not (tmp_path / ".graphden").exists()  # a project is not begun for the cache
    (tmp_path / ".graphden").mkdir()
    monkeypatch.setenv("GRAPHDEN_CACHE", "0")
    run()
    assert not list((tmp_path / ".graphden").iterdir())
    monkeypatch.delenv("GRAPHDEN_CACHE")
    for _ in range(2):
        run()
    assert planned == ["bystander"] * 3
    again = Graph.load(rows, cache=tmp_path / ".graphden" / "cache")
    assert again.run("bystander", context=Context()) == "bystander"
    assert planned == ["bystander"] * 3
