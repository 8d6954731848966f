"""What a file holds: rows, headers, namespaces (LANGUAGE 1.1, 1.2, 1.5)."""

from __future__ import annotations

import pytest

from graphden import Graph
from tests.read.reports import only, pointed_at, report


def ids(text: str) -> list[str]:
    return [row.id for row in Graph.parse(text).rows]


def test_1_1_rows_one_after_another():
    assert ids("{:name :a :parent :add} {:name :b :parent :add}") == ["user/a", "user/b"]


def test_1_1_one_vector_of_rows():
    assert ids("[{:name :a :parent :add} {:name :b :parent :add}]") == ["user/a", "user/b"]


def test_1_1_a_header_inside_the_vector():
    assert ids("[{:namespace :n} {:name :a :parent :add}]") == ["n/a"]


def test_1_1_an_empty_file_has_no_rows():
    assert ids("; nothing yet") == []


def test_1_1_without_a_namespace_it_is_user():
    assert ids("{:name :a :parent :add}") == ["user/a"]


@pytest.mark.parametrize("namespace", [":orders.api", '"orders.api"'])
def test_1_1_a_header_sets_the_namespace_of_the_rows_after_it(namespace):
    text = (
        "{:name :a :parent :add}"
        f'{{:namespace {namespace} :description "Orders."}}'
        "{:name :b :parent :add} {:name :c :parent :add}"
    )
    assert ids(text) == ["user/a", "orders.api/b", "orders.api/c"]


def test_1_1_a_later_header_takes_over():
    text = "{:namespace :m} {:name :a :parent :add} {:namespace :n} {:name :b :parent :add}"
    assert ids(text) == ["m/a", "n/b"]


def test_1_1_a_rows_own_namespace_wins_for_that_row_only():
    text = "{:namespace :m} {:name :a :namespace :n :parent :add} {:name :b :parent :add}"
    assert ids(text) == ["n/a", "m/b"]


@pytest.mark.parametrize("namespace", [":a/b", '"a/b"', '""', "3", "nil"])
def test_1_1_what_is_no_namespace(namespace):
    text = f"{{:namespace {namespace}}} {{:name :a :parent :add}}"
    assert report(text) == [("bad-row", "", namespace)]
    assert ":namespace takes a keyword or text without a slash" in only(text).message


def test_1_1_a_header_has_no_other_keys():
    text = '{:namespace :n :descriptoin "x"} {:name :a :parent :add}'
    assert report(text) == [("unknown-key", "", ":descriptoin")]
    assert only(text).hint == "Did you mean :description?"


def test_1_1_a_row_without_a_name_is_no_header():
    text = "{:namespace :n :parent :add :args {:nums [1]}}"
    assert report(text) == [("bad-row", "", text)]
    assert only(text).message == "this row has no :name"


@pytest.mark.parametrize("form", ["3", ":a", '"text"', "(1 2)", "#{1}", "[{:name :b}]"])
def test_1_1_what_is_no_row(form):
    text = f"{{:name :a :parent :add}} {form}"
    assert report(text) == [("bad-row", "", form)]
    assert only(text).message == f"a row is a map, and this is {form}"


def test_1_1_a_vector_inside_the_vector_is_no_row():
    assert report("[[{:name :a :parent :add}]]") == [
        ("bad-row", "", "[{:name :a :parent :add}]")
    ]


@pytest.mark.parametrize(
    ("name", "hint"),
    [('"a"', "Write :a."), ("a", "Write :a."), (":n/a", ":namespace"), ("3", ":namespace")],
)
def test_1_2_a_name_is_a_keyword_without_a_namespace(name, hint):
    text = f"{{:name {name} :parent :add}}"
    problem = only(text)
    assert (problem.code, pointed_at(text, problem)) == ("bad-row", name)
    assert ":name takes a keyword without a namespace" in problem.message
    assert hint in problem.hint


def test_1_2_two_rows_with_one_identity_are_refused():
    text = "{:name :a :parent :add}\n{:name :b :parent :add}\n{:name :a :parent :mul}"
    assert report(text) == [("duplicate-row", "a", ":a")]
    problem = only(text)
    assert str(problem.span) == "rows.edn:3:8"
    assert problem.message == ":user/a is already defined at rows.edn:1:1"
    assert "another namespace" in problem.hint


def test_1_2_a_duplicate_is_one_problem_whatever_rows_are_inside_it():
    row = "{:name :a :parent :not :args {:value {:parent :not :args {:value 1}}}}\n"
    assert report(row + row) == [("duplicate-row", "a", ":a")]


def test_1_2_a_row_of_a_package_cannot_be_defined_again():
    text = "{:namespace :core.arithmetic :name :add :parent :mul}"
    assert report(text) == [("duplicate-row", "add", ":add")]
    assert "stdlib_graphs" in only(text).message


def test_1_2_one_name_in_two_namespaces_is_two_rows():
    text = "{:name :a :namespace :m :parent :add} {:name :a :namespace :n :parent :add}"
    assert ids(text) == ["m/a", "n/a"]


def test_1_2_the_order_of_rows_is_free():
    text = "{:name :b :parent :a} {:name :a :parent :add :args {:nums [1 2]}}"
    assert Graph.parse(text).run("b") == 3


def test_1_2_the_order_of_files_is_free(tmp_path):
    (tmp_path / "1.edn").write_text("{:name :b :parent :a}")
    (tmp_path / "2.edn").write_text("{:name :a :parent :add :args {:nums [1 2]}}")
    assert Graph.load(tmp_path).run("b") == 3


def test_1_1_a_namespace_ends_with_its_file(tmp_path):
    (tmp_path / "1.edn").write_text("{:namespace :m} {:name :a :parent :add}")
    (tmp_path / "2.edn").write_text("{:name :b :parent :add}")
    assert [row.id for row in Graph.load(tmp_path).rows] == ["m/a", "user/b"]
