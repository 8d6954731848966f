"""Bodies of stdlib_graphs/collections.edn."""

from decimal import Decimal
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import Keyword, equal
from graphden.errors import RunError

K = Keyword
NAN = float("nan")


def never():
    pytest.fail("a default that is not needed was evaluated")


@pytest.mark.parametrize(
    ("name", "slots", "result"),
    [
        ("first", ([],), None),
        ("first", ([7, 8],), 7),
        ("rest", ([],), []),
        ("rest", ([7, 8, 9],), [8, 9]),
        ("vec", (None,), []),
        ("vec", ({"a": 1},), [["a", 1]]),
        ("vec", ("abc",), ["a", "b", "c"]),
        ("vec", (frozenset({3, 1, 2}),), [1, 2, 3]),
        ("count", (None,), 0),
        ("count", ([1, 2],), 2),
        ("count", ({"a": 1},), 1),
        ("count", ("a😀",), 2),
        ("reverse", ([1, 2, 3],), [3, 2, 1]),
        ("flatten", ([1, [2, [3, []]], {"a": [4]}],), [1, 2, 3, {"a": [4]}]),
        ("cons", (1, [2, 3]), [1, 2, 3]),
        ("list", ([1, None],), [1, None]),
        ("conj", ([1], 2), [1, 2]),
        ("conj", (None, 2), [2]),
        ("conj", ({"a": 1}, ["b", 2]), {"a": 1, "b": 2}),
        ("conj", (frozenset({1}), 2), frozenset({1, 2})),
        ("assoc", (None, "a", 1), {"a": 1}),
        ("assoc", ({"a": 1}, "a", 2), {"a": 2}),
        ("assoc", ({"a": 1}, K("a"), 2), {"a": 2}),
        ("dissoc", ({"a": 1, "b": 2}, K("a")), {"b": 2}),
        ("dissoc", ({"a": 1}, "c"), {"a": 1}),
        ("dissoc", (None, "c"), {}),
        ("keys", ({"a": 1, "b": 2},), ["a", "b"]),
        ("vals", ({"a": 1, "b": 2},), [1, 2]),
        ("keys", (None,), []),
        ("merge", ([{"a": 1}, None, {"a": 2, "b": 3}],), {"a": 2, "b": 3}),
        ("merge", ([],), {}),
        ("into", ([1], [2, 3]), [1, 2, 3]),
        ("into", (None, {"a": 1}), [["a", 1]]),
        ("into", ({"a": 1}, [["b", 2]]), {"a": 1, "b": 2}),
        ("into", ({"a": 1}, {"b": 2}), {"a": 1, "b": 2}),
        ("into", (frozenset({1}), [1, 2]), frozenset({1, 2})),
        ("assoc-in", (None, ["a", "b"], 1), {"a": {"b": 1}}),
        ("assoc-in", ({"a": [{"b": 1}, 5]}, ["a", 0, "b"], 2), {"a": [{"b": 2}, 5]}),
        ("range", (0, 4, 1), [0, 1, 2, 3]),
        ("range", (5, 0, -2), [5, 3, 1]),
        ("range", (3, 3, 1), []),
        ("repeat", (3, "x"), ["x", "x", "x"]),
        ("repeat", (-1, "x"), []),
        ("take", (2, [1, 2, 3]), [1, 2]),
        ("take", (9, [1]), [1]),
        ("take", (-1, [1]), []),
        ("drop", (2, [1, 2, 3]), [3]),
        ("drop", (-1, [1]), [1]),
        ("concat", ([[1], [], [2, 3]],), [1, 2, 3]),
        ("select-keys", ({"a": 1, "b": None}, [K("b"), "c"]), {"b": None}),
        ("zipmap", (["a", "b"], [1, 2, 3]), {"a": 1, "b": 2}),
        ("pairs->map", ([["a", 1], ["a", 2]],), {"a": 2}),
        ("position-in", ([5, 6, 5], 5), 0),
        ("position-in", ([5], 6), None),
        ("position-in", ([True, 1], 1.0), 1),
        ("position-in", (["a", K("a")], K("a")), 1),
    ],
)
def test_values(call, name, slots, result):
    assert equal(call(name, *slots), result)


