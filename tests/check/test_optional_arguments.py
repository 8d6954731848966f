"""What need not be given is nil, or its default, while it is not (LANGUAGE 4.10, 8.4)."""

from __future__ import annotations

import pytest

from graphden import Graph, RunError

OPENED = "{:parent :if :args {:test false :then 1 :else {:as :x :type :int}}}"
NARROWED = "{:parent :if :args {:test false :then 1 :else {:type :int}}}"
LOOKED_UP = '{:parent :get :args {:coll {:value {}} :key "a" :default {:as :x :type :int}}}'
DEFAULTED = "{:parent :if :args {:test false :then 1 :else {:as :x :type :int :value 2}}}"


def _result(text: str) -> str:
    return str(Graph.parse(text).inference.row("user/r").result)


@pytest.mark.parametrize("inner", [OPENED, NARROWED, LOOKED_UP])
def test_8_4_what_is_not_given_is_nil_whatever_type_it_is_narrowed_to(inner: str) -> None:
    graph = Graph.parse(f"{{:name :r :parent :add :args {{:nums [1 {inner}]}}}}")
    [problem] = graph.diagnostics
    assert problem.code == "type-mismatch"
    assert "[:union :int :null]" in problem.message


@pytest.mark.parametrize("inner", [OPENED, NARROWED, LOOKED_UP])
def test_8_4_also_in_a_row_that_it_bubbles_up_to(inner: str) -> None:
    middle = f"{{:name :i :parent :identity :args {{:value {inner}}}}}"
    assert _result(f"{middle} {{:name :r :parent :identity :args {{:value :i}}}}") == (
        "[:union :int :null]"
    )


@pytest.mark.parametrize("name", ["x", "else"])
def test_8_4_what_a_row_binds_is_not_nil(name: str) -> None:
    inner = OPENED if name == "x" else NARROWED
    graph = Graph.parse(
        f"{{:name :i :parent :identity :args {{:value {inner}}}}}"
        f"{{:name :r :parent :add :args {{:nums [1 :i] :{name} 4}}}}"
    )
    assert graph.diagnostics == ()
    assert graph.run("r") == 5


def test_8_4_a_default_stands_for_what_is_not_given() -> None:
    graph = Graph.parse(f"{{:name :r :parent :add :args {{:nums [1 {DEFAULTED}]}}}}")
    assert graph.diagnostics == ()
    assert graph.run("r") == 3
    assert graph.run("r", {"x": 5}) == 6


def test_8_4_one_name_may_be_nil_in_one_place_and_a_default_in_another() -> None:
    graph = Graph.parse(
        "{:name :i :parent :range :args {:end 3}}"
        "{:name :j :parent :if :args {:test false :then 1 :else {:as :start}}}"
        "{:name :r :parent :list :args {:items [:i :j]}}"
    )
    assert str(graph.inference.row("user/r").result) == (
        "[:tuple [:list :int] [:union :int :null]]"
    )
    assert graph.run("r") == [[0, 1, 2], None]
    assert graph.run("r", {"start": 2}) == [[2], 2]


@pytest.mark.parametrize(("given", "expected"), [({}, True), ({"x": 2}, False)])
def test_8_4_operators_know_of_the_nil(given: dict[str, object], expected: bool) -> None:
    graph = Graph.parse(
        f"{{:name :i :parent :identity :args {{:value {OPENED}}}}}"
        "{:name :r :parent :eq :args {:values [nil :i]}}"
    )
    assert graph.run("r", given) is expected


def test_8_5_what_nobody_named_is_checked_when_an_entry_gets_it() -> None:
    graph = Graph.parse(
        "{:name :i :parent :get :args {:coll {:value {:a 1}} :key {:as :k}}}"
        "{:name :n :parent :coalesce :args {:value :i :default 2}}"
        "{:name :claimed :parent :identity :args {:value :n} :return-type :int}"
        "{:name :r :parent :add :args {:nums [1 :claimed]}}"
    )
    assert graph.run("r", {"k": "b"}) == 3
    with pytest.raises(RunError) as caught:
        graph.run("r", {"k": "b", "default": "text"})
    assert caught.value.code == "contract-violation"


OPEN_ARM = """
{:name :half :parent :if
 :args {:test {:parent :lt :args {:nums [{:as :n :type :int} 5]}} :then nil :else {:as :n}}}
{:name :loud :parent :str-upper
 :args {:string {:parent :coalesce :args {:value :half :default "x"}}}}
"""


def test_8_4_a_slot_that_callers_fill_counts_in_the_result() -> None:
    [problem] = Graph.parse(OPEN_ARM).diagnostics
    assert (problem.code, problem.row) == ("type-mismatch", "loud")
    assert "[:union :int :text]" in problem.message


def test_8_5_an_arm_of_any_type_is_checked_where_a_text_is_needed() -> None:
    graph = Graph.parse(
        OPEN_ARM.replace(
            ":test {:parent :lt :args {:nums [{:as :n :type :int} 5]}}", ":test true"
        )
    )
    assert graph.diagnostics == ()
    assert graph.run("loud") == "X"
    with pytest.raises(RunError) as caught:
        Graph.parse(
            OPEN_ARM.replace("{:parent :lt :args {:nums [{:as :n :type :int} 5]}}", "false")
        ).run("loud", {"n": 7})
    assert caught.value.code == "contract-violation"


LOOKED_AT = """
{:name :first-type :type {:a :any :b :int}}
{:name :other-type :type {:a :int :b :any}}
{:name :one :parent :get :args
 {:coll {:value {}} :key {:value :k} :default {:as :d :type :first-type}}}
{:name :two :parent :get :args
 {:coll {:value {}} :key {:value :k} :default {:as :d :type :other-type}}}
{:name :defaulted :parent :identity
 :args {:value {:as :d :type :other-type :value {:a 7 :b 8}}}}
{:name :r :parent :list :args {:items [:one :two :two]}}
{:name :through :parent :list :args {:items [:one {:parent :identity :args {:value :two}}]}}
{:name :called :parent :map :args {:func :both :coll [1 2]}}
{:name :both :parent :list :lambda-params [] :args {:items [:one :two]}}
{:name :filled :parent :list :args {:items [:one :defaulted :defaulted]}}
"""
FITS, WRONG = {"a": 1, "b": 2}, {"a": "x", "b": 2}


@pytest.mark.parametrize(
    ("row", "absent", "given"),
    [
        ("r", [None, None, None], [FITS, FITS, FITS]),
        ("through", [None, None], [FITS, FITS]),
        ("called", [[None, None], [None, None]], [[FITS, FITS], [FITS, FITS]]),
        ("filled", [None, {"a": 7, "b": 8}, {"a": 7, "b": 8}], [FITS, FITS, FITS]),
    ],
)
def test_8_5_what_is_not_given_is_not_looked_at(
    row: str, absent: object, given: object
) -> None:
    """Neither type is in the other: what is given is checked where it comes to the second."""
    graph = Graph.parse(LOOKED_AT)
    assert graph.diagnostics == ()
    assert graph.run(row) == absent
    assert graph.run(row, {"d": FITS}) == given
    with pytest.raises(RunError) as raised:
        graph.run(row, {"d": WRONG})
    assert raised.value.code == "contract-violation"
    assert 'at :a expected :int, got "x"' in raised.value.message
