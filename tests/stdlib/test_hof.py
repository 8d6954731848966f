"""Bodies of stdlib_graphs/hof.edn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.errors import RunError


def until(item, answer):
    """A predicate that gives `answer(item)` and must not be asked about later items."""

    def asked(value):
        assert value <= item, "a later item was asked about"
        return answer(value)

    return asked


def test_map_keeps_the_order(call):
    assert call("map", lambda item: item * 2, [1, 2, 3]) == [2, 4, 6]


@pytest.mark.parametrize("answer", [0, "", [], True])
def test_predicates_are_true_unless_nil_or_false(call, answer):
    """LANGUAGE 7.1"""
    assert call("filter", lambda _: answer, [1]) == [1]
    assert call("every?", lambda _: answer, [1]) is True
    assert call("find-first", lambda _: answer, [1]) == 1
    assert call("some", lambda _: answer, [1]) == answer


@pytest.mark.parametrize("answer", [None, False])
def test_predicates_that_are_false(call, answer):
    """LANGUAGE 7.1"""
    assert call("filter", lambda _: answer, [1]) == []
    assert call("every?", lambda _: answer, [1]) is False
    assert call("find-first", lambda _: answer, [1]) is None
    assert call("some", lambda _: answer, [1]) is None


def test_some_gives_the_answer_and_find_first_the_item(call):
    assert call("some", until(2, lambda n: n * 10 if n > 1 else None), [1, 2, 3]) == 20
    assert call("find-first", until(2, lambda n: n > 1), [1, 2, 3]) == 2


def test_every_stops_at_the_first_that_is_not(call):
    assert call("every?", until(2, lambda n: n < 2), [1, 2, 3]) is False
    assert call("every?", until(0, bool), []) is True


def test_reduce_hands_over_pairs(call):
    """LANGUAGE 11, edge behaviour"""
    assert call("reduce", lambda pair: [*pair[0], pair[1]], [0], [1, 2]) == [0, 1, 2]
    assert call("reduce", lambda pair: pair, "init", []) == "init"


def test_group_by_keeps_orders_of_appearance(call):
    groups = call("group-by", lambda n: n % 2, [3, 2, 5, 4])

    assert list(groups.items()) == [(1, [3, 5]), (0, [2, 4])]


def test_group_by_does_not_mix_true_and_1(call):
    """LANGUAGE 10.1"""
    with pytest.raises(RunError, match="group-by: true and the number 1 cannot stand"):
        call("group-by", lambda item: item, [1, True])


def test_sort_by_is_stable(call):
    assert call("sort-by", len, ["bb", "a", "cc", ""]) == ["", "a", "bb", "cc"]


def test_sort_by_names_the_key_without_order(call):
    with pytest.raises(RunError, match="sort-by: key 2 is a map of 0 entries, which has no"):
        call("sort-by", lambda item: item, [1, {}])


def test_for_each_goes_in_order_and_gives_nil(call):
    seen = []

    assert call("for-each", seen.append, [1, 2]) is None
    assert seen == [1, 2]


def test_constantly_ignores_its_item(call):
    assert call("constantly", 5, "ignored") == 5


def test_comp_applies_the_last_first(call):
    composed = call("comp", [lambda n: n * 10, lambda n: n + 1])

    assert composed(1) == 20
    assert call("comp", [])(1) == 1


@given(st.lists(st.integers()))
def test_map_of_a_composition(call, coll):
    def double(item):
        return item * 2

    def next_(item):
        return item + 1

    once = call("map", call("comp", [next_, double]), coll)

    assert once == call("map", next_, call("map", double, coll))


@given(st.lists(st.integers()))
def test_group_by_loses_nothing(call, coll):
    groups = call("group-by", lambda n: n % 3, coll)

    assert sorted(call("concat", list(groups.values()))) == sorted(coll)
    assert all(n % 3 == key for key, members in groups.items() for n in members)


@given(st.lists(st.integers()))
def test_sort_by_agrees_with_sort(call, coll):
    assert call("sort-by", lambda item: item, coll) == call("sort", coll)
