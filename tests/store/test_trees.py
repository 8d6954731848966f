"""Files as pieces: together they are the file, alone they are its rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.files import read_file
from graphden.store.trees import BETWEEN, Piece, pieces_of, revision_id, tree_of

ROWS = st.sampled_from(
    ["{:name :%s :parent :add}", '{:name :%s\n :args {:é "{"}}', "{:namespace :m :name :%s}"]
)
GAPS = st.sampled_from(["", "\n", "\r\n\r\n", " ; {:name :no}\n", "#_{:name :no}", "\t"])
NAMESPACE = "{:namespace :shop}\n"


@given(st.data())
def test_the_pieces_joined_are_the_text(data: st.DataObject) -> None:
    count = data.draw(st.integers(0, 5))
    rows = [data.draw(ROWS) % f"r{n}" for n in range(count)]
    text = data.draw(st.sampled_from(["", "\ufeff", NAMESPACE])) + data.draw(GAPS)
    for row in rows:
        text += row + data.draw(GAPS)
    found = pieces_of(read_file("rows.edn", text))
    assert b"".join(piece.content for piece in found).decode() == text
    assert [piece.content.decode() for piece in found if piece.name] == rows


def test_a_row_is_named_with_its_namespace() -> None:
    text = NAMESPACE + "{:name :a :parent :add} {:name :b :parent :a :namespace :other}\n"
    found = pieces_of(read_file("rows.edn", text))
    names = [BETWEEN, "shop/a", BETWEEN, "other/b", BETWEEN]
    assert [piece.name for piece in found] == names


def test_a_row_that_did_not_change_keeps_its_hash() -> None:
    before = pieces_of(read_file("a", "{:name :a :parent :add}\n{:name :b :parent :a}"))
    after = pieces_of(read_file("b", "\n\n{:name :b :parent :a} {:name :a :parent :sub}"))
    hashes = {piece.name: piece.hash for piece in before if piece.name}
    assert [p.hash == hashes[p.name] for p in after if p.name] == [True, False]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([Piece("a", b"bc")], [Piece("ab", b"c")]),
        ([Piece("a", b""), Piece("b", b"")], [Piece("b", b""), Piece("a", b"")]),
        ([Piece("", b"a"), Piece("", b"b")], [Piece("", b"ab")]),
    ],
)
def test_trees_of_other_pieces_have_other_hashes(one: list[Piece], other: list[Piece]) -> None:
    assert tree_of(one).hash != tree_of(other).hash


def test_a_revision_is_its_files_and_where_it_comes_from() -> None:
    one, two = b"1" * 32, b"2" * 32
    ids = {
        revision_id({"a": one, "b": two}, []),
        revision_id({"a": two, "b": one}, []),
        revision_id({"a": one}, []),
        revision_id({"a": one, "b": two}, [one]),
        revision_id({"a": one, "b": two}, [two]),
    }
    assert len(ids) == 5
    assert revision_id({"b": two, "a": one}, []) in ids