@pytest.mark.parametrize("empty", [None, [], {}, "", frozenset()])
def test_empty(call, empty):
    assert call("empty?", empty) is True


@pytest.mark.parametrize("full", [[None], {"a": 1}, " ", frozenset({0})])
def test_not_empty(call, full):
    assert call("empty?", full) is False


@pytest.mark.parametrize(
    ("coll", "key", "value"),
    [
        ({K("a"): 1}, "a", 1),
        ({"a": 1}, K("a"), 1),
        ({"a": None}, "a", None),
        ({1: "int"}, 1.0, "int"),
        ({True: "bool"}, True, "bool"),
        ([10, 20], 1, 20),
        ("a😀c", 2, "c"),
        (frozenset({"x"}), "x", "x"),
    ],
)
def test_get_what_is_there(call, coll, key, value):
    """LANGUAGE 7.1, 10.1"""
    assert call("get", coll, key, never) == value


@pytest.mark.parametrize(
    ("coll", "key"),
    [
        (None, "a"),
        ({}, "a"),
        ({1: "int"}, True),
        ({False: "bool"}, 0),
        ({"a": 1}, ["a"]),
        ([10, 20], 2),
        ([10, 20], -1),
        ([10, 20], True),
        ([10, 20], "0"),
        (frozenset({1}), True),
        (frozenset({K("a")}), "a"),
    ],
)
def test_get_what_is_not_there(call, coll, key):
    """LANGUAGE 10.1, 11: nil has nothing, and true is never 1."""
    assert call("get", coll, key, lambda: "default") == "default"
    assert call("get", coll, key, None) is None


def test_get_of_what_holds_nothing(call):
    with pytest.raises(RunError, match="get: :coll is the number 5; a map, list, set or text"):
        call("get", 5, "a", never)


def test_get_in(call):
    data = {"a": [{"b": None}]}

    assert call("get-in", data, ["a", 0, "b"], never) is None
    assert call("get-in", data, [], never) == data
    assert call("get-in", data, ["a", 1, "b"], lambda: "default") == "default"
    assert call("get-in", data, ["a", 0, "b", "c"], None) is None


@pytest.mark.parametrize(
    ("coll", "key", "has"),
    [
        (None, 1, False),
        ({"a": None}, K("a"), True),
        ({1: 0}, 1.0, True),
        ({1: 0}, True, False),
        ([10, 20], 20.0, True),
        ([10, 20], 0, False),
        ([1], True, False),
        ([[1]], [1.0], True),
        (frozenset({1}), True, False),
        (frozenset({True}), True, True),
        (frozenset({"a"}), K("a"), False),
        (frozenset({"a"}), ["a"], False),
    ],
)
def test_contains(call, coll, key, has):
    """LANGUAGE 10.1"""
    assert call("contains?", coll, key) is has


@pytest.mark.parametrize(
    ("name", "slots"),
    [
        ("assoc", ({1: "a"}, True, "b")),
        ("assoc", ({False: "a"}, 0.0, "b")),
        ("merge", ([{1: "a"}, {True: "b"}],)),
        ("zipmap", ([0, False], [1, 2])),
        ("into", ({1: "a"}, [[True, "b"]])),
        ("into", (frozenset({1}), [True])),
        ("into", (frozenset({"a"}), [K("a")])),
        ("pairs->map", ([[1, "a"], [True, "b"]],)),
        ("update-keys", ({"a": 1, "b": 2}, {"a": 1, "b": True}.get)),
        ("postwalk", (lambda part: {"a": 1, "b": True}.get(str(part), part), {"a": 0, "b": 0})),
    ],
)
def test_keys_that_python_would_confuse_are_refused(call, name, slots):
    """LANGUAGE 10.1: never one of them lost in silence."""
    with pytest.raises(RunError, match="cannot stand side by side") as raised:
        call(name, *slots)

    assert raised.value.code == "invalid-argument"


