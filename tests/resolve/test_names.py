"""Which row a name means (LANGUAGE 1.3, 1.4)."""

from __future__ import annotations

import pytest

from graphden import Graph, RunError
from tests.read.reports import only, report, run

ONE = "{:name :one :namespace :m :parent :const :args {:value 1}}"
TWO = "{:name :one :namespace :n :parent :const :args {:value 2}}"


def test_1_3_the_row_of_the_own_namespace_comes_first():
    text = ONE + TWO + "{:name :a :namespace :n :parent :list :args {:items [:one]}}"
    assert run(text, "a") == [2]


def test_1_3_else_the_only_row_of_that_name_anywhere():
    assert run(ONE + "{:name :a :parent :list :args {:items [:one]}}", "a") == [1]


def test_1_3_several_are_ambiguous_and_listed():
    text = ONE + TWO + "{:name :a :parent :list :args {:items [:one]}}"
    assert report(text) == [("ambiguous-name", "a", ":one")]
    assert only(text).message == ":one may mean :m/one, :n/one"
    assert only(text).hint == "Write the one you mean in full, such as :m/one."


@pytest.mark.parametrize("role", [":parent :one", ":parent :const :args {:value {:ref :one}}"])
def test_1_3_it_holds_for_parents_and_references(role):
    assert [r[0] for r in report(ONE + TWO + f"{{:name :a {role}}}")] == ["ambiguous-name"]


def test_1_3_it_holds_for_types():
    types = "{:name :t :namespace :m :list :int} {:name :t :namespace :n :list :text}"
    assert report(types + "{:name :a :list :t}") == [("ambiguous-name", "a", ":t")]


def test_1_3_a_qualified_name_is_exact():
    text = ONE + TWO + "{:name :a :namespace :m :parent :list :args {:items [:n/one :m/one]}}"
    assert run(text, "a") == [2, 1]


def test_1_3_a_qualified_name_is_found_nowhere_else():
    text = ONE + "{:name :a :parent :list :args {:items [:k/one]}}"
    assert report(text) == [("unknown-row", "a", ":k/one")]
    assert only(text).hint.startswith("Did you mean :m/one?")


def test_1_3_inline_rows_look_names_up_from_their_row():
    inline = "{:parent :list :args {:items [{:parent :identity :args {:value :one}}]}}"
    assert run(
        ONE + TWO + f"{{:name :a :namespace :n :parent :const :args {{:value {inline}}}}}", "a"
    ) == [2]


def test_1_3_a_user_row_with_the_name_of_a_package_row():
    own = "{:name :first :parent :count}"
    # In its own namespace it comes first, elsewhere the name is ambiguous.
    text = own + '{:name :a :parent :first :args {:coll ["x" "y"]}}'
    assert run(text, "a") == 2
    text = own + "{:namespace :n} {:name :a :parent :first}"
    assert only(text).message == ":first may mean :core.collections/first, :user/first"


def test_1_3_no_user_row_can_break_a_package():
    """Rows of packages use bare names; user rows of their very namespace are not seen."""
    shadows = "".join(
        f"{{:namespace :core.queues :name {name} :parent :const :args {{:value 1}}}}"
        for name in (":try", ":get", ":call", ":if", ":do")
    )
    graph = Graph.parse(
        shadows
        + "{:name :worker :namespace :n :parent :queue-consumer"
        + " :args {:handler {:parent :const :args {:value nil}}}}"
    )
    turn = graph.program.resolved["core.queues/_turn"]
    assert turn.chain == ("core.queues/_turn", "core.control/try")


def test_1_3_types_of_packages_are_not_shadowed_either():
    graph = Graph.parse("{:name :queue-message :namespace :graphden.postgres :list :int}")
    types = {p.name: str(p.type) for p in graph.interface("queue-ack")}
    assert types == {"message": ":queue-message"}
    slot = graph.program.resolved["graphden.postgres/queue-ack"].slots[0]
    assert slot.type.row == "core.queues/queue-message"


PRIVATE = "{:name :_p :namespace :m :parent :const :args {:value 1}}"


def test_1_4_a_private_row_is_referable_in_its_namespace():
    text = PRIVATE + "{:name :a :namespace :m :parent :list :args {:items [:_p :m/_p]}}"
    assert run(text, "a") == [1, 1]


@pytest.mark.parametrize("name", [":_p", ":m/_p"])
def test_1_4_and_in_no_other(name):
    text = PRIVATE + f"{{:name :a :namespace :n :parent :list :args {{:items [{name}]}}}}"
    assert report(text) == [("private-row", "a", name)]
    assert only(text).message == f"{name} is private to the namespace m"
    assert "their own namespace only" in only(text).hint


def test_1_4_as_a_parent_too():
    assert report(PRIVATE + "{:name :a :parent :_p}") == [("private-row", "a", ":_p")]


def test_1_4_a_private_type():
    text = "{:name :_t :namespace :m :list :int} {:name :a :list :_t}"
    assert report(text) == [("private-row", "a", ":_t")]


def test_1_4_private_rows_of_two_namespaces_do_not_meet():
    other = "{:name :_p :namespace :n :parent :const :args {:value 2}}"
    text = PRIVATE + other + "{:name :a :namespace :n :parent :list :args {:items [:_p]}}"
    assert run(text, "a") == [2]


def test_1_4_private_rows_are_not_offered_to_other_namespaces():
    text = "{:name :_secret :namespace :m :parent :add} {:name :a :parent :_secre}"
    assert ":_secret" not in only(text).hint


def test_1_4_private_rows_are_left_out_of_listings():
    graph = Graph.parse(PRIVATE + "{:name :a :parent :add}")
    assert [row.id for row in graph.rows] == ["user/a"]


def test_1_4_inline_rows_and_package_rows_are_left_out_of_listings():
    graph = Graph.parse(
        "{:name :a :parent :not :args {:value {:parent :not :args {:value 1}}}}"
    )
    assert [row.id for row in graph.rows] == ["user/a"]


@pytest.mark.parametrize("name", ["_p", "m/_p"])
def test_1_4_private_rows_are_not_runnable_by_name(name):
    with pytest.raises(RunError) as caught:
        Graph.parse(PRIVATE).run(name)
    assert caught.value.code == "private-row"
