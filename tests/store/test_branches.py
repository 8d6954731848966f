"""Branches and revisions: `App.branches`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest

from graphden import App, Graph, GraphError, RunError, UsageError
from graphden.store import Branches

PATIENCE = 20.0

GREET = '; says hello\n{:name :greet :parent :str :args {:parts ["Hi, " {:as :name}]}}\n'
ORDERS = (
    "{:namespace :shop}\n{:name :price :parent :mul :args {:nums [{:as :qty :type :int} 3]}}\n"
)
FILES = {"greet.edn": GREET, "shop/orders.edn": ORDERS}


@pytest.fixture
def branches(database_url: str) -> Iterator[Branches]:
    with App.open(database_url=database_url) as app:
        yield app.branches


@pytest.fixture
def rows_of(database_url: str) -> Callable[[str], int]:
    def count(table: str) -> int:
        with psycopg.connect(database_url) as connection:
            query = psycopg.sql.SQL("SELECT count(*) FROM graphden.{}")
            [(found,)] = connection.execute(query.format(psycopg.sql.Identifier(table)))
        return found

    return count


def test_what_was_pushed_comes_back_byte_for_byte(branches: Branches) -> None:
    files = {
        "a.edn": '\ufeff{:name :a :parent :const :args {:value "\x00\U0001f600"}}\r\n; end',
        "b.edn": "",
    }
    pushed = branches.push("main", files)
    assert (pushed.moved, pushed.created, pushed.diagnostics) == (True, True, ())
    assert branches.files("main") == files
    assert branches.files(pushed.revision.id) == files
    assert branches.files(pushed.revision.id[:4]) == files
    assert branches.graph("main").run("a") == "\x00\U0001f600"


def test_a_revision_is_never_changed(branches: Branches) -> None:
    first = branches.push("main", FILES, message="one").revision
    second = branches.push("main", {"greet.edn": GREET.replace("Hi", "Ho")}).revision
    assert second.parents == (first.id,)
    assert branches.files(first.id) == FILES
    assert branches.graph(first.id).run("greet", {"name": "Ada"}) == "Hi, Ada"
    assert branches.graph("main").run("greet", {"name": "Ada"}) == "Ho, Ada"
    assert [each.id for each in branches.log("main")] == [second.id, first.id]
    assert [each.message for each in branches.log("main", limit=2)] == ["", "one"]


def test_the_same_files_are_no_new_revision(branches: Branches) -> None:
    first = branches.push("main", FILES)
    again = branches.push("main", dict(reversed(FILES.items())))
    assert (again.moved, again.created) == (False, False)
    assert again.revision == first.revision
    assert len(branches.log("main")) == 1


def test_what_does_not_change_is_stored_once(
    branches: Branches, rows_of: Callable[[str], int]
) -> None:
    rows = [f"{{:name :r{n} :parent :const :args {{:value {n}}}}}" for n in range(50)]
    branches.push("main", {"rows.edn": "\n".join(rows)})
    before = rows_of("row_text")
    rows[7] = rows[7].replace(":value 7", ":value 70")
    branches.push("main", {"rows.edn": "\n".join(rows)})
    branches.push("other", {"rows.edn": "\n".join(rows)})
    assert rows_of("row_text") == before + 1
    assert rows_of("file_tree") == 2
    assert branches.graph("main").run("r7") == 70


def test_structural_problems_refuse_the_push_as_a_whole(
    branches: Branches, rows_of: Callable[[str], int]
) -> None:
    with pytest.raises(GraphError) as caught:
        branches.push("main", {**FILES, "bad.edn": "{:name :a :parent :nowhere} {:nam :b}"})
    assert {p.code for p in caught.value.problems} >= {"unknown-row"}
    assert branches.list() == ()
    assert rows_of("row_text") == 0


def test_diagnostics_are_told_and_do_not_refuse(branches: Branches) -> None:
    pushed = branches.push("main", {"a.edn": '{:name :a :parent :add :args {:nums [1 "x"]}}'})
    assert [p.code for p in pushed.diagnostics] == ["type-mismatch"]
    assert pushed.moved


def test_branches_are_made_listed_and_deleted(branches: Branches) -> None:
    branches.push("main", FILES, message="first")
    head = branches.revision("main")
    branches.create("trial", of="main")
    branches.create("empty")
    assert [(b.name, b.revision, b.message) for b in branches.list()] == [
        ("empty", None, None),
        ("main", head.id, "first"),
        ("trial", head.id, "first"),
    ]
    branches.push("trial", {"greet.edn": GREET})
    assert branches.revision("main") == head
    branches.delete("main")
    assert [b.name for b in branches.list()] == ["empty", "trial"]
    assert branches.files(head.id) == FILES  # the revision outlives its branch


REFUSED: list[tuple[Callable[[Branches], object], str]] = [
    (lambda b: b.create("main"), "branch-exists"),
    (lambda b: b.create("x", of="nowhere"), "unknown-branch"),
    (lambda b: b.create(""), "bad-branch-name"),
    (lambda b: b.create(" x"), "bad-branch-name"),
    (lambda b: b.create("x\n"), "bad-branch-name"),
    (lambda b: b.create("x" * 201), "bad-branch-name"),
    (lambda b: b.delete("mian"), "unknown-branch"),
    (lambda b: b.files("mian"), "unknown-branch"),
    (lambda b: b.graph("empty"), "empty-branch"),
    (lambda b: b.log("0000"), "unknown-branch"),
    (lambda b: b.push("main", {}), "no-rows"),
    (lambda b: b.push("main", {"../up.edn": GREET}), "bad-file-name"),
    (lambda b: b.push("main", {"/etc/rows.edn": GREET}), "bad-file-name"),
    (lambda b: b.push("main", {"a//b.edn": GREET}), "bad-file-name"),
    (lambda b: b.push("main", {"a\n.edn": GREET}), "bad-file-name"),
    (lambda b: b.push("main", FILES, expect="0" * 64), "branch-moved"),
    (lambda b: b.push("fresh", FILES, expect="0" * 64), "branch-moved"),
]


def test_what_cannot_be_done_is_refused_and_changes_nothing(branches: Branches) -> None:
    branches.push("main", FILES)
    branches.create("empty")
    before = branches.list()
    for act, code in REFUSED:
        with pytest.raises(UsageError) as caught:
            act(branches)
        assert caught.value.code == code
        assert caught.value.hint
        assert branches.list() == before


def test_a_name_close_to_one_is_suggested(branches: Branches) -> None:
    branches.push("main", FILES)
    with pytest.raises(UsageError) as caught:
        branches.log("mian")
    assert caught.value.hint == "Did you mean main?"


class TestSet:
    def test_one_binding_changes_and_nothing_else(self, branches: Branches) -> None:
        first = branches.push("main", FILES).revision
        after = branches.set("main", "greet", "parts", '["Ho, " {:as :name}]')
        assert branches.files("main") == {**FILES, "greet.edn": GREET.replace("Hi", "Ho")}
        assert after.revision.parents == (first.id,)
        assert after.revision.message == "set greet parts"

    def test_private_rows_and_rows_in_namespaces(self, branches: Branches) -> None:
        branches.push("main", {"a.edn": "{:namespace :m}\n{:name :_p :parent :add}"})
        branches.set("main", "m/_p", ":nums", "[1 2]")
        assert branches.files("main") == {
            "a.edn": "{:namespace :m}\n{:name :_p :parent :add :args {:nums [1 2]}}"
        }

    def test_4_8_the_rules_of_files_hold(self, branches: Branches) -> None:
        rows = """
{:name :b :parent :const :args {:value 1}}
{:name :c :parent :if :args {:test :b}}
{:name :d :parent :c}
"""
        branches.push("main", {"a.edn": rows})
        with pytest.raises(GraphError) as caught:
            branches.set("main", "d", "test", "true")
        assert [p.code for p in caught.value.problems] == ["sealed-slot"]
        with pytest.raises(GraphError) as caught:
            branches.set("main", "d", "tset", "true")
        assert [p.code for p in caught.value.problems] == ["unknown-slot"]
        assert len(branches.log("main")) == 1

    def test_rows_of_packages_and_unknown_rows(self, branches: Branches) -> None:
        branches.push("main", FILES)
        with pytest.raises(UsageError) as caught:
            branches.set("main", "add", "nums", "[1]")
        assert caught.value.code == "packages-row"
        with pytest.raises(RunError) as missing:
            branches.set("main", "greeet", "parts", "[]")
        assert missing.value.hint == "Did you mean :greet?"


def test_pushes_at_once_come_one_after_another(database_url: str) -> None:
    count = 6
    gate = threading.Barrier(count)
    failed: list[BaseException] = []

    def push(number: int) -> None:
        try:
            with App.open(database_url=database_url) as app:
                app.database()
                gate.wait(PATIENCE)
                rows = f"{{:name :a :parent :const :args {{:value {number}}}}}"
                app.branches.push("main", {"a.edn": rows}, message=str(number))
        except BaseException as error:  # told below, in the test's own thread
            failed.append(error)

    threads = [threading.Thread(target=push, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert failed == []
    with App.open(database_url=database_url) as app:
        log = app.branches.log("main")
        assert sorted(each.message for each in log) == [str(n) for n in range(count)]
        for each, before in zip(log, [*log[1:], None], strict=True):
            assert each.parents == (() if before is None else (before.id,))


def test_sets_at_once_lose_nothing(database_url: str) -> None:
    count = 5
    rows = "".join(f"{{:name :r{n} :parent :const :args {{:value 0}}}}\n" for n in range(count))
    with App.open(database_url=database_url) as app:
        app.branches.push("main", {"a.edn": rows})
        threads = [
            threading.Thread(target=app.branches.set, args=("main", f"r{n}", "value", "1"))
            for n in range(count)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        graph = app.branches.graph("main")
        assert [graph.run(f"r{n}") for n in range(count)] == [1] * count


def test_a_push_that_dies_leaves_nothing(
    branches: Branches, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = branches.push("main", FILES).revision

    def die(*_args: object) -> object:
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        return "somebody@somewhere"

    monkeypatch.setattr("graphden.store.branches.who", die)
    with pytest.raises(UsageError) as caught:
        branches.push("main", {"greet.edn": GREET})
    assert caught.value.code == "database-unreachable"
    assert branches.revision("main") == first
    assert len(branches.log("main")) == 1


def test_a_graph_can_be_pushed(branches: Branches) -> None:
    graph = Graph.parse(GREET, file="greet.edn")
    assert branches.push("main", graph).revision.trees.keys() == {"greet.edn"}
    assert branches.graph("main") is graph