@pytest.mark.parametrize("key", [[1], {"a": 1}, (1,), frozenset(), NAN])
def test_what_cannot_be_a_key(call, key):
    """LANGUAGE 10.1"""
    with pytest.raises(RunError, match="cannot be a key"):
        call("assoc", {}, key, 1)


def test_nothing_is_changed_in_place(call):
    inner = {"b": 1}
    data = {"a": inner}

    call("assoc", data, "c", 1)
    call("dissoc", data, "a")
    call("assoc-in", data, ["a", "b"], 2)
    call("merge", [data, {"a": 5}])

    assert data == {"a": {"b": 1}}
    assert data["a"] is inner


def test_update_in_gets_what_is_there(call):
    assert call("update-in", {"a": {"n": 1}}, ["a", "n"], lambda n: n + 1) == {"a": {"n": 2}}
    assert call("update-in", {}, ["a"], lambda n: [n]) == {"a": [None]}


def test_update_in_does_not_lengthen_lists(call):
    with pytest.raises(RunError, match="update-in: :path asks for index 1 of a list of 1"):
        call("update-in", [0], [1], lambda n: n)


def test_update_vals_and_keys(call):
    assert call("update-vals", {"a": 1}, lambda n: n + 1) == {"a": 2}
    assert call("update-keys", {"a": 1}, lambda key: key + "!") == {"a!": 1}
    assert call("update-vals", None, never) == {}


def test_postwalk_goes_from_the_inside_out(call):
    seen = []

    def note(part):
        seen.append(part)
        return part

    call("postwalk", note, [1, {"a": [2]}])

    assert seen == [1, "a", 2, [2], {"a": [2]}, [1, {"a": [2]}]]


@pytest.mark.parametrize(
    ("coll", "result"),
    [
        ([3, 1, 2], [1, 2, 3]),
        ([2.5, 1, Decimal(2)], [1, Decimal(2), 2.5]),
        (["b", "B", "a"], ["B", "a", "b"]),
        ([K("b"), K("a")], [K("a"), K("b")]),
        ([True, False], [False, True]),
        ([2, None, 1], [None, 1, 2]),
        ([UUID(int=2), UUID(int=1)], [UUID(int=1), UUID(int=2)]),
        ([[2, 1], [1, 9], [1]], [[1], [1, 9], [2, 1]]),
        ([[None, "b"], ["a", "a"]], [[None, "b"], ["a", "a"]]),
    ],
)
def test_sort(call, coll, result):
    assert call("sort", coll) == result


@pytest.mark.parametrize(
    ("coll", "message"),
    [
        ([1, "a"], 'sort: item 2 is text "a" beside the number 1; values of one kind'),
        ([None, 1, True], "sort: item 3 is true beside the number 1; values of one kind"),
        (["a", K("b")], 'sort: item 2 is the keyword :b beside text "a"'),
        ([{"a": 1}], "sort: item 1 is a map of 1 entry, which has no order"),
        ([1.0, NAN], "sort: item 2 is the number nan, which has no order"),
    ],
)
def test_sort_of_what_has_no_order(call, coll, message):
    with pytest.raises(RunError) as raised:
        call("sort", coll)

    assert raised.value.message.startswith(message)


def test_distinct_by_structure(call):
    """LANGUAGE 10.1"""
    values = [1, True, 1.0, "a", K("a"), [1], [True], [1.0], {"k": 1}, {K("k"): 1}]

    assert equal(call("distinct", values), [1, True, "a", K("a"), [1], [True], {"k": 1}])


