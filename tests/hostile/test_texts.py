"""The text of a value has a limit, and a quote of one costs what the quote shows: the work is
counted, whatever the value holds.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphden import Graph, RunError
from graphden.cli import main
from graphden.edn import JsonProblem, Keyword, budget, payload_text, to_json, write
from graphden.edn.budget import TooLong
from tests.hostile.programs import PROGRAMS


class Counted(list[object]):
    """A list that counts how many items were taken out of it, and out of all like it."""

    taken = 0

    def __iter__(self) -> Iterator[object]:
        for item in super().__iter__():
            Counted.taken += 1
            yield item


@pytest.fixture(autouse=True)
def _from_zero() -> None:
    Counted.taken = 0


def doubling(levels: int) -> object:
    value: object = Counted()
    for _ in range(levels):
        value = Counted([value, value])
    return value


class Sized(set[object]):
    """A set of the text "x", that says how often it was gone through."""

    visits = 0

    def __iter__(self) -> Iterator[object]:
        Sized.visits += 1
        return super().__iter__()


@pytest.mark.parametrize("to_text", [write, to_json, payload_text])
def test_a_value_that_shares_its_parts_is_written_until_the_budget_ends(monkeypatch, to_text):
    monkeypatch.setattr(budget, "MOST_VALUES", 1_000)
    assert to_text(doubling(8)).count("[") == 511
    Counted.taken = 0
    with pytest.raises((TooLong, JsonProblem), match="would have more than 1,000 values in it"):
        to_text(doubling(40))
    assert Counted.taken <= 1_000


@pytest.mark.parametrize("to_text", [write, to_json, payload_text])
@pytest.mark.parametrize(
    "make",
    [
        lambda part: Counted([part] * 1_000),
        lambda part: Counted([{part: Counted()}] * 1_000),
        lambda part: Counted([Counted([part])] * 1_000),
    ],
    ids=["texts", "keys", "lists"],
)
def test_characters_have_a_budget(monkeypatch, to_text, make):
    monkeypatch.setattr(budget, "MOST_CHARACTERS", 10_000)
    with pytest.raises((TooLong, JsonProblem), match="would have more than 10,000 characters"):
        to_text(make("x" * 1_000))
    assert Counted.taken <= 22
    assert len(to_text(make("x"))) < 10_000


def test_members_of_sets_have_the_same_budget(monkeypatch):
    monkeypatch.setattr(budget, "MOST_CHARACTERS", 10_000)
    monkeypatch.setattr(budget, "MOST_VALUES", 1_000)
    with pytest.raises(TooLong, match="would have more than 10,000 characters"):
        write({(k, "x" * 1_000) for k in range(900)}, lossy=True)
    with pytest.raises(TooLong, match="would have more than 1,000 values in it"):
        write(set(range(1_001)))


def test_a_value_inside_itself_has_a_last_level(monkeypatch):
    monkeypatch.setattr(budget, "MOST_LEVELS", 1_000)
    value = Counted()
    value.append(value)
    with pytest.raises(TooLong, match="would have more than 1,000 levels"):
        write(value)
    assert Counted.taken <= 1_001
    assert write(value, most=10)[:11] == "[" * 11


def test_json_names_the_place_where_the_budget_ended(monkeypatch):
    monkeypatch.setattr(budget, "MOST_VALUES", 10)
    with pytest.raises(JsonProblem) as raised:
        to_json({Keyword("a"): [1, {"b": [0] * 10}]})
    assert raised.value.path == (Keyword("a"), 1, "b")


def test_a_long_path_is_cut_in_the_message_only():
    value: object = float("nan")
    for _ in range(20):
        value = {"k" * 1_000: value}
    with pytest.raises(JsonProblem) as raised:
        to_json(value)
    assert len(raised.value.path) == 20
    assert len(str(raised.value)) < 1_100


@pytest.mark.parametrize(
    "value",
    [
        doubling(40),
        Counted(range(100_000)),
        Counted([Counted(range(1_000))] * 1_000),
        Counted([{Keyword(f"k{k}"): k for k in range(1_000)}] * 1_000),
    ],
    ids=["doubling", "wide", "lists", "maps"],
)
def test_a_quote_takes_no_more_items_than_it_shows(value):
    text = write(value, most=40)
    assert 40 < len(text) < 60
    assert Counted.taken <= 41


def test_a_quote_begins_as_the_text_does():
    for value in (
        "é\n" * 500,
        Keyword("k" * 500),
        [["x" * 500]],
        {Keyword("k"): {"y" * 500: 1}},
        [1.5, None, {Keyword("a"): {1, 2, 3}}] * 30,
    ):
        assert write(value, most=40)[:40] == write(value)[:40]
        assert write(value, most=10_000) == write(value)


def test_a_quote_describes_what_has_no_beginning_at_hand():
    members = Sized(range(1_000))
    assert write([members, 7], most=40) == "[#<set of 1,000> 7]"
    assert Sized.visits == 0
    assert write([1 << 40_000, 7], most=40) == "[#<int of 40,001 bits> 7]"


def test_a_quote_of_a_long_text_does_not_read_it_all():
    read: list[int] = []

    class Text(str):
        def __getitem__(self, key):
            part = super().__getitem__(key)
            read.append(len(part))
            return part

    assert len(write(Text("x" * 1_000_000), most=40)) == 42
    assert read == [40]


@pytest.mark.parametrize("name", ["diamonds of nested lists", "diamonds of maps"])
def test_a_run_says_that_its_value_is_too_long_to_write(monkeypatch, name):
    monkeypatch.setattr(budget, "MOST_VALUES", 1_000)
    graph = Graph.parse(
        PROGRAMS[name](40)
        + "{:name :text :parent :pr-str :args {:value :main}}"
        + "{:name :json :parent :to-json :args {:data :main}}"
        + "{:name :joined :parent :str :args {:parts [:main]}}"
    )
    for entry in ("text", "json", "joined"):
        with pytest.raises(RunError, match="would have more than 1,000 values in it") as raised:
            graph.run(entry)
        assert raised.value.code == "invalid-argument"
        assert raised.value.row == entry
        assert "is written twice" in raised.value.hint


@pytest.mark.parametrize("as_json", [False, True])
def test_a_test_whose_value_is_too_long_to_write_ends_no_other_test(
    monkeypatch, tmp_path, capsys, as_json
):
    monkeypatch.setattr(budget, "MOST_VALUES", 1_000)
    (tmp_path / "rows.edn").write_text(
        "{:namespace :some.tests}"
        + PROGRAMS["diamonds of nested lists"](40).replace(":main", ":_main")
        + "{:name :a :parent :assert-eq :args {:actual :_main :expected 1}}"
        + "{:name :b :parent :assert-eq :args {:actual 1 :expected 1}}",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert main(["test", "rows.edn", *["--json"] * as_json, "-k", "tests/a"]) == 1
    told = capsys.readouterr().out
    assert "#<the text of the value would have more than 1,000 values in it>" in told
    assert main(["test", "rows.edn", *["--json"] * as_json]) == 1
    assert "some.tests/b" in capsys.readouterr().out
