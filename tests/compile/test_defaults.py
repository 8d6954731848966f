"""LANGUAGE 4.5, 4.10 and 5: defaults and names on their way through several levels."""

import pytest

from graphden import Graph
from tests.oracle.probe import run


def interface(text: str, row: str) -> dict[str, bool]:
    """The arguments of a row, and whether each is required."""
    return {p.name: p.required for p in Graph.parse(text).interface(row)}


def test_each_place_keeps_its_own_default_when_their_name_is_renamed() -> None:
    text = """
        {:name :two :parent :list :args {:items [{:as :y :value 1} {:as :y :value 2}]}}
        {:name :renamed :parent :two :args {:y {:as :z}}}
    """
    assert run(text, "two").value == [1, 2]
    assert run(text, "renamed").value == [1, 2]
    assert run(text, "renamed", z=9).value == [9, 9]


def test_so_do_references_whose_argument_was_renamed_at_several_levels() -> None:
    text = """
        {:name :reads :parent :identity :args {:value {:as :x}}}
        {:name :one :parent :list :args {:items [:reads] :x {:as :y :value 1}}}
        {:name :two :parent :one :args {:items [{:parent :identity :args {:value :reads}}]
                                        :x {:as :y :value 2}}}
        {:name :entry :parent :two :args {:y {:as :z}}}
    """
    assert run(text, "entry").value == [1, 2]
    assert run(text, "entry", z=9).value == [9, 9]


def test_a_default_given_on_the_way_holds_for_every_place() -> None:
    text = """
        {:name :two :parent :list :args {:items [{:as :y :value 1} {:as :y}]}}
        {:name :entry :parent :two :args {:y {:as :z :value 5}}}
    """
    assert run(text, "entry").value == [5, 5]


def test_ten_renames_deep_an_argument_arrives() -> None:
    rows = ["{:name :r0 :parent :identity :args {:value {:as :n0}}}"]
    rows += [
        f"{{:name :r{i} :parent :identity :args {{:value :r{i - 1} :n{i - 1} {{:as :n{i}}}}}}}"
        for i in range(1, 11)
    ]
    assert run("\n".join(rows), "r10", n10="in").value == "in"
    assert interface("\n".join(rows), "r10") == {"n10": True}


def test_what_only_an_overridden_default_needs_is_not_asked_for() -> None:
    text = """
        {:name :needs-x :parent :identity :args {:value {:as :x}}}
        {:name :open :parent :list :args {:items [{:as :n :ref :needs-x}]}}
        {:name :bound :parent :open :args {:n 5}}
        {:name :again :parent :identity :args {:value :open :n {:as :m :ref :needs-x}}}
        {:name :bound-again :parent :again :args {:m 6}}
    """
    assert interface(text, "open") == {"n": False, "x": True}
    assert interface(text, "bound") == {}
    assert run(text, "bound").value == [5]
    assert run(text, "bound-again", x=1).value == [6]


@pytest.mark.parametrize(
    ("given", "value"), [({}, ["declared", "item"]), ({"default": 1}, [1, 1])]
)
def test_an_optional_argument_that_is_not_given_leaves_each_place_its_own_default(
    given: dict[str, object], value: list[object]
) -> None:
    text = """
        {:name :looks :parent :get :args {:coll {:value {}} :key "k"}}
        {:name :with-default :parent :identity
         :args {:value :looks :default {:as :default :value "declared"}}}
        {:name :entry :parent :list
         :args {:items [:with-default {:as :default :value "item"}]}}
    """
    assert run(text, "entry", **given).value == value


def test_a_slot_s_own_name_is_not_fed_by_a_binding_for_references() -> None:
    """LANGUAGE 5.4, in both directions."""
    text = """
        {:name :inner :parent :identity :args {:value {:as :left}}}
        {:name :entry :parent :pair :args {:left 1 :right :inner}}
    """
    assert interface(text, "entry") == {"left": True}
    assert run(text, "entry", left=2).value == [1, 2]


def test_nor_is_a_slot_that_is_open_under_that_name() -> None:
    text = """
        {:name :reads :parent :identity :args {:value {:as :n}}}
        {:name :bound :parent :pair :args {:left {:as :m} :right :reads :n 1}}
        {:name :entry :parent :bound :args {:m {:as :n}}}
        {:name :with-default :parent :bound :args {:m {:as :n :value 7}}}
    """
    assert interface(text, "entry") == {"n": True}
    assert run(text, "entry", n=5).value == [5, 1]
    assert run(text, "with-default").value == [7, 1]
    assert run(text, "with-default", n=5).value == [5, 1]