@pytest.mark.parametrize(
    ("name", "slots", "message"),
    [
        ("first", (5,), "first: :coll is the number 5; a list is needed"),
        ("count", (5,), "count: :coll is the number 5; a list, map, set or text is needed"),
        (
            "count",
            (K("a"),),
            "count: :coll is the keyword :a; a list, map, set or text is need",
        ),
        ("keys", ([1],), "keys: :map is a list of 1 item; a map is needed"),
        ("take", (True, []), "take: :count is true; an int is needed"),
        ("range", (0, 5, 0), "range: :step is 0; a number that is not 0 is needed"),
        ("into", (5, []), "into: :to is the number 5; a list, map or set is needed"),
        (
            "pairs->map",
            ([["a"]],),
            "pairs->map: item 1 of :entries is a list of 1 item; a pair",
        ),
        (
            "assoc-in",
            ({"a": 5}, ["a", "b"], 1),
            "assoc-in: :m is the number 5; a map or list on",
        ),
    ],
)
def test_wrong_values(call, name, slots, message):
    with pytest.raises(RunError) as raised:
        call(name, *slots)

    assert raised.value.code == "invalid-argument"
    assert raised.value.message.startswith(message)


def test_flatten_has_no_depth_limit(call):
    nested = [1]
    for _ in range(50_000):
        nested = [nested]

    assert call("flatten", nested) == [1]


scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=8)
maps = st.dictionaries(st.text("abc", max_size=2), values, max_size=5)


@given(st.lists(st.integers() | st.floats(allow_nan=False)))
def test_sort_gives_an_ordered_permutation(call, numbers):
    found = call("sort", numbers)

    assert all(one <= next_ for one, next_ in pairwise(found))
    assert sorted(map(repr, found)) == sorted(map(repr, numbers))
    assert call("sort", found) == found


@given(st.lists(values))
def test_reverse_twice_is_nothing(call, coll):
    assert call("reverse", call("reverse", coll)) == coll


@given(st.lists(values))
def test_distinct_keeps_the_first_of_equal_ones(call, coll):
    expected = [
        item
        for position, item in enumerate(coll)
        if not any(equal(item, earlier) for earlier in coll[:position])
    ]

    assert equal(call("distinct", coll), expected)


@given(maps, maps, maps)
def test_merge_is_associative_and_the_last_counts(call, one, two, three):
    assert equal(
        call("merge", [call("merge", [one, two]), three]), call("merge", [one, two, three])
    )
    assert equal(call("merge", [one, two]), {**one, **two})


@given(maps)
def test_maps_are_their_keys_and_values(call, entries):
    assert equal(call("zipmap", call("keys", entries), call("vals", entries)), entries)
    assert equal(call("pairs->map", call("vec", entries)), entries)
    assert equal(call("into", {}, entries), entries)
    assert equal(call("update-vals", entries, lambda value: value), entries)


@given(st.integers(-2, 8), st.lists(values))
def test_take_and_drop_are_two_halves(call, count, coll):
    assert call("concat", [call("take", count, coll), call("drop", count, coll)]) == coll


@given(maps, st.text("abc", max_size=2), values)
def test_get_what_was_put(call, entries, key, value):
    assert equal(call("get", call("assoc", entries, key, value), key, None), value)
    assert call("contains?", call("dissoc", entries, key), key) is False


@given(st.lists(st.sampled_from(["a", "b", 0, 1]), min_size=1, max_size=3), scalars)
def test_get_in_what_was_put_in(call, path, value):
    made = call("assoc-in", None, path, value)

    assert equal(call("get-in", made, path, None), value)


@given(values)
def test_postwalk_of_nothing_changes_nothing(call, value):
    assert equal(call("postwalk", lambda part: part, value), value)


@given(st.lists(values), values)
def test_position_in_agrees_with_contains(call, coll, value):
    position = call("position-in", coll, value)

    assert call("contains?", coll, value) is (position is not None)
    if position is not None:
        assert equal(coll[position], value)


def test_sorting_looks_at_parts_that_stand_in_many_places_once(call):
    def doubling(inside):
        part = [inside]
        for _ in range(200):
            part = [part, part]
        return part

    coll = [doubling(2), doubling(1.0), doubling(1), [], doubling(1), doubling(2.5)]
    got = call("sort", coll)
    assert [id(each) for each in got] == [id(coll[at]) for at in (3, 1, 2, 4, 0, 5)]


@given(st.lists(st.lists(st.lists(st.integers(0, 2), max_size=2), max_size=3)))
def test_lists_are_sorted_as_python_sorts_them(call, coll):
    assert call("sort", coll) == sorted(coll)
